/* shbench-like 6: fixed counts of each size, small sizes more often, freed in runs of other orders.
 *
 * A pass goes through the sizes 1 to 1000, 12.5 % apart; a size gets 6000 / (size + 40) blocks, 2 at least. Its blocks enter a
 * ring of 9000, oldest out. At a pass's end nothing, all or every other block is freed besides, newest first.
 */
#include "bench.h"

enum { kRing = 9000, kMaxSize = 1000 };

static unsigned char *ring[kRing];

static void free_at(uint32_t at, uint32_t *sum) {
  if (ring[at] == NULL) return;
  *sum = fold(*sum, ring[at][0]);
  free(ring[at]);
  ring[at] = NULL;
}

bool bench_program(uint32_t percent, uint32_t *checksum) {
  uint32_t sum = kFoldBegin, at = 0;
  for (uint32_t pass = 0, passes = part_of(2500, percent); pass < passes; ++pass) {
    for (uint32_t size = 1; size <= kMaxSize; size += 1 + size / 8) {
      uint32_t count = 6000 / (size + 40);
      if (count < 2) count = 2;
      for (uint32_t i = 0; i < count; ++i, at = at + 1 == kRing ? 0 : at + 1) {
        free_at(at, &sum);
        ring[at] = malloc(size);
        if (ring[at] == NULL) return false;
        ring[at][0] = (unsigned char)(size + pass);
        ring[at][size - 1] = (unsigned char)(size + pass);
      }
    }
    const uint32_t step = pass % 3; /* 0: nothing goes */
    for (uint32_t i = kRing; step != 0 && i >= step; i -= step) free_at(i - 1, &sum);
  }
  for (uint32_t i = 0; i < kRing; ++i) free_at(i, &sum);
  *checksum = sum;
  return true;
}
