/* What the files of the micro-benchmarks share: the kinds, and how a block is used. */
#pragma once

#include "bench.h"

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
  kReallocRandom,
};

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

/* The kinds of micro_realloc.c. `count`: steps in all. False: memory ran out, or a block was wrong. */
bool run_growth(enum Kind kind, uint32_t count);
bool run_growth_of_two(uint32_t count);
bool run_realloc_random(uint32_t max_size, uint32_t live, uint32_t count);
