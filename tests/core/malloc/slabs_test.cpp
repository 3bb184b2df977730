// Small blocks in slabs, seen from outside: what survivors cost, and where new slabs come from (slabs.S6, slabs.S7, dissolve.D1 to D3).
#include <heapglass/event.h>

#include <set>

#include "base/build.hpp"
#include "heap/event_recording.hpp"
#include "malloc_rig.hpp"
#include "slab/slabs.hpp"
#include "slab_ends.hpp"

namespace heapglass_test {
namespace {

using MallocSlabs = MallocRig;

#if HG_SLABS

constexpr std::size_t kSize = 48;
constexpr std::size_t kBlocks = 5000;
constexpr std::size_t kRoom = 2 << 20;  // the heap has it, so nothing grows

std::vector<unsigned char *> take_filled(std::size_t blocks) {
  hg_free(hg_malloc(kRoom));
  hg_malloc_flush();
  std::vector<unsigned char *> taken;
  for (std::size_t i = 0; i < blocks; ++i) {
    taken.push_back(take(kSize));
    fill(taken.back(), kSize, static_cast<unsigned>(i));
  }
  return taken;
}

// Frees all of which `stays` says no; the others have their bytes behind a flush.
template <class Stays>
std::vector<unsigned char *> free_but(const std::vector<unsigned char *> &blocks, Stays stays) {
  std::vector<unsigned char *> kept;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (stays(i)) kept.push_back(blocks[i]);
    else hg_free(blocks[i]);
  }
  hg_malloc_flush();
  HG_EXPECT_SOUND(nullptr);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_TRUE(!stays(i) || has(blocks[i], kSize, static_cast<unsigned>(i))) << i;
  }
  return kept;
}

// None is in the current slab, which no flush ends.
bool is_lone_survivor(std::size_t i) { return i % 40 == 7 && i < kBlocks - 200; }

void free_all(const std::vector<unsigned char *> &blocks) {
  for (unsigned char *const mem : blocks) hg_free(mem);
}

TEST_F(MallocSlabs, AFlushLeavesNoSlabThatCouldEnd) {
  for (const unsigned seed : {1u, 2u, 3u}) expect_no_slab_is_left_that_could_end(seed);
}

TEST_F(MallocSlabs, ASurvivorHereAndThereBecomesAChunkAndHoldsOnlyItself) {
  const std::vector<unsigned char *> kept = free_but(take_filled(kBlocks), is_lone_survivor);
  EXPECT_EQ(stats_of(nullptr).chunks_in_use, kept.size()) << "there is no slab any more, and no map";
  EXPECT_EQ(malloc_stats().cached, 0u);
  std::size_t bytes = 0;
  for (unsigned char *const mem : kept) bytes += hg_malloc_usable_size(mem) + kWordBytes;
  EXPECT_EQ(malloc_stats().in_use, bytes);
  EXPECT_LE(bytes, kept.size() * (kSize + 2 * kWordBytes + kAlignBytes));
  free_all(kept);
}

TEST_F(MallocSlabs, ABlockWhoseSlabBecomesChunksMayHaveMoreBytesAndNeverFewer) {
  const std::vector<unsigned char *> blocks = take_filled(kBlocks);
  for (unsigned char *const mem : blocks) ASSERT_EQ(hg_malloc_usable_size(mem), hg_malloc_usable_size(blocks[0]));
  const std::size_t before = hg_malloc_usable_size(blocks[0]);
  const std::vector<unsigned char *> kept = free_but(blocks, is_lone_survivor);
  std::size_t larger = 0;
  for (unsigned char *const mem : kept) {
    const std::size_t now = hg_malloc_usable_size(mem);
    ASSERT_GE(now, before);
    larger += now > before ? 1 : 0;
    fill(mem, now, 0xa5);
  }
  EXPECT_GT(larger, 0u);
  HG_EXPECT_SOUND(nullptr);
  for (unsigned char *const mem : kept) EXPECT_TRUE(has(mem, hg_malloc_usable_size(mem), 0xa5)) << "it is the block's own";
  free_all(kept);
}

TEST_F(MallocSlabs, OneChunkThatWasABlockGrowsShrinksAndIsReusedAsAnyOther) {
  const std::vector<unsigned char *> kept = free_but(take_filled(kBlocks), is_lone_survivor);
  unsigned char *const mem = kept[5];
  EXPECT_EQ(hg_realloc_in_place(mem, 300), mem) << "what was free behind it is free for it";
  EXPECT_TRUE(has(mem, kSize, 5 * 40 + 7));
  EXPECT_EQ(hg_realloc_in_place(mem, kSize), mem);
  hg_free(mem);
  EXPECT_EQ(take(kSize), mem);
  free_all(kept);
}

#if HG_TRACE
// event.P8
TEST_F(MallocSlabs, AWalkNamesTheListOfEachSlabAndOfWhereTheyLie) {
  const std::vector<unsigned char *> blocks = take_filled(kBlocks);
  std::set<std::uint32_t> lists;
  std::size_t in_use = 0;
  hg_walk walk;
  hg_walk_record record;
  for (hg_walk_begin(&walk, nullptr); hg_walk_next(&walk, &record, 1) != 0;) {
    const std::uint32_t kind = record.kind & 0xff;
    if (kind == HG_WALK_slab) lists.insert(record.kind >> 16);
    if (kind == HG_WALK_slab_block_in_use && record.size == kSize) {
      ++in_use;
      EXPECT_EQ(record.kind >> 16, HG_SLAB_LISTS + kSize / kAlignBytes);
    }
  }
  EXPECT_EQ(lists, (std::set<std::uint32_t>{HG_SLAB_LISTS + kSize / kAlignBytes, HG_SLAB_WORDS}));
  EXPECT_LE(in_use, kBlocks);
  EXPECT_GT(in_use, kBlocks - kBlocks / 20) << "the first ones are single chunks";
  free_all(blocks);
}
#endif

#if HG_TRACE
// event.P8
TEST_F(MallocSlabs, EachIsRecordedWithItsBlocksAndWhereTheyLieWithNone) {
  EventRecording::begin();
  const std::vector<unsigned char *> blocks = take_filled(kBlocks);
  std::size_t made = 0, held = 0;
  for (const hg_event &e : EventRecording::read()) {
    if ((e.head & 0xff) != HG_EVENT_slab_made) continue;
    const bool has_blocks = e.head >> 16 != HG_SLAB_WORDS;
    EXPECT_EQ(e.b != 0, has_blocks) << e.b;
    EXPECT_EQ(e.c != 0, has_blocks) << e.c;
    made += has_blocks;
    held += e.c;
  }
  EXPECT_GT(made, 50u);
  EXPECT_GT(held, kBlocks - 100) << "the first ones are single chunks";
  EXPECT_LT(held, kBlocks + 64);
  free_all(blocks);
  EventRecording::end();
}
#endif

// dissolve.D1
TEST_F(MallocSlabs, TwoNeighboursHoldTheirSlab) {
  const std::vector<unsigned char *> kept = free_but(take_filled(kBlocks), [](std::size_t i) { return i % 40 < 2; });
  const std::size_t chunks = stats_of(nullptr).chunks_in_use;
  EXPECT_GT(malloc_stats().cached, kept.size() * kSize) << "what their slabs have besides";
  EXPECT_LT(chunks, kept.size());
  free_all(kept);
}

TEST_F(MallocSlabs, EachBlockOfASlabMayBeTheOneThatStays) {
  const std::vector<unsigned char *> first = take_filled(kBlocks);
  free_all(first);
  hg_malloc_flush();
  for (std::size_t one = 0; one < 100; ++one) {
    const std::vector<unsigned char *> kept = free_but(take_filled(400), [=](std::size_t i) { return i % 100 == one; });
    free_all(kept);
    hg_malloc_flush();
    ASSERT_EQ(stats_of(nullptr).chunks_in_use, 0u) << one;
  }
}

TEST_F(MallocSlabs, RandomSurvivorsOfEachSizeKeepTheirBytes) {
  Random random{29};
  for (std::size_t size = 1; size <= 140; size += 3) {
    std::vector<std::pair<unsigned char *, unsigned>> live;
    for (int round = 0; round < 4; ++round) {
      for (unsigned i = 0; i < 600; ++i) {
        live.emplace_back(take(size), i);
        fill(live.back().first, size, i);
      }
      const std::uint32_t share = 2 + random.below(60);
      std::erase_if(live, [&](const auto &one) {
        if (random.below(share) == 0) return false;
        hg_free(one.first);
        return true;
      });
      hg_malloc_flush();
      HG_EXPECT_SOUND(nullptr);
      for (const auto &[mem, mark] : live) ASSERT_TRUE(has(mem, size, mark)) << size;
    }
    for (const auto &[mem, mark] : live) hg_free(mem);
  }
}

// slabs.S7
// magazines.G5: the magazine has grown to all of them, so each request gets what was freed last.
TEST_F(MallocSlabs, WhatIsBuiltAndFreedInTurnIsSoonReusedInReverse) {
  Random random{45005};
  const auto take_some = [] {
    std::vector<unsigned char *> blocks(300);
    for (unsigned char *&mem : blocks) mem = take(kSize);
    return blocks;
  };
  std::vector<unsigned char *> blocks = take_some(), freed;
  for (int round = 0; round < 40; ++round) {
    freed = blocks;
    for (std::uint32_t i = 300; i > 1; --i) std::swap(freed[i - 1], freed[random.below(i)]);
    free_all(freed);
    blocks = take_some();
  }
  EXPECT_EQ(blocks, std::vector<unsigned char *>(freed.rbegin(), freed.rend()));
  free_all(blocks);
}

TEST_F(MallocSlabs, HolesServeBeforeMemoryGrows) {
  std::vector<unsigned char *> walls, holes;
  for (int i = 0; i < 20'000; ++i) {
    holes.push_back(take(400));
    walls.push_back(take(400));
  }
  free_all(holes);
  hg_malloc_flush();
  const std::size_t footprint = stats_of(nullptr).footprint;
  std::vector<unsigned char *> blocks;
  for (std::size_t bytes = 0; bytes < 6u << 20; bytes += kSize + 2 * kWordBytes) blocks.push_back(take(kSize));
  EXPECT_LE(stats_of(nullptr).footprint, footprint + footprint / 16) << "the holes have 8 MB";
  free_all(blocks);
  free_all(walls);
}

// slabs.S8
TEST_F(MallocSlabs, BlocksThatComeBackWhileTheNextSlabIsMadeAreNotLost) {
  heapglass::Heap &heap = *heapglass::Heap::default_heap();
  const heapglass::Word bytes = 2 * heapglass::kSlabStep;
  const unsigned slab_class = heapglass::slab_class_for(kSize);
  for (std::size_t back = 1; back <= heapglass::slab_capacity(2, kSize); ++back) {
    heapglass::Slabs slabs;
    slabs.begin();
    std::set<void *> out;
    const auto take_all = [&] {
      while (void *const mem = slabs.pop(slab_class)) EXPECT_TRUE(out.insert(mem).second);
    };
    ASSERT_TRUE(slabs.make(heap, slab_class, bytes));
    take_all();
    for (std::size_t i = 0; i < back; ++i) slabs.push(slab_class, out.extract(out.begin()).value());
    ASSERT_TRUE(slabs.make(heap, slab_class, bytes));
    do take_all();
    while (slabs.refill(slab_class));
    for (void *const mem : out) slabs.push(slab_class, mem);
    slabs.flush(heap);
    ASSERT_EQ(stats_of(nullptr).chunks_in_use, 0u) << back << " blocks came back";
  }
}

// slab_map.M4: the last slab may end while the map is to become longer, since memory grows for that.
TEST_F(MallocSlabs, ANewOneFarBehindOthersThatAreFreeWhileMemoryGrows) {
  const std::size_t other = 2 * kSize;
  for (std::size_t room = 64; room < 10'000; room += 32) {
    hg_malloc_trim(0);
    free_all(take_filled(300));
    const auto top = [] { return stats_of(nullptr).top_bytes; };
    unsigned char *const between = take(top() - room);
    std::vector<unsigned char *> blocks;
    for (unsigned i = 0; i < 40; ++i) {
      blocks.push_back(take(other));
      fill(blocks.back(), other, i);
    }
    for (unsigned i = 0; i < blocks.size(); ++i) ASSERT_TRUE(has(blocks[i], other, i)) << room;
    HG_EXPECT_SOUND(nullptr);
    hg_free(between);
    free_all(blocks);
    hg_malloc_flush();
    ASSERT_EQ(stats_of(nullptr).chunks_in_use, 0u) << room;
  }
}

#else

TEST_F(MallocSlabs, OfOtherBuildsHaveNone) {
  hg_free(hg_malloc(1));
  std::vector<unsigned char *> blocks;
  for (int i = 0; i < 1000; ++i) blocks.push_back(take(48));
  EXPECT_GE(stats_of(nullptr).chunks_in_use, blocks.size());
  for (unsigned char *const mem : blocks) hg_free(mem);
}

#endif

}  // namespace
}  // namespace heapglass_test
