// A5, A6: many blocks from one call.
#include "event_recording.hpp"
#include "heap_fixture.hpp"

#include <algorithm>

namespace heapglass_test {
namespace {

using Growing = GrowingHeap;
using Fixed = FixedHeap;

std::vector<char *> blocks_of(const hg_chain &chain) {
  std::vector<char *> blocks;
  for (void *mem = chain.first; mem != nullptr; mem = hg_chain_next(mem)) blocks.push_back(static_cast<char *>(mem));
  return blocks;
}

// How many of the blocks do not lie right behind the one before: runs.
std::size_t runs_of(const std::vector<char *> &blocks) {
  std::size_t runs = blocks.empty() ? 0 : 1;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    if (blocks[i] != blocks[i - 1] + hg_usable_size(blocks[i - 1]) + kWordBytes) ++runs;
  }
  return runs;
}

class Burst : public GrowingHeap {
 protected:
  void SetUp() override {
    GrowingHeap::SetUp();
    hg_chain_init(&chain);
  }
  hg_chain chain;
};

TEST_F(Burst, GivesCountBlocksEachFreeableOnItsOwn) {
  ASSERT_EQ(hg_heap_burst_nodes(heap, 100, 24, HG_CONTIGUOUS_DEFAULT, &chain), 100u);
  EXPECT_EQ(chain.count, 100u);
  std::vector<char *> blocks = blocks_of(chain);
  ASSERT_EQ(blocks.size(), 100u);
  EXPECT_EQ(chain.last, blocks.back());
  for (char *const mem : blocks) EXPECT_GE(hg_usable_size(mem), 24u);
  for (std::size_t i = 0; i < blocks.size(); i += 2) hg_heap_deallocate(heap, blocks[i]);
  HG_EXPECT_SOUND(heap);
  for (std::size_t i = 1; i < blocks.size(); i += 2) hg_heap_deallocate(heap, blocks[i]);
  EXPECT_EQ(stats_of(heap).chunks_free, 1u);
}

TEST_F(Burst, AllMeansOneRun) {
  ASSERT_EQ(hg_heap_burst_nodes(heap, 5000, 40, HG_CONTIGUOUS_ALL, &chain), 5000u);
  EXPECT_EQ(runs_of(blocks_of(chain)), 1u);
  hg_heap_burst_deallocate(heap, &chain);
  EXPECT_EQ(chain.count, 0u);
  EXPECT_EQ(chain.first, nullptr);
}

TEST_F(Burst, ContiguousLimitsTheRun) {
  // Holes that hold four each, so that runs cannot touch by accident.
  std::vector<void *> holes;
  std::vector<void *> walls;
  for (int i = 0; i < 10; ++i) {
    holes.push_back(hg_heap_allocate(heap, request_of(4 * chunk_bytes(200))));
    walls.push_back(hg_heap_allocate(heap, 10));
  }
  for (void *const hole : holes) hg_heap_deallocate(heap, hole);
  ASSERT_EQ(hg_heap_burst_nodes(heap, 40, 200, 4, &chain), 40u);
  EXPECT_EQ(runs_of(blocks_of(chain)), 10u);
  hg_heap_burst_deallocate(heap, &chain);
  for (void *const wall : walls) hg_heap_deallocate(heap, wall);
}

// Holes of a run and of half a run: only runs of exactly 4096 bytes use up the former and leave the latter.
TEST_F(Burst, ARunHas4096BytesByDefault) {
  constexpr std::size_t kRun = 4096;
  constexpr std::size_t kElement = 128;
  std::vector<void *> walls;
  std::vector<void *> holes;
  for (int i = 0; i < 4; ++i) {
    for (const std::size_t bytes : {kRun, kRun / 2}) {
      holes.push_back(hg_heap_allocate(heap, request_of(bytes)));
      walls.push_back(hg_heap_allocate(heap, 10));
    }
  }
  for (void *const hole : holes) hg_heap_deallocate(heap, hole);
  const std::size_t count = 4 * kRun / kElement;
  ASSERT_EQ(hg_heap_burst_nodes(heap, count, request_of(kElement), HG_CONTIGUOUS_DEFAULT, &chain), count);
  EXPECT_EQ(runs_of(blocks_of(chain)), 4u);
  EXPECT_EQ(stats_of(heap).chunks_free, 5u) << "the four halves, and top";
  hg_heap_burst_deallocate(heap, &chain);
  for (void *const wall : walls) hg_heap_deallocate(heap, wall);
}

TEST_F(Burst, ArraysHaveTheirOwnLengths) {
  const std::size_t lengths[] = {0, 1, 7, 300, 2, 2};
  ASSERT_EQ(hg_heap_burst_arrays(heap, 6, lengths, 12, HG_CONTIGUOUS_ALL, &chain), 6u);
  const std::vector<char *> blocks = blocks_of(chain);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_GE(hg_usable_size(blocks[i]), lengths[i] * 12);
  EXPECT_EQ(runs_of(blocks), 1u);
  hg_heap_burst_deallocate(heap, &chain);
}

TEST_F(Burst, AppendsToTheChainThatIsThere) {
  hg_chain_push_back(&chain, hg_heap_allocate(heap, 50));
  ASSERT_EQ(hg_heap_burst_nodes(heap, 3, 50, 1, &chain), 3u);
  EXPECT_EQ(chain.count, 4u);
  EXPECT_EQ(blocks_of(chain).size(), 4u);
  hg_heap_burst_deallocate(heap, &chain);
}

TEST_F(Burst, NoneIsNoneAndSizeZeroOfObjectsIsRefused) {
  EXPECT_EQ(hg_heap_burst_nodes(heap, 0, 50, 1, &chain), 0u);
  const std::size_t one = 1;
  EXPECT_EQ(hg_heap_burst_arrays(heap, 1, &one, 0, 1, &chain), 0u);
  EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_object_size_zero));
  const std::size_t huge[] = {1, ~std::size_t{0} / 8};
  EXPECT_EQ(hg_heap_burst_arrays(heap, 2, huge, 16, HG_CONTIGUOUS_DEFAULT, &chain), 0u);
  EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_too_large));
  EXPECT_EQ(chain.count, 0u);
}

TEST_F(Burst, FreeingAnUntouchedRunInAnyDirectionLeavesOneFreeChunk) {
  for (const bool reversed : {false, true}) {
    void *const wall = hg_heap_allocate(heap, 10);
    ASSERT_EQ(hg_heap_burst_nodes(heap, 50, 30, HG_CONTIGUOUS_ALL, &chain), 50u);
    if (reversed) {
      hg_chain other;
      hg_chain_init(&other);
      while (void *const mem = hg_chain_pop_front(&chain)) hg_chain_push_front(&other, mem);
      chain = other;
    }
    hg_heap_burst_deallocate(heap, &chain);
    EXPECT_EQ(stats_of(heap).chunks_free, 1u);
    hg_heap_deallocate(heap, wall);
  }
}

#if HG_TRACE
TEST_F(Burst, FreeingAnUntouchedRunCostsOneInsertion) {
  void *const before = hg_heap_allocate(heap, 10);
  ASSERT_EQ(hg_heap_burst_nodes(heap, 50, 300, HG_CONTIGUOUS_ALL, &chain), 50u);
  void *const wall = hg_heap_allocate(heap, 10);
  EventRecording::begin();
  hg_heap_burst_deallocate(heap, &chain);
  const std::vector<hg_event> events = EventRecording::read();
  EventRecording::end();
  const auto insertions = std::count_if(events.begin(), events.end(), [](const hg_event &event) {
    return (event.head & 0xff) == HG_EVENT_bin_inserted;
  });
  EXPECT_EQ(insertions, 1);
  hg_heap_deallocate(heap, before);
  hg_heap_deallocate(heap, wall);
}
#endif

TEST_F(Fixed, AFailedBurstLeavesChainAndHeapContentsAsTheyWere) {
  hg_chain chain;
  hg_chain_init(&chain);
  void *const kept = hg_heap_allocate(heap, 50);
  hg_chain_push_back(&chain, kept);
  const std::size_t in_use = stats_of(heap).in_use;
  for (const std::size_t contiguous : {HG_CONTIGUOUS_ALL, HG_CONTIGUOUS_DEFAULT, std::size_t{1}, std::size_t{7}}) {
    EXPECT_EQ(hg_heap_burst_nodes(heap, 100000, 60, contiguous, &chain), 0u);
    EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_out_of_memory));
    EXPECT_EQ(stats_of(heap).in_use, in_use);
    EXPECT_EQ(chain.count, 1u);
    EXPECT_EQ(chain.first, kept);
    HG_EXPECT_SOUND(heap);
  }
  hg_heap_deallocate(heap, kept);
}

TEST_F(Fixed, SmallerRunsServeWhenNoLargeHoleIsLeft) {
  std::vector<void *> holes;
  std::vector<void *> walls;
  while (void *const mem = hg_heap_allocate(heap, 300)) {
    holes.push_back(mem);
    if (void *const wall = hg_heap_allocate(heap, 8)) walls.push_back(wall);
  }
  for (void *const mem : holes) hg_heap_deallocate(heap, mem);
  hg_chain chain;
  hg_chain_init(&chain);
  EXPECT_EQ(hg_heap_burst_nodes(heap, 40, 60, HG_CONTIGUOUS_ALL, &chain), 0u);
  EXPECT_EQ(hg_heap_burst_nodes(heap, 40, 60, HG_CONTIGUOUS_DEFAULT, &chain), 40u);
  hg_heap_burst_deallocate(heap, &chain);
  for (void *const mem : walls) hg_heap_deallocate(heap, mem);
}

TEST_F(Growing, A6_independent_calloc_gives_zeroed_neighbours_each_freeable) {
  void *mine[20];
  for (void **const given : {mine, static_cast<void **>(nullptr)}) {
    void **const blocks = hg_heap_independent_calloc(heap, 20, 33, given);
    ASSERT_NE(blocks, nullptr);
    if (given != nullptr) { EXPECT_EQ(blocks, given); }
    for (int i = 0; i < 20; ++i) {
      for (int byte = 0; byte < 33; ++byte) ASSERT_EQ(static_cast<char *>(blocks[i])[byte], 0);
      if (i != 0) { EXPECT_EQ(static_cast<char *>(blocks[i]), static_cast<char *>(blocks[i - 1]) + chunk_bytes(33)); }
      std::memset(blocks[i], 0xff, 33);
    }
    for (int i = 0; i < 20; ++i) hg_heap_deallocate(heap, blocks[(i * 7) % 20]);
    if (given == nullptr) hg_heap_deallocate(heap, blocks);
  }
}

TEST_F(Fixed, A6_independent_blocks_that_do_not_fit_leave_no_array_and_say_why) {
  const std::size_t sizes[] = {1, 20'000, 20'000};
  void *mine[3] = {};
  for (void **const given : {mine, static_cast<void **>(nullptr)}) {
    EXPECT_EQ(hg_heap_independent_comalloc(heap, 3, sizes, given), nullptr);
    EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_out_of_memory));
    EXPECT_EQ(stats_of(heap).chunks_in_use, 0u);
    EXPECT_EQ(hg_heap_independent_calloc(heap, 300, 300, given), nullptr);
    EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_out_of_memory));
    EXPECT_EQ(hg_heap_independent_calloc(heap, ~std::size_t{0} / 2, 1, given), nullptr);
    EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_too_large));
    EXPECT_EQ(stats_of(heap).chunks_in_use, 0u);
    HG_EXPECT_SOUND(heap);
  }
}

TEST_F(Growing, A6_independent_comalloc_gives_a_size_each) {
  const std::size_t sizes[] = {1, 500, 24};
  void **const blocks = hg_heap_independent_comalloc(heap, 3, sizes, nullptr);
  ASSERT_NE(blocks, nullptr);
  for (int i = 0; i < 3; ++i) EXPECT_GE(hg_usable_size(blocks[i]), sizes[i]);
  for (int i = 0; i < 3; ++i) hg_heap_deallocate(heap, blocks[i]);
  hg_heap_deallocate(heap, blocks);
}

}  // namespace
}  // namespace heapglass_test
