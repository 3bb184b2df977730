/* libwebp as a picture service runs it: pictures of many sizes are made, encoded with loss or without, decoded and
 * scaled. The encoded ones stay in an album and are replaced at random, as are small versions of them. */
#include "../driver.h"
#include "webp/decode.h"
#include "webp/encode.h"

enum { kPictures = 110, kAlbum = 24, kMaxSide = 220, kSmallSide = 40 };

typedef struct Entry {
  uint8_t *encoded;
  size_t size;
  uint8_t *small; /* kSmallSide wide, RGBA */
} Entry;

static Entry album[kAlbum];

/* A slope of colour, a few discs, some noise. */
static void paint(WebPPicture *picture) {
  const uint32_t slope = random_below(5) + 1, noise = random_below(3) == 0 ? 24 : 1;
  for (int y = 0; y < picture->height; ++y)
    for (int x = 0; x < picture->width; ++x)
      picture->argb[y * picture->argb_stride + x] =
          0xff000000u | ((uint32_t)(x * slope) & 255) << 16 | ((uint32_t)(y * slope) & 255) << 8 | random_below(noise);
  for (uint32_t discs = random_below(12); discs > 0; --discs) {
    const int cx = (int)random_below((uint32_t)picture->width), cy = (int)random_below((uint32_t)picture->height);
    const int radius = (int)random_below(40) + 2;
    const uint32_t colour = 0xff000000u | random_below(1 << 24);
    for (int y = 0; y < picture->height; ++y)
      for (int x = 0; x < picture->width; ++x)
        if ((x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius)
          picture->argb[y * picture->argb_stride + x] = colour;
  }
}

static void encode(Entry *entry) {
  WebPConfig config;
  WebPPicture picture;
  WebPMemoryWriter writer;
  must(WebPConfigInit(&config) && WebPPictureInit(&picture), "init");
  config.lossless = random_below(3) == 0;
  config.method = (int)random_below(4);
  config.quality = (float)(20 + random_below(75));
  picture.use_argb = 1;
  picture.width = 16 + (int)random_below(random_below(8) == 0 ? kMaxSide * 2 : kMaxSide);
  picture.height = 16 + (int)random_below(kMaxSide);
  must(WebPPictureAlloc(&picture), "WebPPictureAlloc");
  paint(&picture);
  WebPMemoryWriterInit(&writer);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  must(WebPEncode(&config, &picture), "WebPEncode");
  WebPPictureFree(&picture);
  free(entry->encoded);
  entry->encoded = taken(malloc(writer.size)); /* of its exact size */
  entry->size = writer.size;
  memcpy(entry->encoded, writer.mem, writer.size);
  WebPMemoryWriterClear(&writer);
}

/* The whole picture, or scaled while it is decoded; returns the pixels, which the caller frees. */
static uint8_t *decode(const Entry *entry, int width, uint32_t *sum) {
  WebPDecoderConfig config;
  must(WebPInitDecoderConfig(&config), "WebPInitDecoderConfig");
  must(WebPGetFeatures(entry->encoded, entry->size, &config.input) == VP8_STATUS_OK, "WebPGetFeatures");
  config.output.colorspace = MODE_RGBA;
  if (width > 0) {
    config.options.use_scaling = 1;
    config.options.scaled_width = width;
    config.options.scaled_height = 1 + config.input.height * width / config.input.width;
  }
  must(WebPDecode(entry->encoded, entry->size, &config) == VP8_STATUS_OK, "WebPDecode");
  const size_t size = (size_t)config.output.u.RGBA.stride * (size_t)config.output.height;
  uint8_t *pixels = taken(malloc(size));
  memcpy(pixels, config.output.u.RGBA.rgba, size);
  *sum = *sum * 31 + sum_of(pixels, size);
  WebPFreeDecBuffer(&config.output);
  return pixels;
}

int main(void) {
  uint32_t sum = 0;
  size_t bytes = 0;
  for (int i = 0; i < kPictures; ++i) {
    Entry *entry = &album[random_below(kAlbum)];
    encode(entry);
    bytes += entry->size;
    free(entry->small);
    entry->small = decode(entry, kSmallSide, &sum);
    const Entry *shown = &album[random_below(kAlbum)];
    if (shown->encoded != NULL) free(decode(shown, 0, &sum));
  }
  for (int i = 0; i < kAlbum; ++i) {
    free(album[i].encoded);
    free(album[i].small);
  }
  printf("pictures %d, bytes %zu, sum %u\n", kPictures, bytes, sum);
  return 0;
}
