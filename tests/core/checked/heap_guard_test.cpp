// What the checked build finds when a caller misuses the heap: kind, place and text, then a trap.
#include <cstdio>

#include "../heap/heap_fixture.hpp"

namespace heapglass_test {
namespace {

void print(std::uint32_t kind, const void *, const char *text) {
  std::fprintf(stderr, "kind %u: %s\n", kind, text);
  std::fflush(stderr);
}

class HeapGuardDeathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    hg_set_failure_hook(print);
    heap = hg_heap_create();
    before = static_cast<char *>(hg_heap_allocate(heap, 100));
    mem = static_cast<char *>(hg_heap_allocate(heap, 100));
    after = static_cast<char *>(hg_heap_allocate(heap, 100));
    wall = static_cast<char *>(hg_heap_allocate(heap, 100));
  }
  void TearDown() override {
    hg_heap_destroy(heap);
    hg_set_failure_hook(nullptr);
  }
  static std::size_t &word_at(char *at) { return *reinterpret_cast<std::size_t *>(at); }

  hg_heap *heap;
  char *before;
  char *mem;
  char *after;
  char *wall;
};

TEST_F(HeapGuardDeathTest, ADoubleFreeIsToldWhileTheChunkStandsAlone) {
  hg_heap_deallocate(heap, mem);
  EXPECT_DEATH(hg_heap_deallocate(heap, mem), "kind 1: double free");
}

TEST_F(HeapGuardDeathTest, ADoubleFreeIsToldAfterTheChunkWasJoined) {
  hg_heap_deallocate(heap, before);
  hg_heap_deallocate(heap, mem);
  EXPECT_DEATH(hg_heap_deallocate(heap, mem), "kind 1: double free.*inside the free chunk at 0x");
  hg_heap_deallocate(heap, wall);
  EXPECT_DEATH(hg_heap_deallocate(heap, wall), "kind 1: double free");
}

TEST_F(HeapGuardDeathTest, AFreedBlockInAChainIsTold) {
  hg_heap_deallocate(heap, after);
  word_at(before) = reinterpret_cast<std::size_t>(after);
  hg_chain chain = {before, after, 2};
  EXPECT_DEATH(hg_heap_burst_deallocate(heap, &chain), "kind 1: double free");
}

TEST_F(HeapGuardDeathTest, AForeignPointerIsTold) {
  alignas(16) static char elsewhere[64];
  EXPECT_DEATH(hg_heap_deallocate(heap, elsewhere + 16), "kind 2: foreign pointer");
  hg_heap *const other = hg_heap_create();
  void *const theirs = hg_heap_allocate(other, 10);
  EXPECT_DEATH(hg_heap_deallocate(heap, theirs), "kind 2: foreign pointer");
  hg_heap_destroy(other);
}

TEST_F(HeapGuardDeathTest, AMisalignedOrInnerPointerIsTold) {
  EXPECT_DEATH(hg_heap_deallocate(heap, mem + 1), "kind 3: misaligned pointer");
  std::memset(mem, 0, 100);
  EXPECT_DEATH(hg_heap_deallocate(heap, mem + kAlignBytes), "kind 3: misaligned pointer.*inside the chunk at 0x");
}

TEST_F(HeapGuardDeathTest, AnOverwrittenHeaderIsTold) {
  EXPECT_DEATH({ word_at(mem - kWordBytes) = 0; hg_heap_deallocate(heap, mem); }, "kind 4: damaged header.*at 0x");
  EXPECT_DEATH({ word_at(mem - kWordBytes) = ~std::size_t{0}; hg_heap_deallocate(heap, mem); },
               "kind 4: damaged header.*size word 0xf+\\)");
}

TEST_F(HeapGuardDeathTest, WritingPastTheEndIsToldWhenTheBlockIsFreed) {
  EXPECT_DEATH({ std::memset(mem, 0, hg_usable_size(mem) + kWordBytes); hg_heap_deallocate(heap, mem); },
               "kind [45]: damaged");
}

TEST_F(HeapGuardDeathTest, AnOverwrittenFootIsToldWhenANeighbourIsFreed) {
  hg_heap_deallocate(heap, mem);
  EXPECT_DEATH({ word_at(after - 2 * kWordBytes) = 0x5555; hg_heap_deallocate(heap, after); }, "kind 5: damaged boundary tag");
}

TEST_F(HeapGuardDeathTest, AnOverwrittenLinkIsToldWhenTheFreeChunkIsTaken) {
  hg_heap_deallocate(heap, mem);
  EXPECT_DEATH({ word_at(mem) = 0x1234; hg_heap_allocate(heap, 100); }, "kind 6: damaged free-list link.*next free 0x1234");
  EXPECT_DEATH({ word_at(mem + kWordBytes) = 0x1230; hg_heap_allocate(heap, 100); }, "kind 6: damaged free-list link.*prev free");
}

TEST_F(HeapGuardDeathTest, EveryFunctionThatTakesAPointerLooksAtIt) {
  hg_heap_deallocate(heap, mem);
  EXPECT_DEATH(hg_heap_reallocate(heap, mem, 10), "kind 1");
  EXPECT_DEATH(hg_heap_reallocate_in_place(heap, mem, 10), "kind 1");
  EXPECT_DEATH(hg_heap_command(heap, HG_EXPAND_FWD, 1, 10, 200, mem), "kind 1");
  EXPECT_DEATH(hg_heap_command(heap, HG_SHRINK_IN_PLACE, 1, 100, 10, mem), "kind 1");
}

TEST_F(HeapGuardDeathTest, NewAndFreedBytesCarryTheirPatterns) {
  void *const fresh = hg_heap_allocate(heap, 50);
  EXPECT_EQ(static_cast<unsigned char *>(fresh)[20], 0xa5);
  hg_heap_deallocate(heap, mem);
  EXPECT_EQ(static_cast<unsigned char>(mem[40]), 0xdd);
  hg_heap_deallocate(heap, fresh);
}

}  // namespace
}  // namespace heapglass_test
