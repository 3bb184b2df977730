// Growth, trim, several heaps in one memory.
#include "base/address.hpp"
#include "heap_fixture.hpp"
#include "platform/page_source.hpp"
#include "support/held_runs.hpp"

namespace heapglass_test {
namespace {

using Growing = GrowingHeap;
using heapglass::kPageBytes;

TEST_F(Growing, ManySmallGrowthsLieInOneSegment) {
  std::vector<void *> blocks;
  for (int i = 0; i < 500; ++i) blocks.push_back(hg_heap_allocate(heap, 3000));
  EXPECT_EQ(stats_of(heap).segments, 1u);
  EXPECT_EQ(stats_of(heap).footprint % kPageBytes, 0u);
  for (void *const mem : blocks) hg_heap_deallocate(heap, mem);
}

TEST_F(Growing, AGrowthIsAThirtySecondOfTheFootprint) {
  void *const large = hg_heap_allocate(heap, 64 * kPageBytes * 32);
  const hg_heap_stats before = stats_of(heap);
  void *const more = hg_heap_allocate(heap, before.top_bytes + 1000);
  const std::size_t share = before.footprint / 32;
  EXPECT_EQ(stats_of(heap).footprint - before.footprint, (share + kPageBytes - 1) / kPageBytes * kPageBytes);
  hg_heap_deallocate(heap, large);
  hg_heap_deallocate(heap, more);
}

TEST_F(Growing, OfASmallHeapItIsWhatTopLacks) {
  void *const some = hg_heap_allocate(heap, 10 * kPageBytes);
  const hg_heap_stats before = stats_of(heap);
  void *const more = hg_heap_allocate(heap, before.top_bytes + 3 * kPageBytes - 1000);
  EXPECT_EQ(stats_of(heap).footprint, before.footprint + 3 * kPageBytes);
  hg_heap_deallocate(heap, some);
  hg_heap_deallocate(heap, more);
}

TEST_F(Growing, WhenOthersGrowMemoryANewSegmentBegins) {
  const HeldRuns held;
  constexpr std::size_t kLarge = 20'000'000;
  void *const a = hg_heap_allocate(heap, kLarge);
  const std::size_t segments = stats_of(heap).segments;
  heapglass::grow_by_others(kPageBytes);
  void *const b = hg_heap_allocate(heap, kLarge);
  EXPECT_EQ(stats_of(heap).segments, segments + 1);
  HG_EXPECT_SOUND(heap);
  hg_heap_deallocate(heap, a);
  hg_heap_deallocate(heap, b);
  EXPECT_EQ(stats_of(heap).chunks_free, segments + 1) << "segments do not join";
  EXPECT_GT(hg_heap_trim(heap, 0), kLarge);
  EXPECT_EQ(stats_of(heap).segments, 1u);
}

TEST_F(Growing, TrimGivesWholePagesAndKeepsThePad) {
  void *const mem = hg_heap_allocate(heap, 1'000'000);
  hg_heap_deallocate(heap, mem);
  const hg_heap_stats full = stats_of(heap);
  const std::size_t given = hg_heap_trim(heap, 300000);
  const hg_heap_stats trimmed = stats_of(heap);
  EXPECT_EQ(given % kPageBytes, 0u);
  EXPECT_EQ(trimmed.footprint, full.footprint - given);
  EXPECT_GE(trimmed.top_bytes, 300000u);
  EXPECT_LT(trimmed.top_bytes, 300000u + 2 * kPageBytes);
  EXPECT_EQ(trimmed.peak_footprint, full.footprint);
  EXPECT_GT(hg_heap_trim(heap, 0), 0u);
  EXPECT_EQ(hg_heap_trim(heap, 0), 0u);
  EXPECT_EQ(stats_of(heap).footprint, kPageBytes);
}

// What stays of a trimmed chunk is nothing or a chunk: a rest of 16 bytes costs another page. By the bytes that top has beyond
// whole pages, and by the pad.
TEST_F(Growing, TrimLeavesNothingOrAWholeChunk) {
  constexpr std::size_t kLeast = 4 * kWordBytes;
  for (const std::size_t pad : {0u, 1u, 8u, 16u, 17u, 32u, 33u, 65520u, 65536u, 65552u}) {
    for (std::size_t beyond = 0; beyond <= 4 * kAlignBytes; beyond += kAlignBytes) {
      hg_heap_deallocate(heap, hg_heap_allocate(heap, 10 * kPageBytes));
      std::size_t before = (stats_of(heap).top_bytes - beyond) % kPageBytes;
      if (before < kLeast) before += kPageBytes;
      void *const mem = hg_heap_allocate(heap, request_of(before));
      const hg_heap_stats full = stats_of(heap);
      ASSERT_EQ(full.top_bytes % kPageBytes, beyond);
      std::size_t kept = beyond;
      while (kept < pad || (kept != 0 && kept < kLeast)) kept += kPageBytes;
      EXPECT_EQ(hg_heap_trim(heap, pad), full.top_bytes - kept) << "pad " << pad << ", beyond " << beyond;
      EXPECT_EQ(stats_of(heap).top_bytes, kept) << "pad " << pad << ", beyond " << beyond;
      HG_EXPECT_SOUND(heap);
      void *const more = hg_heap_allocate(heap, 3 * kPageBytes);
      HG_EXPECT_SOUND(heap);
      hg_heap_deallocate(heap, more);
      hg_heap_deallocate(heap, mem);
    }
  }
}

// The pad is kept where the heap grows next. Segments before that give all whole pages, and those without blocks go.
TEST_F(Growing, TrimKeepsThePadInTheNewestSegmentAlone) {
  constexpr std::size_t kPad = 300'000;
  const HeldRuns held;
  hg_heap *const between = hg_heap_create();
  void *const first = hg_heap_allocate(heap, 100);
  std::vector<void *> blocks;
  for (int i = 0; i < 5; ++i) {
    ASSERT_NE(hg_heap_allocate(between, 5'000'000), nullptr);
    blocks.push_back(hg_heap_allocate(heap, 5'000'000));
    if (i == 2) blocks.push_back(hg_heap_allocate(heap, 5'000'000));  // in the segment of one that stays
  }
  void *const stays = blocks[2];
  blocks.erase(blocks.begin() + 2);
  for (void *const mem : blocks) hg_heap_deallocate(heap, mem);
  ASSERT_GE(stats_of(heap).segments, 5u);
  hg_heap_trim(heap, kPad);
  const hg_heap_stats stats = stats_of(heap);
  EXPECT_EQ(stats.segments, 3u) << "the first, that of the block that stays, and the newest";
  EXPECT_GE(stats.top_bytes, kPad);
  EXPECT_LT(stats.top_bytes, kPad + 2 * kPageBytes);
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  hg_walk_record record;
  std::size_t behind = 0;
  while (hg_walk_next(&walk, &record, 1) == 1) {
    const std::uint32_t kind = record.kind & 0xff;
    if (kind == HG_WALK_chunk_in_use) behind = 0;
    if (kind == HG_WALK_chunk_free || kind == HG_WALK_chunk_victim) behind = record.size;
    if (kind == HG_WALK_segment) {
      EXPECT_LT(behind, 2 * kPageBytes) << "at the end of an older segment";
    }
  }
  HG_EXPECT_SOUND(heap);
  hg_heap_deallocate(heap, stays);
  hg_heap_deallocate(heap, first);
  hg_heap_destroy(between);
}

// Three heaps that grow in turn: one has ended and its runs are released, one is trimmed, and one stays between their runs.
TEST_F(Growing, TrimVisitsEachReleasedRunAndEachOfItsSegmentsOnce) {
  const HeldRuns held;
  hg_heap *const ended = hg_heap_create();
  hg_heap *const between = hg_heap_create();
  std::vector<void *> blocks;
  for (int i = 0; i < 700; ++i) {
    blocks.push_back(hg_heap_allocate(heap, 30000));
    for (hg_heap *const other : {ended, between}) ASSERT_NE(hg_heap_allocate(other, 30000), nullptr);
  }
  for (void *const mem : blocks) hg_heap_deallocate(heap, mem);
  const std::size_t runs = stats_of(ended).segments;
  const hg_heap_stats full = stats_of(heap);
  EXPECT_GT(full.segments, 80u);
  hg_heap_destroy(ended);
  heapglass::PageSource *const source = heapglass::growing_pages();
  source->reclaim();
  const std::size_t spare = source->spare();
  const heapglass::Word before = heapglass::g_runs_visited;
  const std::size_t given = hg_heap_trim(heap, 0);
  EXPECT_LE(heapglass::g_runs_visited - before, runs + full.segments);
  EXPECT_EQ(full.footprint - given, kPageBytes);
  EXPECT_EQ(source->spare(), spare + given);
  std::uintptr_t end = 0;
  for (const heapglass::ReleasedRun *run = source->released; run != nullptr; run = run->next) {
    EXPECT_LT(end, heapglass::address_of(run)) << "in order, and joined with the run before";
    end = heapglass::address_of(run) + run->bytes;
  }
  hg_heap_destroy(between);
}

TEST_F(Growing, PagesOfATrimmedHeapServeAnother) {
  void *mem = hg_heap_allocate(heap, 3'000'000);
  hg_heap_deallocate(heap, mem);
  hg_heap_trim(heap, 0);
  const std::uintptr_t frontier = heapglass::growing_pages()->frontier;
  hg_heap *const other = hg_heap_create();
  mem = hg_heap_allocate(other, 2'000'000);
  EXPECT_EQ(heapglass::growing_pages()->frontier, frontier);
  hg_heap_destroy(other);
}

TEST_F(Growing, ARefusedGrowthLeavesTheHeapAsItWas) {
  std::size_t before = 0;
  const std::uint32_t hash = hg_walk_hash(heap, &before);
  heapglass::fail_growth(1);
  EXPECT_EQ(hg_heap_allocate(heap, 500'000'000), nullptr);
  EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_out_of_memory));
  hg_chain chain;
  hg_chain_init(&chain);
  EXPECT_EQ(hg_heap_burst_nodes(heap, 100000, 5000, HG_CONTIGUOUS_ALL, &chain), 0u);
  heapglass::fail_growth(0);
  std::size_t after = 0;
  EXPECT_EQ(hg_walk_hash(heap, &after), hash);
  EXPECT_EQ(after, before);
}

TEST(Heaps, HaveIdsOfTheirOwnAndGiveThemBack) {
  hg_heap *const a = hg_heap_create();
  hg_heap *const b = hg_heap_create();
  const std::uint32_t id = hg_heap_id(a);
  EXPECT_NE(id, 0u);
  EXPECT_NE(id, hg_heap_id(b));
  hg_heap_destroy(a);
  hg_heap *const c = hg_heap_create();
  EXPECT_EQ(hg_heap_id(c), id);
  hg_heap_destroy(b);
  hg_heap_destroy(c);
}

TEST(Heaps, AtMost255Live) {
  std::vector<std::vector<unsigned char>> regions;
  std::vector<hg_heap *> heaps;
  for (;;) {
    regions.emplace_back(8192);
    hg_heap *const heap = hg_heap_create_fixed(regions.back().data(), 8192);
    if (heap == nullptr) break;
    EXPECT_LE(hg_heap_id(heap), 255u);
    heaps.push_back(heap);
  }
  EXPECT_GE(heaps.size(), 254u) << "the default heap may be one of them";
  for (hg_heap *const heap : heaps) hg_heap_destroy(heap);
}

TEST(Heaps, EndingOneGivesAllItsMemoryToOthers) {
  hg_heap *const first = hg_heap_create();
  for (int i = 0; i < 200; ++i) ASSERT_NE(hg_heap_allocate(first, 40000), nullptr);
  hg_heap_destroy(first);
  const std::uintptr_t frontier = heapglass::growing_pages()->frontier;
  hg_heap *const second = hg_heap_create();
  for (int i = 0; i < 200; ++i) ASSERT_NE(hg_heap_allocate(second, 40000), nullptr);
  EXPECT_EQ(heapglass::growing_pages()->frontier, frontier);
  hg_heap_destroy(second);
}

TEST(Heaps, MemoryOfAnEndedOneIsSpareAtOnceAndListedWhenItIsReclaimed) {
  const HeldRuns held;
  heapglass::PageSource *const source = heapglass::growing_pages();
  for (const bool reclaimed : {false, true}) {
    hg_heap *const heap = hg_heap_create();
    ASSERT_NE(hg_heap_allocate(heap, 20 * kPageBytes), nullptr);
    const std::size_t footprint = stats_of(heap).footprint;
    const std::size_t spare = source->spare();
    hg_heap_destroy(heap);
    if (reclaimed) {
      source->reclaim();
      std::size_t listed = 0;
      for (const heapglass::ReleasedRun *run = source->released; run != nullptr; run = run->next) listed += run->bytes;
      EXPECT_GE(listed, footprint);
    }
    EXPECT_EQ(source->spare(), spare + footprint);
  }
}

TEST(Heaps, NullMeansTheDefaultHeapEverywhere) {
  void *const mem = hg_heap_allocate(nullptr, 100);
  ASSERT_NE(mem, nullptr);
  EXPECT_EQ(stats_of(nullptr).chunks_in_use, stats_of(hg_default_heap()).chunks_in_use);
  EXPECT_EQ(hg_heap_id(nullptr), hg_heap_id(hg_default_heap()));
  EXPECT_EQ(hg_heap_check(nullptr), nullptr);
  hg_heap_deallocate(hg_default_heap(), mem);
}

TEST(Heaps, ATooSmallRegionIsRefused) {
  std::vector<unsigned char> region(4095);
  EXPECT_EQ(hg_heap_create_fixed(region.data(), region.size()), nullptr);
}

}  // namespace
}  // namespace heapglass_test
