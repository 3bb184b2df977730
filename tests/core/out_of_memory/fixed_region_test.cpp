// Heaps on a fixed region: filled to the last byte, refused, freed, filled again. And sizes no memory can hold.
#include <gtest/gtest.h>
#include <heapglass/event.h>

#include <cstdlib>
#include <cstring>

#include "steps.hpp"

namespace out_of_memory_tests {
namespace {

class Region {
 public:
  explicit Region(size_t bytes) : base_(aligned_alloc(4096, (bytes + 4095) / 4096 * 4096)),
      heap_(hg_heap_create_fixed(base_, bytes)) {}
  ~Region() {
    if (heap_ != nullptr) hg_heap_destroy(heap_);
    free(base_);
  }
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;
  hg_heap *heap() const { return heap_; }
  char *base() const { return static_cast<char *>(base_); }

 private:
  void *base_;
  hg_heap *heap_;
};

hg_heap_stats stats_of(const hg_heap *heap) {
  hg_heap_stats stats;
  hg_heap_get_stats(heap, &stats);
  return stats;
}

std::vector<void *> fill(hg_heap *heap, size_t size) {
  std::vector<void *> blocks;
  while (void *mem = hg_heap_allocate(heap, size)) {
    memset(mem, 0x5a, hg_usable_size(mem));
    blocks.push_back(mem);
  }
  return blocks;
}

TEST(A1_fixed_region, filled_with_any_size_uses_all_but_less_than_one_block_and_recovers_whole) {
  for (const size_t size : {1u, 24u, 25u, 100u, 1000u, 5000u}) {
    Region region(65536);
    const size_t empty = stats_of(region.heap()).free_bytes;
    for (int round = 0; round < 3; ++round) {
      const std::vector<void *> blocks = fill(region.heap(), size);
      EXPECT_EQ(hg_heap_status(region.heap()), static_cast<uint32_t>(HG_STATUS_out_of_memory));
      EXPECT_EQ(hg_heap_check(region.heap()), nullptr);
      EXPECT_LT(stats_of(region.heap()).free_bytes, size + 4 * sizeof(size_t));
      EXPECT_GE(blocks.size(), empty / (size + 4 * sizeof(size_t)));
      for (size_t i = 0; i < blocks.size(); i += 2) hg_heap_deallocate(region.heap(), blocks[i]);
      EXPECT_EQ(hg_heap_check(region.heap()), nullptr);
      for (size_t i = 1; i < blocks.size(); i += 2) hg_heap_deallocate(region.heap(), blocks[i]);
      EXPECT_EQ(stats_of(region.heap()).free_bytes, empty);
      EXPECT_EQ(stats_of(region.heap()).chunks_free, 1u);
    }
  }
}

TEST(A1_fixed_region, never_grows_and_never_writes_outside) {
  for (const size_t skew : {0u, 1u, 3u, 8u, 15u, 16u}) {
    std::vector<char> memory(3 * 8192, 0x33);
    hg_heap *heap = hg_heap_create_fixed(memory.data() + 8192 + skew, 8000);
    ASSERT_NE(heap, nullptr);
    for (const size_t size : {3000u, 100u, 10u}) fill(heap, size);
    EXPECT_EQ(stats_of(heap).footprint, stats_of(heap).peak_footprint);
    EXPECT_LE(stats_of(heap).footprint, 8000u);
    hg_heap_destroy(heap);
    for (size_t i = 0; i < 8192 + skew; ++i) ASSERT_EQ(memory[i], 0x33) << "before the region " << i;
    for (size_t i = 8192 + skew + 8000; i < memory.size(); ++i) ASSERT_EQ(memory[i], 0x33) << "behind the region " << i;
  }
}

TEST(A1_fixed_region, of_less_than_4_KiB_is_refused) {
  alignas(16) static char memory[8192];
  EXPECT_EQ(hg_heap_create_fixed(memory, 0), nullptr);
  EXPECT_EQ(hg_heap_create_fixed(memory, 4095), nullptr);
  EXPECT_EQ(hg_heap_create_fixed(nullptr, 65536), nullptr);
}

TEST(A1_fixed_region, every_taking_function_is_refused_when_full_and_works_again_when_a_block_is_freed) {
  for (const size_t bytes : {20000u, 60000u, 300000u}) {
    Region region(bytes);
    Life life(region.heap());
    size_t refusals = 0;
    for (size_t round = 0; round < 12; ++round) {
      for (size_t step = 0; step < Life::kSteps; ++step) {
        refusals += !life.perform(step, round);
        ASSERT_EQ(life.proof(), "") << Life::name_of(step) << " in a region of " << bytes << ", round " << round;
      }
      if (round % 3 == 2) {
        const size_t freed = life.free_largest();
        void *again = hg_heap_allocate(region.heap(), freed);
        EXPECT_NE(again, nullptr);
        hg_heap_deallocate(region.heap(), again);
      }
    }
    EXPECT_GT(refusals, 5u);
    EXPECT_EQ(life.end(), "");
  }
}

TEST(A5_burst, refused_in_a_full_region_leaves_chain_and_heap_as_they_were) {
  for (const size_t contiguous : {HG_CONTIGUOUS_ALL, HG_CONTIGUOUS_DEFAULT, static_cast<size_t>(3)}) {
    Region region(40000);
    hg_chain chain;
    hg_chain_init(&chain);
    ASSERT_EQ(hg_heap_burst_nodes(region.heap(), 5, 40, contiguous, &chain), 5u);
    const hg_heap_stats before = stats_of(region.heap());
    EXPECT_EQ(hg_heap_burst_nodes(region.heap(), 5000, 40, contiguous, &chain), 0u);
    EXPECT_EQ(hg_heap_status(region.heap()), static_cast<uint32_t>(HG_STATUS_out_of_memory));
    const std::vector<size_t> lengths(5000, 10);
    EXPECT_EQ(hg_heap_burst_arrays(region.heap(), lengths.size(), lengths.data(), 8, contiguous, &chain), 0u);
    EXPECT_EQ(hg_heap_status(region.heap()), static_cast<uint32_t>(HG_STATUS_out_of_memory));
    EXPECT_EQ(chain.count, 5u);
    EXPECT_EQ(hg_heap_check(region.heap()), nullptr);
    EXPECT_EQ(stats_of(region.heap()).in_use, before.in_use);
    EXPECT_EQ(stats_of(region.heap()).largest_free, before.largest_free);
    hg_heap_burst_deallocate(region.heap(), &chain);
    EXPECT_EQ(stats_of(region.heap()).chunks_free, 1u);
  }
}

TEST(A11_pool_burst, refused_in_a_full_region_leaves_the_pool_as_it_was) {
  for (const uint32_t shape : {HG_SHAPE_segregated, HG_SHAPE_adaptive, HG_SHAPE_aligned_only}) {
    Region region(100000);
    const hg_pool_options options{shape, 32, 64, 0xffff, 5};
    hg_pool *pool = hg_pool_create(region.heap(), &options);
    ASSERT_NE(pool, nullptr);
    hg_chain chain;
    hg_chain_init(&chain);
    ASSERT_EQ(hg_pool_burst(pool, 70, &chain), 70u);
    EXPECT_EQ(hg_pool_burst(pool, 100000, &chain), 0u);
    EXPECT_EQ(hg_pool_status(pool), static_cast<uint32_t>(HG_STATUS_out_of_memory));
    EXPECT_EQ(chain.count, 70u);
    hg_pool_stats stats;
    hg_pool_get_stats(pool, &stats);
    EXPECT_EQ(stats.nodes_in_use, 70u);
    EXPECT_EQ(hg_heap_check(region.heap()), nullptr);
    EXPECT_NE(hg_pool_allocate(pool), nullptr);
    hg_pool_destroy(pool);
    EXPECT_EQ(stats_of(region.heap()).chunks_in_use, 0u);
  }
}

TEST(A1_overflow, sizes_beyond_the_address_space_are_refused_as_too_large_by_every_function) {
  constexpr size_t kMost = ~static_cast<size_t>(0);
  constexpr uint32_t kTooLarge = HG_STATUS_too_large;
  Region region(60000);
  hg_heap *heap = region.heap();
  void *mem = hg_heap_allocate(heap, 100);
  const uint32_t before = hg_walk_hash(heap, nullptr);
  hg_chain chain;
  hg_chain_init(&chain);
  for (size_t less = 0; less < 70; ++less) {
    EXPECT_EQ(hg_heap_allocate(heap, kMost - less), nullptr);
    EXPECT_EQ(hg_heap_status(heap), kTooLarge);
    EXPECT_EQ(hg_heap_reallocate(heap, mem, kMost - less), nullptr);
    EXPECT_EQ(hg_heap_status(heap), kTooLarge);
    EXPECT_EQ(hg_heap_reallocate_in_place(heap, mem, kMost - less), nullptr);
    EXPECT_EQ(hg_heap_status(heap), kTooLarge);
    EXPECT_EQ(hg_heap_allocate_aligned(heap, 32, kMost - less), nullptr);
    EXPECT_EQ(hg_heap_status(heap), kTooLarge);
    EXPECT_EQ(hg_heap_burst_nodes(heap, 2, kMost - less, 0, &chain), 0u);
    EXPECT_EQ(hg_heap_status(heap), kTooLarge);
  }
  EXPECT_EQ(hg_heap_allocate_zeroed(heap, kMost / 2, 3), nullptr);
  EXPECT_EQ(hg_heap_status(heap), kTooLarge);
  EXPECT_EQ(hg_heap_allocate_zeroed(heap, kMost, kMost), nullptr);
  EXPECT_EQ(hg_heap_status(heap), kTooLarge);
  EXPECT_EQ(hg_heap_allocate_aligned(heap, kMost / 2 + 1, 100), nullptr);
  EXPECT_EQ(hg_heap_allocate_aligned(heap, 0, 100), nullptr);
  EXPECT_EQ(hg_heap_status(heap), static_cast<uint32_t>(HG_STATUS_bad_alignment));
  EXPECT_EQ(hg_heap_burst_nodes(heap, kMost / 2, 64, HG_CONTIGUOUS_ALL, &chain), 0u);
  EXPECT_NE(hg_heap_status(heap), static_cast<uint32_t>(HG_STATUS_ok));
  const size_t lengths[] = {1, kMost / 4, 1};
  EXPECT_EQ(hg_heap_burst_arrays(heap, 3, lengths, 8, HG_CONTIGUOUS_ALL, &chain), 0u);
  EXPECT_EQ(hg_heap_status(heap), kTooLarge);
  EXPECT_EQ(hg_heap_independent_calloc(heap, kMost / 2, 8, nullptr), nullptr);
  EXPECT_NE(hg_heap_status(heap), static_cast<uint32_t>(HG_STATUS_ok));
  EXPECT_EQ(chain.count, 0u);
  EXPECT_EQ(hg_walk_hash(heap, nullptr), before);
  EXPECT_EQ(hg_heap_check(heap), nullptr);
  hg_heap_deallocate(heap, mem);
}

}  // namespace
}  // namespace out_of_memory_tests
