/* The micro-benchmarks: one kind of call in a loop, timed from outside, in nanoseconds per unit.
 *
 *   M1  A unit is a malloc and its free (kinds 0 to 6), or one realloc (7 to 10).
 *   M2  Each block is written to once, in its first word.
 *   M3  The first call of a kind brings it to its steady state (random: all slots filled), and is not measured.
 *   M4  Kinds without an allocator are the loops alone: what they cost is in every other figure as well.
 */
#include <malloc.h>

#include "bench.h"

#define EXPORT __attribute__((used, visibility("default")))

enum Kind {
  kEmptyPair,
  kPair,
  kLifo,
  kFifo,
  kEmptyRandom,
  kRandom,
  kCalloc,
  kAligned,
  kGrowDouble,
  kGrowHalf,
  kGrowAppend,
  kGrowTwo,
};

enum { kMaxLive = 100000, kFirstVector = 16, kLastVector = 1 << 20, kAppendStep = 64, kLastAppend = 256 << 10 };

static uint32_t *slots[kMaxLive];
static Random random_numbers = {0x2545f491u};

/* The compiler has to believe that anyone may look at the block. */
static inline void *seen(void *mem) {
  __asm__ volatile("" : "+r"(mem) : : "memory");
  return mem;
}

static inline bool touch(void *mem, uint32_t value) {
  if (mem == NULL) return false;
  *(uint32_t *)mem = value;
  return true;
}

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

/* The next size of a growing vector. */
static inline uint32_t grown(enum Kind kind, uint32_t size) {
  if (kind == kGrowHalf) return size + size / 2;
  if (kind == kGrowAppend) return size + kAppendStep;
  return size * 2;
}

/* Vectors grow from kFirstVector bytes to their last size and are freed, again and again. `count`: steps in all. */
static bool run_growth(enum Kind kind, uint32_t count) {
  const uint32_t last = kind == kGrowAppend ? kLastAppend : kLastVector;
  for (uint32_t done = 0; done < count;) {
    void *vector = seen(malloc(kFirstVector));
    if (!touch(vector, done)) return false;
    for (uint32_t size = grown(kind, kFirstVector); size <= last; size = grown(kind, size), ++done) {
      void *longer = seen(realloc(vector, size));
      if (longer == NULL) return false;
      ((uint32_t *)longer)[size / 4 - 1] = size;
      vector = longer;
    }
    free(vector);
  }
  return true;
}

/* Two vectors that double in turn; after each step a node of 32 bytes, as a program has that puts what it reads into one
 * vector and an index of it into the other. */
static bool run_growth_of_two(uint32_t count) {
  for (uint32_t done = 0; done < count;) {
    void *vectors[2] = {seen(malloc(kFirstVector)), seen(malloc(kFirstVector))};
    uint32_t nodes = 0;
    if (!touch(vectors[0], done) || !touch(vectors[1], done)) return false;
    for (uint32_t size = kFirstVector * 2; size <= kLastVector; size *= 2) {
      for (uint32_t i = 0; i < 2; ++i, ++done) {
        void *longer = seen(realloc(vectors[i], size));
        if (longer == NULL) return false;
        ((uint32_t *)longer)[size / 4 - 1] = size;
        vectors[i] = longer;
        if (!touch(slots[nodes++] = seen(malloc(32)), size)) return false;
      }
    }
    while (nodes > 0) free(slots[--nodes]);
    free(vectors[0]);
    free(vectors[1]);
  }
  return true;
}

/* `extra`: how many are live at once, or the alignment. 0: memory ran out, or a block was wrong. */
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
    default: return run_growth((enum Kind)kind, count);
  }
}
