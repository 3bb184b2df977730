// What hg_malloc_get_stats counts adds up, and a cached chunk is not in use.
#include "malloc_rig.hpp"

namespace heapglass_test {
namespace {

using MallocStats = MallocRig;

TEST_F(MallocStats, AnEmptyHeapHasNothingInUseAndNothingCached) {
  const hg_malloc_stats stats = malloc_stats();
  EXPECT_EQ(stats.in_use, 0u);
  EXPECT_EQ(stats.cached, 0u);
  EXPECT_EQ(stats.footprint, stats_of(nullptr).footprint);
  EXPECT_EQ(stats.free_bytes, stats_of(nullptr).free_bytes);
}

TEST_F(MallocStats, AFreedBlockMovesFromInUseToCachedAndByAFlushToFree) {
  hg_free(hg_malloc(4 << 20));  // room
  void *const a = hg_malloc(300);
  void *const b = hg_malloc(1000);
  const std::size_t of_a = hg_malloc_usable_size(a) + kWordBytes;
  const std::size_t of_b = hg_malloc_usable_size(b) + kWordBytes;
  hg_malloc_stats stats = malloc_stats();
  EXPECT_EQ(stats.in_use, of_a + of_b);
  EXPECT_EQ(stats.cached, 0u);
  hg_free(a);
  stats = malloc_stats();
  EXPECT_EQ(stats.in_use, of_b);
  EXPECT_EQ(stats.cached, of_a);
  const std::size_t free_before = stats.free_bytes;
  hg_malloc_flush();
  stats = malloc_stats();
  EXPECT_EQ(stats.cached, 0u);
  EXPECT_EQ(stats.free_bytes, free_before + of_a);
  EXPECT_EQ(stats.returnable, hg_heap_returnable(nullptr, 4096));
  EXPECT_GT(stats.returnable, std::size_t{3} << 20);
  hg_free(b);
}

TEST_F(MallocStats, InUseCachedAndFreeAreAllOfTheFootprintButTheSegmentsOwnWords) {
  Random random{4};
  std::vector<void *> blocks;
  const hg_malloc_stats empty = malloc_stats();
  const std::size_t own = empty.footprint - empty.free_bytes;
  for (int i = 0; i < 3000; ++i) {
    if (random.below(3) != 0 || blocks.empty()) {
      blocks.push_back(hg_malloc(random.below(3000)));
    } else {
      hg_free(blocks.back());
      blocks.pop_back();
    }
    if (i % 50 != 0) continue;
    const hg_malloc_stats stats = malloc_stats();
    std::size_t bytes = 0;
    for (void *const block : blocks) {
      const std::size_t usable = hg_malloc_usable_size(block);
      bytes += usable + (usable % kAlignBytes != 0 ? kWordBytes : 0);  // a block of a slab has no header
    }
    ASSERT_EQ(stats.in_use, bytes);
    ASSERT_EQ(stats.in_use + stats.cached + stats.free_bytes + own, stats.footprint) << "in one segment";
    ASSERT_GE(stats.peak_footprint, stats.footprint);
  }
  for (void *const block : blocks) hg_free(block);
}

TEST_F(MallocStats, CountsEveryFlushThatFoundACachedChunk) {
  const std::size_t before = malloc_stats().flushes;
  hg_malloc_flush();
  EXPECT_EQ(malloc_stats().flushes, before) << "nothing was cached";
  hg_free(hg_malloc(48));
  hg_malloc_flush();
  EXPECT_EQ(malloc_stats().flushes, before + 1) << "asked for";
  std::vector<void *> blocks;
  for (int i = 0; i < 30000; ++i) blocks.push_back(hg_malloc(48));
  for (void *const block : blocks) hg_free(block);
  const std::size_t filled = malloc_stats().flushes;
  void *const large = hg_malloc(5 << 20);
  EXPECT_EQ(malloc_stats().flushes, filled + 1) << "by the cache, before memory grew";
  hg_free(large);
}

}  // namespace
}  // namespace heapglass_test
