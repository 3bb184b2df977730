/* What the workloads share: how a program is entered, and the random numbers.
 *
 *   B1  A program's result depends on what it wrote into its blocks, never on their addresses: the checksum is the same
 *       under every allocator.
 *   B2  Randomness is an xorshift32 of the workload's own; the same seed gives the same requests under every allocator.
 *   B3  Compiled with -fno-builtin-malloc and kin: no call is removed. The counted build proves it.
 *   B4  Nothing is counted here. What is live is counted in a build of the same objects whose calls the linker leads
 *       through runtime/count.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The whole workload at `percent` of its length (the peak of live memory stays the same where it can). False when memory
 * ran out or a block did not hold what was written to it. */
bool bench_program(uint32_t percent, uint32_t *checksum);

#ifdef __cplusplus
}
#endif

typedef struct Random {
  uint32_t state; /* never 0 */
} Random;

static inline uint32_t random_next(Random *random) {
  uint32_t x = random->state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return random->state = x;
}

/* 0 <= result < limit */
static inline uint32_t random_below(Random *random, uint32_t limit) {
  return (uint32_t)(((uint64_t)random_next(random) * limit) >> 32);
}

/* first <= result <= last */
static inline uint32_t random_between(Random *random, uint32_t first, uint32_t last) {
  return first + random_below(random, last - first + 1);
}

/* One more word of a checksum (FNV-1a by words). */
static inline uint32_t fold(uint32_t checksum, uint32_t word) { return (checksum ^ word) * 16777619u; }

static const uint32_t kFoldBegin = 2166136261u;

/* `percent` of `whole`, at least 1. */
static inline uint32_t part_of(uint32_t whole, uint32_t percent) {
  const uint32_t part = (uint32_t)((uint64_t)whole * percent / 100);
  return part == 0 ? 1 : part;
}
