// Every block of malloc that is in no slab is a chunk of the default heap: commands work on it, and either side frees what the other gave.
#include "malloc_rig.hpp"

namespace heapglass_test {
namespace {

using MallocInterchange = MallocRig;

hg_command_result command(std::uint32_t flags, std::size_t limit, std::size_t preferred, void *reuse) {
  return hg_heap_command(nullptr, flags | HG_NOTHROW_ALLOCATION, 1, limit, preferred, reuse);
}

TEST_F(MallocInterchange, ABlockOfMallocExpandsForward) {
  unsigned char *const mem = take(300);
  fill(mem, 300, 1);
  const hg_command_result result = command(HG_EXPAND_FWD, 1000, 2000, mem);
  ASSERT_EQ(result.mem, mem);
  EXPECT_GE(result.received, 1000u);
  EXPECT_TRUE(has(mem, 300, 1));
  hg_free(mem);
}

TEST_F(MallocInterchange, ABlockOfMallocExpandsBackwardIntoFlushedMemory) {
  unsigned char *const before = take(4000);
  unsigned char *const mem = take(300);
  unsigned char *const wall = take(200);
  ASSERT_GT(mem, before);
  fill(mem, 300, 2);
  hg_free(before);
  EXPECT_EQ(command(HG_EXPAND_BWD, 2000, 3000, mem).mem, nullptr) << "the neighbour is still cached";
  hg_malloc_flush();
  const hg_command_result result = command(HG_EXPAND_BWD, 2000, 3000, mem);
  ASSERT_NE(result.mem, nullptr);
  EXPECT_NE(result.reused, 0u);
  EXPECT_LT(static_cast<unsigned char *>(result.mem), mem);
  EXPECT_TRUE(has(mem, 300, 2)) << "the old contents stay where they are";
  EXPECT_GE(hg_malloc_usable_size(result.mem), 2000u);
  hg_free(result.mem);
  hg_free(wall);
}

TEST_F(MallocInterchange, ABlockOfMallocShrinksInPlace) {
  unsigned char *const mem = take(8000);
  unsigned char *const wall = take(200);
  fill(mem, 8000, 3);
  const hg_command_result result = command(HG_SHRINK_IN_PLACE, 3000, 1000, mem);
  ASSERT_EQ(result.mem, mem);
  EXPECT_TRUE(has(mem, result.received, 3));
  hg_free(mem);
  hg_free(wall);
}

TEST_F(MallocInterchange, ACachedNeighbourIsNeverExpandedInto) {
  unsigned char *const mem = take(200);
  unsigned char *const next = take(200);
  unsigned char *const wall = take(200);
  hg_free(next);
  EXPECT_EQ(command(HG_EXPAND_FWD, 300, 350, mem).mem, nullptr);
  EXPECT_EQ(hg_realloc_in_place(mem, 350), nullptr);
  EXPECT_EQ(take(200), next);
  hg_free(next);
  hg_malloc_flush();
  EXPECT_EQ(command(HG_EXPAND_FWD, 300, 350, mem).mem, mem);
  hg_free(mem);
  hg_free(wall);
}

// [lead] [before] [mem] [behind] [wall], of which one was freed last and waits (malloc.W2): it is room to expand for the heap's
// commands, as if nothing waited.
struct Neighbours {
  static constexpr std::size_t kSize = 20000, kFilled = kSize - 2 * kAlignBytes;
  // None has a list, so each is cut behind the one before it.
  unsigned char *lead = take(9000), *before = take(kSize), *mem = take(kSize), *behind = take(kSize), *wall = take(9000);

  Neighbours() {
    EXPECT_TRUE(lead < before && before < mem && mem < behind && behind < wall);
    fill(mem, kFilled, 6);
  }
  void free_one(unsigned char *&one) {
    hg_free(one);
    one = nullptr;
  }
  // `at`: where the block begins now, whose bytes are where they were.
  void end(void *at) {
    EXPECT_TRUE(has(mem, kFilled, 6));
    HG_EXPECT_SOUND(nullptr);
    for (unsigned char *const one : {lead, before, static_cast<unsigned char *>(at), behind, wall}) hg_free(one);
    hg_malloc_flush();
  }
};

TEST_F(MallocInterchange, ABlockExpandsForwardOverTheBlockThatWaits) {
  Neighbours one;
  one.free_one(one.behind);
  const hg_command_result result = command(HG_EXPAND_FWD, 30000, 30000, one.mem);
  EXPECT_EQ(result.mem, one.mem);
  EXPECT_GE(result.received, 30000u);
  one.end(one.mem);
}

TEST_F(MallocInterchange, ABlockExpandsBackwardOverTheBlockThatWaits) {
  Neighbours one;
  one.free_one(one.before);
  const hg_command_result result = command(HG_EXPAND_BWD, 30000, 30000, one.mem);
  ASSERT_NE(result.mem, nullptr);
  EXPECT_LT(static_cast<unsigned char *>(result.mem), one.mem);
  EXPECT_GE(hg_malloc_usable_size(result.mem), 30000u);
  one.end(result.mem);
}

TEST_F(MallocInterchange, ABlockExpandsBothWaysWhenOneNeighbourIsFreeAndTheOtherWaits) {
  Neighbours one;
  one.free_one(one.behind);
  hg_malloc_flush();
  one.free_one(one.before);
  const hg_command_result result = command(HG_EXPAND_FWD | HG_EXPAND_BWD, 55000, 55000, one.mem);
  ASSERT_NE(result.mem, nullptr);
  EXPECT_GE(hg_malloc_usable_size(result.mem), 55000u);
  one.end(result.mem);
}

// The tail is too small for a chunk of its own, so it can only join what lies behind it.
TEST_F(MallocInterchange, ABlockShrinksByATailThatJoinsTheBlockThatWaits) {
  Neighbours one;
  one.free_one(one.behind);
  const std::size_t usable = hg_malloc_usable_size(one.mem);
  const std::size_t less = usable - kAlignBytes;
  EXPECT_EQ(command(HG_TRY_SHRINK_IN_PLACE, less, less, one.mem).mem, one.mem);
  EXPECT_EQ(command(HG_SHRINK_IN_PLACE, less, less, one.mem).mem, one.mem);
  EXPECT_EQ(hg_malloc_usable_size(one.mem), less);
  one.end(one.mem);
}

TEST_F(MallocInterchange, TheHeapReallocatesInPlaceOverTheBlockThatWaits) {
  for (const auto reallocate : {hg_heap_reallocate, hg_heap_reallocate_in_place}) {
    Neighbours one;
    one.free_one(one.behind);
    void *const grown = reallocate(nullptr, one.mem, 30000);
    EXPECT_EQ(grown, one.mem);
    one.end(grown != nullptr ? grown : one.mem);
  }
}

TEST_F(MallocInterchange, TheHeapTakesTheBlockThatWaitsBeforeItGrows) {
  constexpr std::size_t kLarge = 3u << 20;
  void *const mem = take(kLarge);
  hg_free(take(100));
  hg_malloc_flush();  // from here on nothing is carved, so that growth alone flushes nothing (malloc.L5)
  const std::size_t footprint = stats_of(nullptr).footprint;
  hg_free(mem);
  void *const again = hg_heap_allocate(nullptr, kLarge);
  EXPECT_EQ(again, mem);
  EXPECT_EQ(stats_of(nullptr).footprint, footprint);
  hg_heap_deallocate(nullptr, again);
}

TEST_F(MallocInterchange, TheHeapFreesBlocksOfMalloc) {
  for (const std::size_t size : {200u, 700u, 5000u, 3u << 20}) {
    hg_heap_deallocate(nullptr, take(size));
    ASSERT_EQ(stats_of(nullptr).chunks_in_use, 0u);
  }
}

TEST_F(MallocInterchange, MallocFreesBlocksOfTheHeapAndReusesThem) {
  for (const std::size_t size : {1u, 13u, 200u, 256u, 4096u, 70001u}) {
    void *const mem = hg_heap_allocate(nullptr, size);
    EXPECT_EQ(hg_malloc_usable_size(mem), hg_usable_size(mem));
    hg_free(mem);
    ASSERT_EQ(hg_malloc(size), mem) << size;
    hg_heap_deallocate(nullptr, mem);
  }
}

// A size that no request is rounded to: the heap's blocks may have it, and shrunk ones.
TEST_F(MallocInterchange, AChunkOfASizeNoRequestIsRoundedToIsCachedForASmallerRequestOrTheNextFlush) {
  for (std::size_t size = 600; size < 8000; size += 111) {
    void *const mem = hg_heap_allocate(nullptr, size);
    hg_free(mem);
    std::vector<void *> taken;
    for (std::size_t request = size + 200; request > size - size / 8; request -= 16) {
      taken.push_back(hg_malloc(request));
      ASSERT_GE(hg_malloc_usable_size(taken.back()), request);
    }
    HG_EXPECT_SOUND(nullptr);
    for (void *const one : taken) hg_free(one);
    hg_malloc_flush();
    ASSERT_EQ(stats_of(nullptr).chunks_in_use, 0u);
  }
}

TEST_F(MallocInterchange, TheHeapReallocatesBlocksOfMallocAndBurstsAreFreedByIt) {
  unsigned char *mem = take(100);
  fill(mem, 100, 4);
  mem = static_cast<unsigned char *>(hg_heap_reallocate(nullptr, mem, 9000));
  EXPECT_TRUE(has(mem, 100, 4));
  hg_free(mem);
  hg_chain chain;
  hg_chain_init(&chain);
  ASSERT_EQ(hg_heap_burst_nodes(nullptr, 50, 48, HG_CONTIGUOUS_ALL, &chain), 50u);
  while (void *const one = hg_chain_pop_front(&chain)) hg_free(one);
  for (int i = 0; i < 50; ++i) hg_chain_push_back(&chain, hg_malloc(48));
  hg_heap_burst_deallocate(nullptr, &chain);
}

// Small blocks of malloc, most of them in slabs, given to each function of the heap.
TEST_F(MallocInterchange, TheHeapTakesSmallBlocksOfMallocHoweverTheyLie) {
  std::vector<unsigned char *> blocks;
  for (unsigned i = 0; i < 3000; ++i) {
    blocks.push_back(take(48));
    fill(blocks.back(), 48, i);
  }
  hg_chain chain;
  hg_chain_init(&chain);
  for (unsigned i = 0; i < 3000; ++i) {
    unsigned char *const mem = blocks[i];
    ASSERT_GE(hg_usable_size(mem), 48u);
    ASSERT_TRUE(has(mem, 48, i));
    void *to = mem;
    switch (i % 6) {
      case 0: hg_heap_deallocate(nullptr, mem); continue;
      case 1: hg_chain_push_back(&chain, mem); continue;
      case 2: to = hg_heap_reallocate(nullptr, mem, 500); break;
      case 3: to = hg_heap_reallocate(nullptr, mem, 48); break;
      case 4: EXPECT_EQ(hg_heap_reallocate_in_place(nullptr, mem, 40), mem); break;
      case 5: EXPECT_EQ(hg_heap_reallocate(nullptr, mem, 0), nullptr); continue;
    }
    ASSERT_NE(to, nullptr);
    ASSERT_TRUE(has(static_cast<unsigned char *>(to), i % 6 == 4 ? 40 : 48, i));
    hg_free(to);
  }
  hg_heap_burst_deallocate(nullptr, &chain);
  EXPECT_EQ(chain.count, 0u);
}

TEST_F(MallocInterchange, OtherHeapsAreNotTouched) {
  hg_heap *const other = hg_heap_create();
  std::vector<void *> blocks;
  for (int i = 0; i < 200; ++i) blocks.push_back(hg_heap_allocate(other, 100));
  const hg_heap_stats before = stats_of(other);
  for (int i = 0; i < 500; ++i) hg_free(hg_malloc(static_cast<std::size_t>(i) * 40));
  hg_malloc_flush();
  EXPECT_EQ(stats_of(other).in_use, before.in_use);
  EXPECT_EQ(stats_of(other).footprint, before.footprint);
  for (void *const block : blocks) hg_heap_deallocate(other, block);
  HG_EXPECT_SOUND(other);
  hg_heap_destroy(other);
}

}  // namespace
}  // namespace heapglass_test
