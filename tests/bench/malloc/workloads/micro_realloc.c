/* The micro-benchmarks of realloc: vectors that grow, and small blocks of random sizes that change theirs. */
#include "micro.h"

enum { kFirstVector = 16, kLastVector = 1 << 20, kAppendStep = 64, kLastAppend = 256 << 10 };
enum { kMaxNodes = 64, kMaxLive = 10000, kMinSize = 16 };

static Random random_numbers = {0x2545f491u};

/* The next size of a growing vector. */
static inline uint32_t grown(enum Kind kind, uint32_t size) {
  if (kind == kGrowHalf) return size + size / 2;
  if (kind == kGrowAppend) return size + kAppendStep;
  return size * 2;
}

/* Vectors grow from kFirstVector bytes to their last size and are freed, again and again. `count`: steps in all. */
bool run_growth(enum Kind kind, uint32_t count) {
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

/* Two vectors that double in turn; after each step a node of 32 bytes, as a program has that puts what it reads into
 * one vector and an index of it into the other. */
bool run_growth_of_two(uint32_t count) {
  for (uint32_t done = 0; done < count;) {
    void *nodes[kMaxNodes], *vectors[2] = {seen(malloc(kFirstVector)), seen(malloc(kFirstVector))};
    uint32_t node_count = 0;
    if (!touch(vectors[0], done) || !touch(vectors[1], done)) return false;
    for (uint32_t size = kFirstVector * 2; size <= kLastVector; size *= 2) {
      for (uint32_t i = 0; i < 2; ++i, ++done) {
        void *longer = seen(realloc(vectors[i], size));
        if (longer == NULL) return false;
        ((uint32_t *)longer)[size / 4 - 1] = size;
        vectors[i] = longer;
        if (!touch(nodes[node_count++] = seen(malloc(32)), size)) return false;
      }
    }
    while (node_count > 0) free(nodes[--node_count]);
    free(vectors[0]);
    free(vectors[1]);
  }
  return true;
}

static inline uint32_t random_size(uint32_t max_size) { return random_between(&random_numbers, kMinSize, max_size); }

/* `live` small blocks; each step gives one of them another size, both at random. A block's first word is the number of
 * its slot, and has to be there after the step. */
bool run_realloc_random(uint32_t max_size, uint32_t live, uint32_t count) {
  static uint32_t *slots[kMaxLive];
  if (live > kMaxLive) return false;
  for (uint32_t i = 0; i < live && slots[i] == NULL; ++i)
    if (!touch(slots[i] = seen(malloc(random_size(max_size))), i)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t at = random_below(&random_numbers, live);
    uint32_t *const moved = seen(realloc(slots[at], random_size(max_size)));
    if (moved == NULL || *moved != at) return false;
    slots[at] = moved;
  }
  return true;
}
