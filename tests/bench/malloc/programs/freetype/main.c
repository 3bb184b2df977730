/* FreeType as a text view runs it: lines of text at many sizes; each glyph is loaded, hinted and drawn once and kept as
 * a bitmap, in a cache that drops the ones that were not used for longest. Headlines are stroked. Pages open the font
 * again. */
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_GLYPH_H
#include FT_STROKER_H

#include "../driver.h"

extern const unsigned script_size;
extern const char script[]; /* the font */

enum { kPages = 150, kLines = 60, kSlots = 3000, kMinSize = 9, kMaxSize = 34 };

typedef struct Slot {
  uint32_t character, size, last_use; /* size 0: empty */
  FT_Glyph bitmap;
} Slot;

static Slot slots[kSlots];
static uint32_t now, sum;

static void succeed(FT_Error error, const char *what) { must(error == 0, what); }

static void empty(Slot *slot) {
  if (slot->size > 0) FT_Done_Glyph(slot->bitmap);
  *slot = (Slot){0, 0, 0, NULL};
}

static FT_Glyph draw(FT_Library library, FT_Face face, uint32_t character, int stroked) {
  FT_Glyph glyph;
  const FT_Int32 flags = random_below(3) == 0 ? FT_LOAD_FORCE_AUTOHINT : FT_LOAD_DEFAULT;
  succeed(FT_Load_Glyph(face, FT_Get_Char_Index(face, character), flags | FT_LOAD_NO_BITMAP), "FT_Load_Glyph");
  succeed(FT_Get_Glyph(face->glyph, &glyph), "FT_Get_Glyph");
  if (stroked) {
    FT_Stroker stroker;
    succeed(FT_Stroker_New(library, &stroker), "FT_Stroker_New");
    FT_Stroker_Set(stroker, 48, FT_STROKER_LINECAP_ROUND, FT_STROKER_LINEJOIN_ROUND, 0);
    succeed(FT_Glyph_Stroke(&glyph, stroker, 1), "FT_Glyph_Stroke");
    FT_Stroker_Done(stroker);
  }
  succeed(FT_Glyph_To_Bitmap(&glyph, FT_RENDER_MODE_NORMAL, NULL, 1), "FT_Glyph_To_Bitmap");
  return glyph;
}

/* Of eight neighbours the one asked for, or else the one that was not used for longest, drawn anew. */
static FT_Glyph cached(FT_Library library, FT_Face face, uint32_t character, uint32_t size) {
  const uint32_t first = (character * 2654435761u ^ size * 40503u) % (kSlots - 8);
  Slot *oldest = &slots[first];
  for (Slot *slot = &slots[first]; slot < &slots[first + 8]; ++slot) {
    if (slot->character == character && slot->size == size) {
      slot->last_use = now;
      return slot->bitmap;
    }
    if (slot->last_use < oldest->last_use) oldest = slot;
  }
  empty(oldest);
  *oldest = (Slot){character, size, now, draw(library, face, character, 0)};
  return oldest->bitmap;
}

static void add_bitmap(FT_Glyph glyph) {
  const FT_Bitmap *bitmap = &((FT_BitmapGlyph)glyph)->bitmap;
  sum = sum * 31 + sum_of(bitmap->buffer, (size_t)bitmap->pitch * bitmap->rows) + (uint32_t)(glyph->advance.x >> 10);
}

/* Words of our own, and now and then letters of other scripts. */
static void show_line(FT_Library library, FT_Face face, uint32_t size) {
  for (uint32_t words = 8; words > 0; --words, ++now) {
    for (const char *at = random_word(); *at != 0; ++at) add_bitmap(cached(library, face, (uint32_t)*at, size));
    static const uint32_t firsts[] = {0x391, 0x410, '0'};
    const uint32_t other = firsts[random_below(3)] + random_below(50);
    if (FT_Get_Char_Index(face, other) != 0) add_bitmap(cached(library, face, other, size));
  }
}

static void show_page(FT_Library library) {
  FT_Face face;
  succeed(FT_New_Memory_Face(library, (const FT_Byte *)script, (FT_Long)script_size, 0, &face), "FT_New_Memory_Face");
  for (int line = 0; line < kLines; ++line) {
    const uint32_t size = kMinSize + random_below(kMaxSize - kMinSize);
    succeed(FT_Set_Pixel_Sizes(face, 0, size), "FT_Set_Pixel_Sizes");
    show_line(library, face, size);
    if (line % 20 != 0) continue;
    for (const char *at = random_word(); *at != 0; ++at) {
      FT_Glyph glyph = draw(library, face, (uint32_t)*at, 1);
      add_bitmap(glyph);
      FT_Done_Glyph(glyph);
    }
  }
  FT_Done_Face(face);
}

int main(void) {
  FT_Library library;
  succeed(FT_Init_FreeType(&library), "FT_Init_FreeType");
  for (int page = 0; page < kPages; ++page) show_page(library);
  for (Slot *slot = slots; slot < slots + kSlots; ++slot) empty(slot);
  FT_Done_FreeType(library);
  printf("pages %d, words %u, sum %u\n", kPages, now, sum);
  return 0;
}
