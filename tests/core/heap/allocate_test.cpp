// A1: which chunk serves a request, and what freeing joins.
#include "heap_fixture.hpp"

namespace heapglass_test {
namespace {

using Growing = GrowingHeap;
using Fixed = FixedHeap;

TEST_F(Growing, EverySizeFromZeroUpIsAlignedUsableAndFreeable) {
  std::vector<void *> blocks;
  for (std::size_t size = 0; size < 3000; size += 7) {
    void *const mem = hg_heap_allocate(heap, size);
    ASSERT_NE(mem, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mem) % kAlignBytes, 0u);
    EXPECT_EQ(hg_usable_size(mem), chunk_bytes(size) - hg_chunk_overhead());
    std::memset(mem, 1, hg_usable_size(mem));
    blocks.push_back(mem);
  }
  for (void *const mem : blocks) hg_heap_deallocate(heap, mem);
  EXPECT_EQ(stats_of(heap).chunks_free, 1u);
}

TEST_F(Growing, AnInUseChunkCostsOneWordAndAtLeastFour) {
  EXPECT_EQ(hg_chunk_overhead(), kWordBytes);
  void *const least = hg_heap_allocate(heap, 0);
  EXPECT_EQ(hg_usable_size(least), 3 * kWordBytes);
  hg_heap_deallocate(heap, least);
}

TEST_F(Growing, FreeingNothingIsNothing) {
  hg_heap_deallocate(heap, nullptr);
  EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_ok));
}

TEST_F(Growing, WhatJoinsTheVictimIsTheVictim) {
  for (const bool before : {true, false}) {
    std::vector<void *> blocks;
    for (const std::size_t size : {100u, 800u, 100u, 100u, 200u, 100u}) blocks.push_back(hg_heap_allocate(heap, size));
    hg_heap_deallocate(heap, blocks[1]);
    char *const front = static_cast<char *>(hg_heap_allocate(heap, 40));  // the rest of the hole is the victim
    hg_heap_deallocate(heap, blocks[4]);  // a smaller hole, which would fit the next request better
    hg_heap_deallocate(heap, before ? front : blocks[2]);
    void *const next = hg_heap_allocate(heap, 40);
    EXPECT_EQ(next, before ? front : front + chunk_bytes(40)) << "from the victim, not from the hole that fits better";
    hg_heap_deallocate(heap, next);
    if (!before) hg_heap_deallocate(heap, front);
    if (before) hg_heap_deallocate(heap, blocks[2]);
    for (const std::size_t at : {0u, 3u, 5u}) hg_heap_deallocate(heap, blocks[at]);
  }
}

// allocate.A4
TEST_F(Growing, TheRestOfALargeRequestIsNotTheVictim) {
  std::vector<void *> blocks;
  for (const std::size_t size : {100u, 20'000u, 100u, 200u, 100u}) blocks.push_back(hg_heap_allocate(heap, size));
  hg_heap_deallocate(heap, blocks[1]);
  hg_heap_deallocate(heap, blocks[3]);
  ASSERT_EQ(hg_heap_allocate(heap, 15'000), blocks[1]);
  EXPECT_EQ(hg_heap_allocate(heap, 40), blocks[3]) << "from the hole that fits better, not from the rest";
  for (void *const block : blocks) hg_heap_deallocate(heap, block);
}

TEST_F(Growing, AnExactBinComesBeforeTheVictimAndTop) {
  void *const a = hg_heap_allocate(heap, 100);
  void *const wall = hg_heap_allocate(heap, 100);
  hg_heap_deallocate(heap, a);
  EXPECT_EQ(hg_heap_allocate(heap, 100), a);
  hg_heap_deallocate(heap, a);
  hg_heap_deallocate(heap, wall);
}

TEST_F(Growing, ConsecutiveSmallRequestsAreCutFromTheVictimSideBySide) {
  void *const hole = hg_heap_allocate(heap, 1000);
  void *const wall = hg_heap_allocate(heap, 10);
  hg_heap_deallocate(heap, hole);
  char *before = static_cast<char *>(hg_heap_allocate(heap, 40));
  EXPECT_EQ(before, hole) << "the larger bin is cut, its rest is the victim";
  std::vector<void *> blocks{before};
  for (int i = 0; i < 5; ++i) {
    char *const next = static_cast<char *>(hg_heap_allocate(heap, 40));
    EXPECT_EQ(next, before + chunk_bytes(40));
    blocks.push_back(before = next);
  }
  for (void *const mem : blocks) hg_heap_deallocate(heap, mem);
  hg_heap_deallocate(heap, wall);
}

TEST_F(Growing, ALargeRequestTakesTheBestOfItsOwnBin) {
  const std::size_t large = 64 * 1024;
  void *const roomy = hg_heap_allocate(heap, large + 512);
  void *const wall_1 = hg_heap_allocate(heap, 10);
  void *const snug = hg_heap_allocate(heap, large + 64);
  void *const wall_2 = hg_heap_allocate(heap, 10);
  hg_heap_deallocate(heap, snug);
  hg_heap_deallocate(heap, roomy);
  EXPECT_EQ(hg_heap_allocate(heap, large + 32), snug);
  hg_heap_deallocate(heap, snug);
  hg_heap_deallocate(heap, wall_1);
  hg_heap_deallocate(heap, wall_2);
}

TEST_F(Growing, FreeNeighboursJoinWhateverTheOrder) {
  const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto &order : orders) {
    void *parts[3];
    for (void *&part : parts) part = hg_heap_allocate(heap, 300);
    void *const wall = hg_heap_allocate(heap, 10);
    for (const int i : order) hg_heap_deallocate(heap, parts[i]);
    HG_EXPECT_SOUND(heap);
    void *const whole = hg_heap_allocate(heap, request_of(3 * chunk_bytes(300)));
    EXPECT_EQ(whole, parts[0]);
    hg_heap_deallocate(heap, whole);
    hg_heap_deallocate(heap, wall);
  }
}

TEST_F(Growing, ARequestBeyondTheAddressSpaceIsTooLarge) {
  EXPECT_EQ(hg_heap_allocate(heap, ~std::size_t{0}), nullptr);
  EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_too_large));
  EXPECT_EQ(hg_heap_allocate_zeroed(heap, ~std::size_t{0} / 4, 8), nullptr);
  EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_too_large));
  EXPECT_EQ(hg_heap_allocate_aligned(heap, 64, ~std::size_t{0} - 10), nullptr);
  EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_too_large));
}

TEST_F(Growing, AlignedMemoryIsAlignedAndWhatIsCutOffStaysUsable) {
  std::vector<void *> blocks;
  for (std::size_t alignment = 1; alignment <= 65536; alignment *= 2) {
    for (std::size_t size = 1; size < 500; size += 99) {
      blocks.push_back(hg_heap_allocate(heap, 24));
      void *const mem = hg_heap_allocate_aligned(heap, alignment, size);
      ASSERT_NE(mem, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mem) % alignment, 0u);
      EXPECT_GE(hg_usable_size(mem), size);
      blocks.push_back(mem);
      HG_EXPECT_SOUND(heap);
    }
  }
  for (void *const mem : blocks) hg_heap_deallocate(heap, mem);
  EXPECT_EQ(hg_heap_allocate_aligned(heap, 24, 10), nullptr);
  EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_bad_alignment));
  EXPECT_EQ(hg_heap_allocate_aligned(heap, 0, 10), nullptr);
}

TEST_F(Growing, ReallocateGrowsIntoTheFreeChunkBehindAndMovesOnlyWhenItMust) {
  char *mem = static_cast<char *>(hg_heap_allocate(heap, 100));
  void *const hole = hg_heap_allocate(heap, 500);
  void *const wall = hg_heap_allocate(heap, 10);
  std::memset(mem, 7, 100);
  hg_heap_deallocate(heap, hole);
  EXPECT_EQ(hg_heap_reallocate(heap, mem, 400), mem);
  char *const moved = static_cast<char *>(hg_heap_reallocate(heap, mem, 5000));
  EXPECT_NE(moved, mem);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(moved[i], 7);
  EXPECT_EQ(hg_heap_reallocate(heap, moved, 0), nullptr) << "size 0 frees";
  hg_heap_deallocate(heap, wall);
  void *const fresh = hg_heap_reallocate(heap, nullptr, 10);
  EXPECT_NE(fresh, nullptr);
  hg_heap_deallocate(heap, fresh);
}

TEST_F(Growing, ABlockGrowsOverAllTheFreeMemoryBehindItAndNoFurther) {
  for (const std::size_t hole_chunk : {chunk_bytes(1), chunk_bytes(500), std::size_t{40000}}) {
    char *const mem = static_cast<char *>(hg_heap_allocate(heap, 100));
    void *const hole = hg_heap_allocate(heap, request_of(hole_chunk));
    void *const wall = hg_heap_allocate(heap, 10);
    std::memset(mem, 7, 100);
    hg_heap_deallocate(heap, hole);
    const std::size_t whole = request_of(chunk_bytes(100) + hole_chunk);
    const std::size_t footprint = stats_of(heap).footprint;
    EXPECT_EQ(hg_heap_reallocate_in_place(heap, mem, whole + 1), nullptr) << hole_chunk;
    EXPECT_EQ(hg_heap_reallocate_in_place(heap, mem, whole), mem) << hole_chunk;
    EXPECT_EQ(hg_usable_size(mem), whole);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(mem[i], 7);
    EXPECT_EQ(stats_of(heap).footprint, footprint);
    hg_heap_deallocate(heap, mem);
    hg_heap_deallocate(heap, wall);
  }
}

TEST_F(Growing, TheLastBlockUsesTopBeforeMemoryGrowsAndGrowsItByWhatIsMissing) {
  void *const mem = hg_heap_allocate(heap, 100);
  const hg_heap_stats before = stats_of(heap);
  const std::size_t whole = request_of(chunk_bytes(100) + before.top_bytes);
  EXPECT_EQ(hg_heap_reallocate_in_place(heap, mem, whole), mem);
  EXPECT_EQ(stats_of(heap).footprint, before.footprint) << "top was enough";
  EXPECT_EQ(hg_heap_reallocate_in_place(heap, mem, 100), mem);
  constexpr std::size_t kPage = 65536;
  for (const std::size_t missing : {std::size_t{1}, kPage, kPage + 1}) {
    const hg_heap_stats now = stats_of(heap);
    const std::size_t more = request_of(hg_usable_size(mem) + kWordBytes + now.top_bytes) + missing;
    EXPECT_EQ(hg_heap_reallocate_in_place(heap, mem, more), mem);
    EXPECT_EQ(stats_of(heap).footprint - now.footprint, (missing + kPage - 1) / kPage * kPage) << missing;
  }
  hg_heap_deallocate(heap, mem);
}

TEST_F(Growing, ReallocateInPlaceNeverMoves) {
  void *const mem = hg_heap_allocate(heap, 100);
  void *const wall = hg_heap_allocate(heap, 10);
  EXPECT_EQ(hg_heap_reallocate_in_place(heap, mem, 1000), nullptr);
  EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_cannot_expand));
  EXPECT_EQ(hg_heap_reallocate_in_place(heap, mem, 20), mem);
  EXPECT_EQ(hg_usable_size(mem), chunk_bytes(20) - kWordBytes);
  EXPECT_EQ(hg_heap_reallocate_in_place(heap, mem, 100), mem) << "its own tail is free behind it";
  hg_heap_deallocate(heap, mem);
  hg_heap_deallocate(heap, wall);
}

TEST_F(Growing, TheLastBlockGrowsInPlaceBeyondTheSegment) {
  void *mem = hg_heap_allocate(heap, 100);
  for (std::size_t size = 1000; size < 5'000'000; size *= 2) {
    ASSERT_EQ(hg_heap_reallocate_in_place(heap, mem, size), mem) << size;
  }
  EXPECT_EQ(stats_of(heap).segments, 1u);
  hg_heap_deallocate(heap, mem);
}

TEST_F(Fixed, AFullRegionRefusesAndGivesAgainAfterFreeing) {
  std::vector<void *> blocks;
  while (void *const mem = hg_heap_allocate(heap, 100)) blocks.push_back(mem);
  EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_out_of_memory));
  EXPECT_LT(stats_of(heap).free_bytes, chunk_bytes(100));
  hg_heap_deallocate(heap, blocks.back());
  EXPECT_EQ(hg_heap_allocate(heap, 100), blocks.back());
  for (void *const mem : blocks) hg_heap_deallocate(heap, mem);
  EXPECT_EQ(hg_heap_trim(heap, 0), 0u) << "a fixed region has no pages to give";
}

}  // namespace
}  // namespace heapglass_test
