// Caches of several threads and the central lists between them, played in turn in the traced builds: one story that the
// same operations always tell.
//
// A program of its own: once threads are played, caches are bounded.
#include "malloc/central.hpp"
#include "malloc/thread_cache.hpp"
#include "malloc_event_model.hpp"
#include "malloc_rig.hpp"

#if HG_TRACE

#include <algorithm>
#include <memory>

namespace heapglass_test {
namespace {

constexpr std::uint32_t kPlayed = 5;

class MallocPlayed : public ::testing::Test {
 protected:
  void SetUp() override {
    hg_malloc_flush();
    hg_heap_destroy(hg_default_heap());
    EventRecording::begin();
    model = std::make_unique<MallocEventModel>(hg_heap_id(hg_default_heap()));
  }
  void TearDown() override {
    flush_all();
    follow();
    EXPECT_TRUE(model->cached().empty());
    EventRecording::end();
    HG_EXPECT_SOUND(nullptr);
    const hg_heap_stats stats = stats_of(nullptr);
    EXPECT_EQ(stats.chunks_in_use, 0u);
    EXPECT_EQ(stats.chunks_free, stats.segments);
  }
  void flush_all() {
    for (std::uint32_t thread = kPlayed; thread >= 1; --thread) {
      hg_malloc_play_thread(thread);
      hg_malloc_flush();
    }
  }
  void follow() {
    ASSERT_EQ(model->apply_all(EventRecording::read()), "");
    ASSERT_EQ(difference(walk_of_heap(nullptr), model->walk()), "");
  }
  std::size_t cached_by(std::uint32_t holder) const {
    std::size_t bytes = 0;
    for (const auto &[at, chunk] : model->cached()) bytes += chunk.holder == holder ? chunk.size : 0;
    return bytes;
  }
  std::unique_ptr<MallocEventModel> model;
};

TEST_F(MallocPlayed, AThreadCachesWhatItFreesWhoeverTookIt) {
  hg_malloc_play_thread(1);
  void *const mem = hg_malloc(100);
  const std::size_t chunk = hg_malloc_usable_size(mem) + kWordBytes;
  hg_malloc_play_thread(2);
  hg_free(mem);
  follow();
  EXPECT_EQ(cached_by(2), chunk);
  hg_malloc_play_thread(1);
  void *const other = hg_malloc(100);
  EXPECT_NE(other, mem) << "the other thread caches it";
  hg_malloc_play_thread(2);
  EXPECT_EQ(hg_malloc(100), mem);
  hg_free(mem);
  hg_free(other);
}

// malloc.T4. The thread's own list of a class above comes before the central list of the class itself, and that before its neighbours.
TEST_F(MallocPlayed, AThreadLooksInItsOwnListsBeforeTheCentralOnes) {
  const unsigned of_request = heapglass::class_for_request(1000);
  const std::size_t near = heapglass::units_of_class(of_request + 2) * kAlignBytes - kWordBytes;
  const std::size_t far = heapglass::units_of_class(of_request + 5) * kAlignBytes - kWordBytes;
  hg_malloc_play_thread(1);
  unsigned char *const central = take(1000), *const central_near = take(near);
  hg_malloc_play_thread(2);
  unsigned char *const own = take(near), *const too_large = take(far);
  std::vector<void *> fill;
  for (int i = 0; i < 3000; ++i) fill.push_back(hg_malloc(100));
  hg_malloc_play_thread(1);
  hg_free(central);
  hg_free(central_near);
  for (void *const mem : fill) hg_free(mem);  // more than a cache may hold: both blocks are in central lists
  follow();
  ASSERT_GT(cached_by(0), 0u);
  hg_malloc_play_thread(2);
  hg_free(too_large);
  hg_free(own);
  EXPECT_EQ(take(1000), own) << "its own list of a class above";
  EXPECT_EQ(take(1000), central) << "the central list of the class";
  EXPECT_EQ(take(1000), central_near) << "that of a class above";
  for (void *const mem : {own, central, central_near}) hg_free(mem);
}

TEST_F(MallocPlayed, AFullCacheHandsEverythingToTheCentralListsWhereOthersFindIt) {
  hg_malloc_play_thread(1);
  std::vector<void *> blocks;
  for (int i = 0; i < 4000; ++i) blocks.push_back(hg_malloc(100));
  hg_malloc_play_thread(2);
  for (void *const block : blocks) hg_free(block);
  follow();
  EXPECT_GT(cached_by(0), 100'000u) << "the central list of the size";
  EXPECT_LE(cached_by(2), static_cast<std::size_t>(heapglass::central::kCacheBytes));
  const std::size_t footprint = stats_of(nullptr).footprint;
  hg_malloc_play_thread(1);
  for (void *&block : blocks) block = hg_malloc(100);
  follow();
  EXPECT_GT(model->count(HG_EVENT_cached_moved), 1000u);
  EXPECT_LE(stats_of(nullptr).footprint, footprint + static_cast<std::size_t>(heapglass::central::kCacheBytes) + 2 * 65536);
  for (void *const block : blocks) hg_free(block);
}

TEST_F(MallocPlayed, TheCentralListOfTheSmallestSizeServesToo) {
  hg_malloc_play_thread(1);
  std::vector<void *> blocks;
  for (int i = 0; i < 12'000; ++i) blocks.push_back(hg_malloc(1));
  hg_malloc_play_thread(2);
  for (void *const block : blocks) hg_free(block);
  follow();
  const std::size_t central = cached_by(0);
  ASSERT_GT(central, 100'000u);
  const std::size_t given_back = model->count(HG_EVENT_cached_ended), carved = model->count(HG_EVENT_chunk_taken);
  hg_malloc_play_thread(1);
  blocks.resize(central / 2 / heapglass::kMinChunk);
  for (void *&block : blocks) block = hg_malloc(1);
  follow();
  EXPECT_LE(cached_by(0), central / 2);
  EXPECT_EQ(model->count(HG_EVENT_cached_ended), given_back);
  EXPECT_EQ(model->count(HG_EVENT_chunk_taken), carved);
  for (void *const block : blocks) hg_free(block);
}

TEST_F(MallocPlayed, NoCacheEverHoldsMoreThanItsBound) {
  Random random{6};
  std::vector<void *> blocks;
  for (int i = 0; i < 6000; ++i) {
    hg_malloc_play_thread(1 + random.below(kPlayed));
    if (random.below(2) == 0 || blocks.empty()) {
      blocks.push_back(hg_malloc(random.below(random.below(10) == 0 ? 60000 : 3000)));
    } else {
      std::swap(blocks[random.below(static_cast<std::uint32_t>(blocks.size()))], blocks.back());
      hg_free(blocks.back());
      blocks.pop_back();
    }
    if (i % 20 != 0) continue;
    follow();
    for (std::uint32_t thread = 1; thread <= kPlayed; ++thread) {
      ASSERT_LE(cached_by(thread), static_cast<std::size_t>(heapglass::central::kCacheBytes) + heapglass::kListedBytes + heapglass::central::kBatchBytes) << "and one batch fetched";
    }
    hg_malloc_stats stats;
    hg_malloc_get_stats(&stats);
    std::size_t cached = 0;
    for (const auto &[at, chunk] : model->cached()) cached += chunk.size;
    ASSERT_EQ(stats.cached, cached);
  }
  for (void *const block : blocks) hg_free(block);
}

// A chunk may be larger than its request asked for, when what is left is too small for a chunk. The cache counts chunks (malloc.T2).
TEST_F(MallocPlayed, ALargeChunkThatServesASmallerRequestIsCountedWhole) {
  hg_malloc_play_thread(1);
  constexpr std::size_t kLarge = 40'000;
  unsigned char *mem = take(kLarge + heapglass::kAlign);
  void *const wall = hg_malloc(100);
  const std::size_t usable = hg_malloc_usable_size(mem);
  for (int round = 0; round < 3; ++round) {
    hg_free(mem);
    EXPECT_EQ(malloc_stats().cached, usable + kWordBytes) << round;
    ASSERT_EQ(take(kLarge), mem) << "it served";
    ASSERT_EQ(hg_malloc_usable_size(mem), usable) << "nothing was cut off";
    EXPECT_EQ(malloc_stats().cached, 0u) << round;
  }
  hg_free(mem);
  hg_free(wall);
}

// The heap grew to more than kThreadShare caches. A thread that begins then, and one that hands its cache over, have its share.
TEST_F(MallocPlayed, TheBudgetOfACacheIsAShareOfALargeHeap) {
  constexpr std::size_t kShareBytes = 2 * heapglass::central::kCacheBytes;
  hg_malloc_play_thread(1);
  std::vector<void *> early, late;
  while (early.size() * 1100 < kShareBytes) early.push_back(hg_malloc(1000));
  while (late.size() * 500 < kShareBytes) late.push_back(hg_malloc(1000));
  void *const large = hg_malloc(heapglass::central::kThreadShare * kShareBytes);
  void *const more = hg_malloc(heapglass::central::kThreadShare * kShareBytes / 4);  // grows memory while the heap has the large one
  constexpr std::uint32_t kNew = kPlayed + 1;  // no other test plays it
  hg_malloc_play_thread(kNew);
  std::size_t freed = 0;
  for (void *const block : early) {
    freed += hg_malloc_usable_size(block) + kWordBytes;
    hg_free(block);
  }
  follow();
  ASSERT_GT(freed, kShareBytes * 9 / 10);
  EXPECT_EQ(cached_by(kNew), freed) << "a new thread's cache takes all of it";
  hg_malloc_flush();
  hg_malloc_play_thread(1);
  std::size_t most = 0;
  for (std::size_t i = 0; i < late.size(); ++i) {
    hg_free(late[i]);
    if (i % 8 != 0) continue;
    follow();
    most = std::max(most, cached_by(1));
  }
  EXPECT_GT(most, kShareBytes - 10'000) << "after it handed over what it had";
  EXPECT_LE(most, stats_of(nullptr).footprint / heapglass::central::kThreadShare);
  hg_free(large);
  hg_free(more);
}

TEST_F(MallocPlayed, BeforeMemoryGrowsTheCentralListsServeToo) {
  hg_malloc_play_thread(1);
  std::vector<void *> blocks;
  for (int i = 0; i < 20000; ++i) blocks.push_back(hg_malloc(48));
  for (void *const block : blocks) hg_free(block);
  const std::size_t footprint = stats_of(nullptr).footprint;
  hg_malloc_play_thread(2);
  void *const large = hg_malloc(600'000);
  EXPECT_LE(stats_of(nullptr).footprint, footprint + static_cast<std::size_t>(heapglass::central::kCacheBytes));
  follow();
  hg_free(large);
}

// malloc.T5
TEST_F(MallocPlayed, AThreadKeepsItsCacheWhileMemoryGrowsAndNothingWasCarvedSinceTheLastFlush) {
  hg_malloc_play_thread(1);
  std::vector<void *> blocks;
  for (int i = 0; i < 2000; ++i) blocks.push_back(hg_malloc(300));
  hg_free(blocks.back());
  blocks.pop_back();
  EXPECT_GT(hg_malloc_flush(), 0u);
  hg_free(blocks.back());
  blocks.pop_back();
  const std::size_t cached = malloc_stats().cached;
  const std::size_t footprint = stats_of(nullptr).footprint;
  void *const large = hg_heap_allocate(nullptr, 8 << 20);
  EXPECT_GT(stats_of(nullptr).footprint, footprint);
  EXPECT_EQ(malloc_stats().cached, cached);
  EXPECT_GT(cached, 0u);
  hg_heap_deallocate(nullptr, large);
  for (void *const block : blocks) hg_free(block);
}

// Top is so large that memory need not grow: no flush.
TEST_F(MallocPlayed, WhatLiesOnTheCentralListsGoesBackWhenTwoSharesWereCarved) {
  constexpr std::size_t kRoom = 4 << 20, kShareBytes = heapglass::kLeastShare;
  hg_malloc_play_thread(1);
  hg_free(hg_malloc(kRoom));
  std::vector<void *> blocks;
  for (int i = 0; i < 4000; ++i) blocks.push_back(hg_malloc(100));
  follow();
  for (void *const block : blocks) hg_free(block);
  blocks.clear();
  follow();
  const std::size_t handed_over = cached_by(heapglass::kCentral);
  ASSERT_GT(handed_over, kShareBytes);
  const auto carve = [&](std::size_t bytes) {
    for (std::size_t carved = 0; carved < bytes; carved += 3000) blocks.push_back(hg_malloc(3000));
    follow();
  };
  carve(kShareBytes);  // what was carved before counts, too: at least one aging, at most two
  carve(kShareBytes - 20'000);
  carve(kShareBytes);
  EXPECT_EQ(cached_by(heapglass::kCentral), 0u);
  EXPECT_GT(cached_by(1), 0u) << "a thread's own chunks stay";
  hg_malloc_play_thread(2);
  for (void *const block : blocks) hg_free(block);
}

TEST_F(MallocPlayed, WhatThreadsHandOverOnceServesThemUntilThen) {
  hg_malloc_play_thread(1);
  hg_free(hg_malloc(4 << 20));
  std::vector<void *> blocks;
  for (int i = 0; i < 4000; ++i) blocks.push_back(hg_malloc(100));
  for (void *const block : blocks) hg_free(block);
  blocks.clear();
  for (std::size_t carved = 0; carved < heapglass::kLeastShare; carved += 3000) blocks.push_back(hg_malloc(3000));
  follow();
  ASSERT_GT(cached_by(heapglass::kCentral), 0u) << "it is old now";
  hg_malloc_play_thread(2);
  void *const mem = hg_malloc(100);
  follow();
  EXPECT_GT(cached_by(2), 0u) << "the rest of a batch";
  hg_free(mem);
  for (void *const block : blocks) hg_free(block);
}

TEST_F(MallocPlayed, ThreadsInTurnsKeepTheContentsOfEveryBlock) {
  struct Block { unsigned char *mem; std::size_t size; unsigned mark; };
  std::vector<Block> blocks;
  Random random{9};
  for (unsigned i = 0; i < 20000; ++i) {
    if (i % 7 == 0) hg_malloc_play_thread(1 + random.below(kPlayed));
    const std::size_t size = random.below(random.below(30) == 0 ? 40000 : 600);
    const std::uint32_t what = random.below(5);
    if ((what < 2 && blocks.size() < 500) || blocks.empty()) {
      blocks.push_back({take(size), size, i});
    } else {
      Block &block = blocks[random.below(static_cast<std::uint32_t>(blocks.size()))];
      ASSERT_TRUE(has(block.mem, block.size, block.mark)) << i;
      if (what == 2) {
        block.mem = static_cast<unsigned char *>(hg_realloc(block.mem, size + 1));
        ASSERT_TRUE(has(block.mem, std::min(size, block.size), block.mark));
        block.size = size;
        block.mark = i;
      } else {
        hg_free(block.mem);
        block = blocks.back();
        blocks.pop_back();
        continue;
      }
      fill(block.mem, size, i);
      continue;
    }
    fill(blocks.back().mem, size, i);
    if (i % 500 == 0) follow();
  }
  for (const Block &block : blocks) {
    ASSERT_TRUE(has(block.mem, block.size, block.mark));
    hg_free(block.mem);
  }
}

}  // namespace
}  // namespace heapglass_test

#endif
