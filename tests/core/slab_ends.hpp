// What a flush leaves (slabs.S6, slabs.S9), whatever was freed before: found by a look at every slab, where malloc looks only at those that it was told of.
#pragma once

#include <gtest/gtest.h>
#include <heapglass/malloc.h>

#include <algorithm>
#include <random>
#include <vector>

#include "slab/dissolve.hpp"
#include "slab/slabs.hpp"

namespace heapglass_test {

// Of no slab. A slab that is current has no bit of its own (slab.B3), so it seems full.
inline bool could_end(const heapglass::Slab *s) {
  const heapglass::Word capacity = heapglass::capacity_of(s);
  const heapglass::Bits in_use = heapglass::all_bits(capacity) & ~heapglass::bits_of(s);
  if (heapglass::kHardened || heapglass::kThreads) return in_use == 0;
  return heapglass::is_sparse(in_use, capacity, 4);
}

// Enough of its blocks are free, and it is on no list (slabs.S1): malloc would never take them.
inline bool is_forgotten(const heapglass::Slab *s) {
  if ((s->tag & heapglass::kListedSlab) != 0) return false;
#if HG_HARDENED
  const heapglass::Bits bits = heapglass::bits_of(s);
  const int free = std::max(__builtin_popcount(static_cast<unsigned>(bits)), __builtin_popcount(static_cast<unsigned>(bits >> heapglass::kHalf)));
  return free >= (heapglass::capacity_of(s) > heapglass::kHalf ? 5 : std::max(static_cast<int>(heapglass::capacity_of(s) / 8), 1));
#else
  return static_cast<heapglass::Word>(__builtin_popcountll(heapglass::bits_of(s))) * 8 >= heapglass::capacity_of(s) + 8;
#endif
}

inline int count_that_could_end() {
  int count = 0;
  heapglass::g_slab_map.each([&](const heapglass::Slab *s) { count += could_end(s) || is_forgotten(s) ? 1 : 0; });
  return count;
}

inline void free_one_of(std::vector<void *> &blocks, std::mt19937 &random, unsigned long part) {
  std::size_t left = 0;
  for (void *mem : blocks) {
    if (random() % part == 0) hg_free(mem);
    else blocks[left++] = mem;
  }
  blocks.resize(left);
}

// Sizes with slabs of one half and of two, in phases that take, free nearly all, and free here and there.
inline void expect_no_slab_is_left_that_could_end(unsigned seed) {
  constexpr std::size_t kSizes[] = {16, 24, 48, 120};
  std::mt19937 random(seed);
  std::vector<void *> blocks;
  int slabs = 0;
  for (int phase = 0; phase < 12; ++phase) {
    for (int n = 0; n < 1500; ++n) blocks.push_back(hg_malloc(kSizes[random() % 4]));
    const auto kept = 2 + random() % 40;  // one of so many
    std::size_t left = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (random() % kept == 0 || (phase % 3 != 0 && i % 200 < 60)) blocks[left++] = blocks[i];
      else hg_free(blocks[i]);
    }
    blocks.resize(left);
    hg_malloc_flush();  // of classes that took slabs meanwhile it ends fewer (slabs.S6)
    hg_malloc_flush();
    EXPECT_EQ(count_that_could_end(), 0) << "seed " << seed << ", phase " << phase;
    free_one_of(blocks, random, 3);  // of slabs that were looked at and stayed, too
    hg_malloc_flush();
    EXPECT_EQ(count_that_could_end(), 0) << "seed " << seed << ", phase " << phase << ", once more";
    heapglass::g_slab_map.each([&](const heapglass::Slab *) { ++slabs; });
  }
  EXPECT_GT(slabs, 100) << "some stay";
  for (void *mem : blocks) hg_free(mem);
  hg_malloc_flush();
}

}  // namespace heapglass_test
