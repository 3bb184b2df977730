/* The floor: a program with 100 small blocks alive, replaced at random. What it needs of memory is the least an
 * allocator takes. */
#include "bench.h"

enum { kBlocks = 100, kMaxSize = 128 };

static uint32_t *blocks[kBlocks];

bool bench_program(uint32_t percent, uint32_t *checksum) {
  Random random = {0xc2b2ae35u};
  uint32_t sum = kFoldBegin;
  for (uint32_t step = part_of(4000000, percent); step > 0; --step) {
    uint32_t **block = &blocks[random_below(&random, kBlocks)];
    if (*block != NULL) sum = fold(sum, **block);
    free(*block);
    *block = malloc(random_between(&random, 8, kMaxSize));
    if (*block == NULL) return false;
    **block = step;
  }
  for (uint32_t i = 0; i < kBlocks; ++i) {
    free(blocks[i]);
    blocks[i] = NULL;
  }
  *checksum = sum;
  return true;
}
