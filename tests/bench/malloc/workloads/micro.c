/* The micro-benchmarks: one kind of call in a loop, timed from outside, in nanoseconds per unit.
 *
 *   M1  A unit is a malloc and its free, or one realloc (the kinds of micro_realloc.c).
 *   M2  Each block is written to once, in its first word.
 *   M3  The first call of a kind brings it to its steady state (random sizes: all slots filled), and is not measured.
 *   M4  Kinds without an allocator are the loops alone: what they cost is in every other figure as well.
 *   M5  A row in a used heap is the same call after bench_use_heap (runtime/used_heap.c).
 */
#include <malloc.h>

#include "micro.h"

#define EXPORT __attribute__((used, visibility("default")))

enum { kMaxLive = 100000 };

static uint32_t *slots[kMaxLive];
static Random random_numbers = {0x2545f491u};

static bool run_pairs(uint32_t size, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    void *mem = seen(malloc(size));
    if (!touch(mem, i)) return false;
    free(mem);
  }
  return true;
}

static bool run_empty_pairs(uint32_t count) {
  static uint32_t block;
  for (uint32_t i = 0; i < count; ++i)
    if (!touch(seen(&block), i)) return false;
  return true;
}

static bool fill(uint32_t size, uint32_t depth) {
  for (uint32_t i = 0; i < depth; ++i)
    if (!touch(slots[i] = seen(malloc(size)), i)) return false;
  return true;
}

static bool run_lifo(uint32_t size, uint32_t depth, uint32_t count) {
  for (uint32_t done = 0; done < count; done += depth) {
    if (!fill(size, depth)) return false;
    for (uint32_t i = depth; i-- > 0;) free(slots[i]);
  }
  return true;
}

static bool run_fifo(uint32_t size, uint32_t depth, uint32_t count) {
  for (uint32_t done = 0; done < count; done += depth) {
    if (!fill(size, depth)) return false;
    for (uint32_t i = 0; i < depth; ++i) free(slots[i]);
  }
  return true;
}

static bool run_random(uint32_t max_size, uint32_t live, uint32_t count) {
  for (uint32_t i = 0; i < live && slots[i] == NULL; ++i)
    if (!touch(slots[i] = seen(malloc(random_between(&random_numbers, 1, max_size))), i)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t at = random_below(&random_numbers, live);
    free(slots[at]);
    if (!touch(slots[at] = seen(malloc(random_between(&random_numbers, 1, max_size))), i)) return false;
  }
  return true;
}

static bool run_empty_random(uint32_t max_size, uint32_t live, uint32_t count) {
  static uint32_t blocks[2];
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t at = random_below(&random_numbers, live);
    seen(slots[at]);
    if (!touch(slots[at] = seen(blocks + (random_between(&random_numbers, 1, max_size) & 1)), i)) return false;
  }
  return true;
}

static bool run_calloc(uint32_t size, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t *mem = seen(calloc(1, size));
    if (mem == NULL || *mem != 0) return false;
    *mem = i + 1;
    free(mem);
  }
  return true;
}

static bool run_aligned(uint32_t size, uint32_t alignment, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    void *mem = seen(memalign(alignment, size));
    if (((uintptr_t)mem & (alignment - 1)) != 0 || !touch(mem, i)) return false;
    free(mem);
  }
  return true;
}

/* `size`: of a block, or the largest of random sizes. `extra`: how many are live at once, or the alignment. 0: memory
 * ran out, or a block was wrong. */
EXPORT uint32_t bench_micro(uint32_t kind, uint32_t size, uint32_t extra, uint32_t count) {
  switch ((enum Kind)kind) {
    case kEmptyPair: return run_empty_pairs(count);
    case kPair: return run_pairs(size, count);
    case kLifo: return run_lifo(size, extra, count);
    case kFifo: return run_fifo(size, extra, count);
    case kEmptyRandom: return run_empty_random(size, extra, count);
    case kRandom: return run_random(size, extra, count);
    case kCalloc: return run_calloc(size, count);
    case kAligned: return run_aligned(size, extra, count);
    case kGrowTwo: return run_growth_of_two(count);
    case kReallocRandom: return run_realloc_random(size, extra, count);
    default: return run_growth((enum Kind)kind, count);
  }
}
