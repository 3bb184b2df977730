/* Phase changes: a live set of 30 MiB moves from one size to its double, from 16 bytes to 32 KiB. Everything is freed before
 * the next size comes, roughly in the order it came; with KEEP_ONE_IN 500, one block in 500 stays until the end. With ROUNDS,
 * all of it that many times: memory must not grow from round to round.
 *
 * The worst case of an allocator that never gives what one size had to another; with kept blocks, which leave gaps of
 * 8 KiB and more, also of one that gives back only whole pages.
 */
#include "bench.h"

#ifndef KEEP_ONE_IN
#define KEEP_ONE_IN 0
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

enum { kPhases = 12, kFirstSize = 16, kLiveBytes = 30 << 20, kMaxBlocks = kLiveBytes / kFirstSize, kReach = 1000 };
#if KEEP_ONE_IN
enum { kMaxKept = kMaxBlocks * 2 / KEEP_ONE_IN + kPhases };
#else
enum { kMaxKept = 1 };
#endif

static uint32_t *blocks[kMaxBlocks], *kept[kMaxKept];

static bool keeps(uint32_t i) {
#if KEEP_ONE_IN
  return i % KEEP_ONE_IN == 0;
#else
  return (void)i, false;
#endif
}

static bool run_round(uint32_t percent, uint32_t *checksum) {
  Random random = {0x846ca68bu};
  uint32_t sum = *checksum, kept_count = 0;
  for (uint32_t phase = 0; phase < kPhases; ++phase) {
    const uint32_t size = kFirstSize << phase, count = part_of(kLiveBytes / size, percent);
    for (uint32_t i = 0; i < count; ++i) {
      blocks[i] = malloc(size);
      if (blocks[i] == NULL) return false;
      blocks[i][0] = i ^ size;
      blocks[i][size / 4 - 1] = size;
    }
    for (uint32_t i = 0; i + kReach < count; ++i) {
      const uint32_t other = i + random_below(&random, kReach);
      uint32_t *block = blocks[i];
      blocks[i] = blocks[other];
      blocks[other] = block;
    }
    for (uint32_t i = 0; i < count; ++i) {
      sum = fold(sum, blocks[i][0] ^ blocks[i][size / 4 - 1]);
      if (keeps(i) && kept_count < kMaxKept) kept[kept_count++] = blocks[i];
      else free(blocks[i]);
    }
  }
  for (; kept_count > 0; --kept_count) {
    sum = fold(sum, kept[kept_count - 1][0]);
    free(kept[kept_count - 1]);
  }
  *checksum = sum;
  return true;
}

bool bench_program(uint32_t percent, uint32_t *checksum) {
  *checksum = kFoldBegin;
  for (int round = 0; round < ROUNDS; ++round)
    if (!run_round(percent, checksum)) return false;
  return true;
}
