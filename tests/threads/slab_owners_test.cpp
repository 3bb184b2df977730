// Small blocks of several threads: each has slabs of its own (core/src/slab/slab_owners.hpp).
#include <gtest/gtest.h>
#include <heapglass/malloc.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "base/build.hpp"
#include "slab/slab_map.hpp"
#include "slab/slab_owners.hpp"

namespace slab_owners_tests {
namespace {

#if HG_SLABS

constexpr size_t kSize = 48;
constexpr size_t kBlocks = 4'000;

using Blocks = std::vector<unsigned char *>;

hg_malloc_stats malloc_stats() {
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  return stats;
}

unsigned char mark_of(size_t i) { return static_cast<unsigned char>(i * 7 + 1); }

Blocks take(size_t count, size_t size = kSize) {
  Blocks blocks;
  for (size_t i = 0; i < count; ++i) {
    blocks.push_back(static_cast<unsigned char *>(hg_malloc(size)));
    std::memset(blocks.back(), mark_of(i), size);
  }
  return blocks;
}

bool is_whole(const Blocks &blocks, size_t size = kSize) {
  for (size_t i = 0; i < blocks.size(); ++i) {
    for (size_t n = 0; n < size; ++n) {
      if (blocks[i][n] != mark_of(i)) return false;
    }
  }
  return true;
}

void free_all(const Blocks &blocks) {
  for (void *const mem : blocks) hg_free(mem);
}

// In a thread of its own, that ends.
template <class Life>
void live(Life life) {
  std::thread thread(life);
  thread.join();
}

class SlabOwners : public ::testing::Test {
 protected:
  void SetUp() override {
    hg_default_heap();
    hg_malloc_trim(0);
    before_ = malloc_stats();
  }
  void TearDown() override {
    EXPECT_EQ(malloc_stats().in_use, before_.in_use) << "every block was freed";
    hg_malloc_flush();
    EXPECT_EQ(malloc_stats().cached, 0u);
    EXPECT_EQ(malloc_stats().in_use, before_.in_use);
    EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
  }
  hg_malloc_stats before_;
};

size_t of(const Blocks &blocks, const Blocks &others) {
  const std::set<unsigned char *> known(others.begin(), others.end());
  size_t count = 0;
  for (unsigned char *const mem : blocks) count += known.count(mem);
  return count;
}

TEST_F(SlabOwners, SlabsOfAThreadThatEndedServeAnother) {
  Blocks kept, freed;
  live([&] {
    const Blocks blocks = take(kBlocks);
    for (size_t i = 0; i < kBlocks; ++i) (i % 2 == 0 ? kept : freed).push_back(blocks[i]);
    free_all(freed);
  });
  const size_t footprint = malloc_stats().footprint;
  Blocks taken;
  live([&] { taken = take(kBlocks / 2); });
  EXPECT_GE(of(taken, freed), kBlocks / 2 * 9 / 10) << "it adopts them";
  EXPECT_LE(malloc_stats().footprint, footprint + 65536);
  EXPECT_TRUE(is_whole(taken));
  free_all(taken);
  free_all(kept);
}

TEST_F(SlabOwners, WhatOthersFreeComesBackToTheOwner) {
  Blocks first, second;
  std::atomic<int> step{0};
  std::thread owner([&] {
    first = take(kBlocks);
    step = 1;
    while (step != 2) std::this_thread::yield();
    second = take(kBlocks);
    free_all(second);
  });
  while (step != 1) std::this_thread::yield();
  EXPECT_TRUE(is_whole(first));
  live([&] { free_all(first); });
  const size_t footprint = malloc_stats().footprint;
  step = 2;
  owner.join();
  EXPECT_GE(of(second, first), kBlocks * 9 / 10);
  EXPECT_LE(malloc_stats().footprint, footprint + 65536);
}

TEST_F(SlabOwners, AnOwnerThatRestsKeepsNothingThatOthersFreed) {
  std::atomic<int> step{0};
  Blocks blocks;
  std::thread owner([&] {
    blocks = take(20 * kBlocks);
    step = 1;
    while (step != 2) std::this_thread::yield();
  });
  while (step != 1) std::this_thread::yield();
  const size_t in_use = malloc_stats().in_use - before_.in_use;
  EXPECT_GE(in_use, 20 * kBlocks * kSize);
  live([&] { free_all(blocks); });
  hg_malloc_flush();
  EXPECT_LE(malloc_stats().in_use - before_.in_use, in_use / 50) << "but its current slab, and its magazine";
  step = 2;
  owner.join();
}

TEST_F(SlabOwners, AnOwnerThatRestsKeepsAQuarterOfWhatItFreedItselfAtMost) {
  constexpr size_t kCacheBytes = 256 * 1024, kSlack = 768 * 1024;  // slabs in which blocks of magazines lie, and current ones
  std::atomic<int> step{0};
  std::thread owner([&] {
    for (int round = 0; round < 12; ++round) {
      Blocks blocks[3];
      for (size_t i = 0; i < 3; ++i) blocks[i] = take(5 * kBlocks, 32 + 32 * i);  // the magazines grow
      for (const Blocks &some : blocks) free_all(some);
    }
    step = 1;
    while (step != 2) std::this_thread::yield();
  });
  while (step != 1) std::this_thread::yield();
  hg_malloc_flush();
  const hg_malloc_stats stats = malloc_stats();
  EXPECT_LE(stats.in_use + stats.cached - before_.in_use, kCacheBytes + kSlack);
  step = 2;
  owner.join();
}

// malloc.T13: what a magazine grows by, the cache may take no longer; it has not taken it.
TEST_F(SlabOwners, WhatAMagazineGrewByIsNotCached) {
  for (int round = 0; round < 6; ++round) {
    free_all(take(5 * kBlocks));
    EXPECT_EQ(malloc_stats().in_use, before_.in_use) << round;
  }
}

TEST_F(SlabOwners, ABlockOutlivesItsThreadAndIsFreedAmidOthersThatEnd) {
  constexpr unsigned kThreads = 3, kLives = 60;
  std::atomic<unsigned char *> table[64]{};
  std::atomic<unsigned> errors{0};
  const auto life = [&](unsigned number) {
    uint32_t random = 2463534242u + number * 7919u;
    for (unsigned n = 0; n < 400; ++n) {
      random = random * 1664525u + 1013904223u;
      const size_t size = 16 + (random >> 8) % 112;
      auto *const mem = static_cast<unsigned char *>(hg_malloc(size));
      std::memset(mem, static_cast<int>(size), size);
      unsigned char *const other = table[(random >> 20) % 64].exchange(mem);
      if (other == nullptr) continue;
      const size_t had = other[0];
      if (other[had - 1] != had || hg_malloc_usable_size(other) < had) ++errors;
      if ((random >> 17) % 4 == 0) {
        auto *const moved = static_cast<unsigned char *>(hg_realloc(other, 2 * had));
        if (moved[had - 1] != had) ++errors;
        hg_free(moved);
      } else {
        hg_free(other);
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned n = 0; n < kLives; ++n) live([&] { life(t * kLives + n); });
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(errors, 0u);
  for (auto &mem : table) hg_free(mem.load());
}

TEST_F(SlabOwners, FlushesAmidTheFreesOfAnOwnerLoseNothing) {
  std::atomic<bool> ended{false};
  std::thread owner([&] {
    for (int round = 0; round < 40; ++round) free_all(take(kBlocks, 16 + 8 * static_cast<size_t>(round % 13)));
    ended = true;
  });
  while (!ended) hg_malloc_flush();
  owner.join();
}

#if !HG_PROVEN_OWNERS  // which have no inboxes
// slab_owners.O4: who freed it had read the number of a thread that then ended.
TEST_F(SlabOwners, ABlockInTheInboxOfNobodyIsFreed) {
  Blocks blocks;
  live([&] { blocks = take(kBlocks); });
  constexpr unsigned kNobodys = heapglass::SlabOwners::kMostOwners - 1;
  for (unsigned char *const mem : blocks) {
    if (heapglass::g_slab_map.class_at(mem) != 0) heapglass::g_slab_owners.send(kNobodys, mem);
    else hg_free(mem);
  }
}
#endif

#if HG_PROVEN_OWNERS

// Blocks of the current slab, and of one that is full: the newest, and the first one that has a slab.
std::vector<unsigned char *> of_both_kinds(const Blocks &blocks) {
  for (unsigned char *const mem : blocks) {
    if (heapglass::g_slab_map.class_at(mem) != 0) return {mem, blocks.back()};
  }
  return {};
}

TEST_F(SlabOwners, ASecondFreeByAnotherThreadIsFoundWhoeverCameFirst) {
  const Blocks blocks = take(400);
  const Blocks some = of_both_kinds(blocks);
  ASSERT_EQ(some.size(), 2u);
  for (unsigned char *const mem : some) {
    EXPECT_DEATH((live([&] { hg_free(mem); }), hg_free(mem)), "double free");
    EXPECT_DEATH((hg_free(mem), live([&] { hg_free(mem); })), "double free");
    EXPECT_DEATH((live([&] { hg_free(mem); }), live([&] { hg_free(mem); })), "double free");
    EXPECT_DEATH((live([&] { hg_free(mem); }), hg_malloc_usable_size(mem)), "double free");
    EXPECT_DEATH(live([&] { hg_free(mem + 8); }), "misaligned");
  }
  free_all(blocks);
}

TEST_F(SlabOwners, AMapThatNamesAnotherOwnerIsNotBelieved) {
  const Blocks blocks = take(400);
  for (unsigned char *const mem : of_both_kinds(blocks)) {
    const heapglass::Slab *const slab = heapglass::g_slab_map.slab_at(mem);
    for (unsigned owner = 0; owner < 256; owner += owner < 4 ? 1 : 41) {
      if (owner == heapglass::owner_of(slab)) continue;
      const auto named = [&] { heapglass::g_slab_map.set_owner(slab, heapglass::class_of(slab), heapglass::steps_of(slab), owner); };
      EXPECT_DEATH((named(), hg_free(mem)), "damaged header") << owner;
      // Of a thread that has slabs, whose number may be the one that is named.
      EXPECT_DEATH((named(), live([&] { hg_free(hg_malloc(kSize)), hg_free(mem); })), "damaged header") << owner;
    }
  }
  free_all(blocks);
}

#endif

TEST_F(SlabOwners, ThreadsBeyondTheNumbersHaveChunks) {
  constexpr unsigned kThreads = 140;  // slab_owners.O3
  std::atomic<unsigned> ready{0}, errors{0};
  std::atomic<bool> may_end{false};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      const Blocks blocks = take(120);
      ++ready;
      while (!may_end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (!is_whole(blocks)) ++errors;
      free_all(blocks);
    });
  }
  while (ready != kThreads) std::this_thread::yield();
  may_end = true;
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(errors, 0u);
}

TEST_F(SlabOwners, TheMapGrowsWhileOthersReadIt) {
  std::atomic<bool> ended{false};
  std::atomic<unsigned> errors{0};
  std::thread reader([&] {
    const Blocks blocks = take(kBlocks);
    std::vector<size_t> sizes;  // the first ones are chunks, which may have a little more
    for (unsigned char *const mem : blocks) sizes.push_back(hg_malloc_usable_size(mem));
    while (!ended) {
      for (size_t i = 0; i < kBlocks; ++i) errors += hg_malloc_usable_size(blocks[i]) != sizes[i] ? 1 : 0;
    }
    free_all(blocks);
  });
  live([&] {
    const Blocks blocks = take(50 * kBlocks);
    free_all(blocks);
  });
  ended = true;
  reader.join();
  EXPECT_EQ(errors, 0u);
}

#endif

}  // namespace
}  // namespace slab_owners_tests
