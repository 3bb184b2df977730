/* glibc-simple-like: batches of blocks of one size. Of each batch one block in 16 is kept until the next batch of its size.
 * The batch is freed from its first block on, from its last, or every other one first.
 */
#include "bench.h"

static const uint16_t kSizes[] = {16, 24, 32, 48, 64, 96, 128, 200, 256, 400, 512, 1024};
static const uint16_t kBatches[] = {25, 100, 400};

enum {
  kSizeCount = sizeof kSizes / sizeof kSizes[0],
  kBatchCount = sizeof kBatches / sizeof kBatches[0],
  kMaxBatch = 400,
  kKeepOneIn = 16,
  kMaxLiveBytes = 64 << 10, /* of one batch */
};

static uint32_t *batch[kMaxBatch];
static uint32_t *kept[kSizeCount][kMaxBatch / kKeepOneIn + 1];

static void free_block(uint32_t **block, uint32_t *sum) {
  *sum = fold(*sum, **block);
  free(*block);
  *block = NULL;
}

static bool run_batch(uint32_t size_index, uint32_t count, uint32_t round, uint32_t *sum) {
  const uint32_t size = kSizes[size_index];
  for (uint32_t i = 0; i < count; ++i) {
    batch[i] = malloc(size);
    if (batch[i] == NULL) return false;
    batch[i][0] = i * size + round;
  }
  uint32_t at = 0;
  for (uint32_t i = 0; i < count; i += kKeepOneIn, ++at) {
    if (kept[size_index][at] != NULL) free_block(&kept[size_index][at], sum);
    kept[size_index][at] = batch[i];
    batch[i] = NULL;
  }
  switch (round % 3) {
    case 0:
      for (uint32_t i = 0; i < count; ++i)
        if (batch[i] != NULL) free_block(&batch[i], sum);
      break;
    case 1:
      for (uint32_t i = count; i-- > 0;)
        if (batch[i] != NULL) free_block(&batch[i], sum);
      break;
    default:
      for (uint32_t half = 0; half < 2; ++half)
        for (uint32_t i = half; i < count; i += 2)
          if (batch[i] != NULL) free_block(&batch[i], sum);
  }
  return true;
}

bool bench_program(uint32_t percent, uint32_t *checksum) {
  uint32_t sum = kFoldBegin;
  for (uint32_t round = 0, rounds = part_of(3000, percent); round < rounds; ++round)
    for (uint32_t size = 0; size < kSizeCount; ++size) {
      const uint32_t count = kBatches[(round + size) % kBatchCount];
      const uint32_t most = kMaxLiveBytes / kSizes[size];
      if (!run_batch(size, count < most ? count : most, round, &sum)) return false;
    }
  for (uint32_t size = 0; size < kSizeCount; ++size)
    for (uint32_t at = 0; at <= kMaxBatch / kKeepOneIn; ++at)
      if (kept[size][at] != NULL) free_block(&kept[size][at], &sum);
  *checksum = sum;
  return true;
}
