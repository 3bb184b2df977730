/* malloc-large-like: twenty blocks of 5 to 25 MB, one replaced at random a step; each page of a block is written once. */
#include "bench.h"

enum { kBlocks = 20, kMinMegabytes = 5, kMaxMegabytes = 25, kPage = 4096, kSteps = 200 };

static char *blocks[kBlocks];
static uint32_t sizes[kBlocks];

bool bench_program(uint32_t percent, uint32_t *checksum) {
  Random random = {0x2c1b3c6du};
  uint32_t sum = kFoldBegin;
  for (uint32_t step = 0, steps = part_of(kSteps, percent); step < steps; ++step) {
    const uint32_t at = random_below(&random, kBlocks);
    if (blocks[at] != NULL) {
      uint32_t seen = 0;
      for (uint32_t offset = 0; offset < sizes[at]; offset += kPage) seen += *(uint32_t *)(blocks[at] + offset);
      sum = fold(sum, seen);
      free(blocks[at]);
    }
    sizes[at] = random_between(&random, kMinMegabytes * 250000, kMaxMegabytes * 250000) * 4; /* whole words */
    blocks[at] = malloc(sizes[at]);
    if (blocks[at] == NULL) return false;
    for (uint32_t offset = 0; offset + 4 <= sizes[at]; offset += kPage) *(uint32_t *)(blocks[at] + offset) = step;
  }
  for (uint32_t i = 0; i < kBlocks; ++i) {
    free(blocks[i]);
    blocks[i] = NULL;
  }
  *checksum = sum;
  return true;
}
