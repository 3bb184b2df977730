/* Brings the heap into the state that other work leaves: bench_use_heap, before the timed calls of a row in a used
 * heap. It is not timed itself.
 *
 *   U1  Blocks of random sizes are taken until 8 MiB are live: most of 16 to 4096 bytes, one in 32 of up to 64 KiB,
 *       both log-uniform. Then kSteps times a block at random is freed and another taken; one step in eight is a
 *       realloc.
 *   U2  Then 19 blocks in 20 are freed, in random order: holes of all sizes remain, and between them about a twentieth
 *       of the blocks, which stay until the end.
 *   U3  The random numbers are its own, so what a workload asks for is the same in a used heap as in a fresh one.
 */
#include "../workloads/bench.h"

#define EXPORT __attribute__((used, visibility("default")))

enum { kLiveBytes = 8 << 20, kMaxBlocks = 1 << 15, kSteps = 40000, kKeepOneIn = 20 };

typedef struct Block {
  uint32_t *mem;
  uint32_t size;
} Block;

static Block blocks[kMaxBlocks];
static Random random_numbers;

/* Log-uniform from first * 1 to first * 2^doublings: each doubling of the size is as likely as any other. */
static uint32_t log_uniform(uint32_t first, uint32_t doublings) {
  const uint32_t octave = first << random_below(&random_numbers, doublings);
  return random_between(&random_numbers, octave, octave * 2);
}

static uint32_t random_size(void) {
  return random_below(&random_numbers, 32) == 0 ? log_uniform(4096, 4) : log_uniform(16, 8);
}

static bool fill(Block *block, uint32_t *mem, uint32_t size) {
  if (mem == NULL) return false;
  *block = (Block){mem, size};
  mem[0] = size;
  mem[size / 4 - 1] = size;
  return true;
}

static bool is_whole(const Block *block) {
  return block->mem[0] == block->size && block->mem[block->size / 4 - 1] == block->size;
}

static bool take(Block *block) {
  const uint32_t size = random_size();
  return fill(block, malloc(size), size);
}

static bool replace(Block *block) {
  if (!is_whole(block)) return false;
  if (random_below(&random_numbers, 8) == 0) {
    const uint32_t size = random_size();
    return fill(block, realloc(block->mem, size), size);
  }
  free(block->mem);
  return take(block);
}

static void swap(Block *one, Block *other) {
  const Block kept = *one;
  *one = *other;
  *other = kept;
}

/* 0: memory ran out, or a block did not hold what was written to it. */
EXPORT uint32_t bench_use_heap(uint32_t seed) {
  uint32_t count = 0;
  random_numbers.state = seed;
  for (uint32_t live = 0; live < kLiveBytes; live += blocks[count++].size)
    if (count == kMaxBlocks || !take(&blocks[count])) return false;
  for (uint32_t step = 0; step < kSteps; ++step)
    if (!replace(&blocks[random_below(&random_numbers, count)])) return false;
  for (uint32_t kept = count / kKeepOneIn; count > kept; --count) {
    swap(&blocks[random_below(&random_numbers, count)], &blocks[count - 1]);
    if (!is_whole(&blocks[count - 1])) return false;
    free(blocks[count - 1].mem);
  }
  return true;
}
