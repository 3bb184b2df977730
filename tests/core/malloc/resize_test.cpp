// calloc, realloc, memalign, usable size and bulk_free: what the C standard and the header promise.
#include "malloc/size_classes.hpp"

#include "malloc_rig.hpp"

namespace heapglass_test {
namespace {

using MallocResize = MallocRig;

constexpr std::size_t kAll = ~std::size_t{0};

TEST_F(MallocResize, ZeroBytesAreABlockOfTheirOwn) {
  unsigned char *const a = take(0);
  unsigned char *const b = take(0);
  ASSERT_NE(a, nullptr);
  EXPECT_NE(a, b);
  EXPECT_GE(hg_malloc_usable_size(a), 1u);
  hg_free(a);
  hg_free(b);
  hg_free(nullptr);
}

TEST_F(MallocResize, RequestsNoHeapCanMeetAreRefused) {
  EXPECT_EQ(hg_malloc(kAll), nullptr);
  EXPECT_EQ(hg_malloc(kAll / 2 + 1), nullptr);
  for (std::size_t less = 0; less < 64; ++less) ASSERT_EQ(hg_malloc(kAll - less), nullptr);
  EXPECT_EQ(hg_memalign(64, kAll), nullptr);
  EXPECT_EQ(hg_memalign(1u << 20, kAll - 70000), nullptr);
}

TEST_F(MallocResize, CallocRefusesAProductThatOverflows) {
  EXPECT_EQ(hg_calloc(kAll, 2), nullptr);
  EXPECT_EQ(hg_calloc(2, kAll), nullptr);
  EXPECT_EQ(hg_calloc(kAll / 2 + 1, 2), nullptr);
  EXPECT_EQ(hg_calloc(kAll / 3, 4), nullptr);
  EXPECT_EQ(hg_calloc(std::size_t{1} << (kWordBytes * 4), std::size_t{1} << (kWordBytes * 4)), nullptr);
  void *const none = hg_calloc(0, 100);
  EXPECT_NE(none, nullptr);
  hg_free(none);
}

TEST_F(MallocResize, CallocClearsReusedBlocksUpToWhatWasAskedFor) {
  for (const std::size_t size : {1u, 12u, 13u, 100u, 260u, 1000u, 4097u, 8192u, 50000u, 700000u}) {
    unsigned char *const dirty = take(size);
    std::memset(dirty, 0xff, hg_malloc_usable_size(dirty));
    hg_free(dirty);
    unsigned char *const mem = static_cast<unsigned char *>(hg_calloc(size, 1));
    ASSERT_EQ(mem, dirty) << "reused";
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(mem[i], 0) << size;
    hg_free(mem);
    hg_malloc_flush();
  }
}

TEST_F(MallocResize, ReallocGrowsInPlaceWhereTheNextChunkIsFree) {
  unsigned char *const mem = take(300);
  fill(mem, 300, 1);
  unsigned char *const grown = static_cast<unsigned char *>(hg_realloc(mem, 3000));
  EXPECT_EQ(grown, mem) << "it bordered free memory";
  EXPECT_GE(hg_malloc_usable_size(grown), 3000u);
  EXPECT_TRUE(has(grown, 300, 1));
  hg_free(grown);
}

TEST_F(MallocResize, ReallocMovesABlockThatCannotGrowAndKeepsItsContents) {
  for (const std::size_t size : {1u, 20u, 100u, 1000u, 5000u, 70000u}) {
    unsigned char *const mem = take(size);
    unsigned char *const wall = take(24);
    const std::size_t usable = hg_malloc_usable_size(mem);
    fill(mem, usable, 2);
    unsigned char *const moved = static_cast<unsigned char *>(hg_realloc(mem, size * 4 + 64));
    ASSERT_NE(moved, nullptr);
    ASSERT_NE(moved, mem);
    ASSERT_TRUE(has(moved, usable, 2)) << size;
    ASSERT_GE(hg_malloc_usable_size(moved), size * 4 + 64);
    fill(moved, size * 4 + 64, 3);
    hg_free(moved);
    hg_free(wall);
    hg_malloc_flush();
  }
}

TEST_F(MallocResize, ReallocShrinksInPlaceAndKeepsTheBeginning) {
  for (const std::size_t size : {200u, 4000u, 9000u, 300000u}) {
    unsigned char *const mem = take(size);
    unsigned char *const wall = take(24);
    fill(mem, size, 4);
    for (std::size_t less = size; less > 1; less = less * 2 / 3) {
      ASSERT_EQ(hg_realloc(mem, less), mem) << less;
      ASSERT_TRUE(has(mem, less, 4)) << less;
      ASSERT_GE(hg_malloc_usable_size(mem), less);
    }
    EXPECT_LE(hg_malloc_usable_size(mem), 64u) << "the tail went back";
    HG_EXPECT_SOUND(nullptr);
    hg_free(mem);
    hg_free(wall);
    hg_malloc_flush();
  }
}

TEST_F(MallocResize, ReallocOfNothingAllocatesAndToNothingKeepsTheLeastBlock) {
  for (const std::size_t size : {50u, 5000u, 500000u}) {
    unsigned char *const mem = static_cast<unsigned char *>(hg_realloc(nullptr, size));
    ASSERT_NE(mem, nullptr);
    fill(mem, size, 5);
    void *const least = hg_realloc(mem, 0);
    ASSERT_NE(least, nullptr) << "NULL would mean failure, and the caller would free the block again";
    EXPECT_LE(hg_malloc_usable_size(least), 64u) << "the tail went back";
    void *const other = hg_malloc(1);
    EXPECT_NE(other, least) << "the block is still in use";
    hg_free(other);
    EXPECT_EQ(hg_realloc_in_place(least, 0), least);
    HG_EXPECT_SOUND(nullptr);
    hg_free(least);
  }
  EXPECT_EQ(hg_realloc_in_place(nullptr, 0), nullptr);
  hg_free(hg_realloc(nullptr, 0));
}

TEST_F(MallocResize, ARefusedReallocLeavesTheBlockAsItWas) {
  unsigned char *const mem = take(100);
  const std::size_t usable = hg_malloc_usable_size(mem);
  fill(mem, usable, 6);
  EXPECT_EQ(hg_realloc(mem, kAll), nullptr);
  EXPECT_EQ(hg_realloc(mem, kAll - 100), nullptr);
  EXPECT_EQ(hg_malloc_usable_size(mem), usable);
  EXPECT_TRUE(has(mem, usable, 6));
  hg_free(mem);
}

TEST_F(MallocResize, ReallocStepByStepThroughAllSizesKeepsEveryByte) {
  unsigned char *mem = take(1);
  unsigned char *other = take(1);
  fill(mem, 1, 7);
  fill(other, 1, 8);
  std::size_t size = 1;
  for (int step = 0; step < 400; ++step) {
    const std::size_t next = size + size / 16 + 1 + static_cast<std::size_t>(step % 3);
    mem = static_cast<unsigned char *>(hg_realloc(mem, next));
    ASSERT_TRUE(has(mem, size, 7)) << size;
    fill(mem, next, 7);
    other = static_cast<unsigned char *>(hg_realloc(other, next));
    ASSERT_TRUE(has(other, size, 8)) << size;
    fill(other, next, 8);
    size = next;
    if (size > 3u << 20) size = 1;
  }
  hg_free(mem);
  hg_free(other);
}

TEST_F(MallocResize, ReallocInPlaceNeverMoves) {
  unsigned char *const mem = take(300);
  unsigned char *const wall = take(300);
  fill(mem, 300, 9);
  EXPECT_EQ(hg_realloc_in_place(mem, 5000), nullptr);
  EXPECT_TRUE(has(mem, 300, 9));
  hg_free(wall);
  hg_malloc_flush();
  EXPECT_EQ(hg_realloc_in_place(mem, 5000), mem);
  EXPECT_TRUE(has(mem, 300, 9));
  EXPECT_EQ(hg_realloc_in_place(mem, 10), mem);
  EXPECT_TRUE(has(mem, 10, 9));
  EXPECT_EQ(hg_realloc_in_place(nullptr, 10), nullptr);
  EXPECT_EQ(hg_realloc_in_place(mem, kAll), nullptr);
  hg_free(mem);
}

// What lies behind a block whose growth is asked for.
enum class Behind { kInUse, kCached, kWaiting, kFree };

// Asks one command for one growth; whether the block grew where it is.
template <class Resize>
bool grows_in_place(Behind behind, std::size_t size, std::size_t next_size, std::size_t wanted, Resize resize) {
  unsigned char *mem = take(size);
  unsigned char *const next = take(next_size);
  unsigned char *const wall = take(200);
  fill(mem, size, 18);
  if (behind != Behind::kInUse) hg_free(next);
  if (behind == Behind::kFree) hg_malloc_flush();
  unsigned char *const grown = static_cast<unsigned char *>(resize(mem, wanted));
  const bool same = grown == mem;
  if (grown != nullptr) mem = grown;
  EXPECT_TRUE(has(mem, size, 18));
  EXPECT_GE(hg_malloc_usable_size(mem), grown != nullptr ? wanted : size);
  HG_EXPECT_SOUND(nullptr);
  hg_free(mem);
  if (behind == Behind::kInUse) hg_free(next);
  hg_free(wall);
  hg_malloc_flush();
  return same;
}

// One way for both (malloc.R1, malloc.R3): the block that was freed last and waits (malloc.W2) is room to grow for either.
TEST_F(MallocResize, ReallocInPlaceGrowsABlockWhereverReallocKeepsItInPlace) {
  constexpr std::size_t kSizes[] = {1000, 9000, 20000, 300000};
  std::size_t kept = 0;
  for (const Behind behind : {Behind::kInUse, Behind::kCached, Behind::kWaiting, Behind::kFree}) {
    for (const std::size_t size : kSizes) {
      const std::size_t next_size = behind == Behind::kCached ? 4000 : 20000;
      for (const std::size_t more : {std::size_t{500}, next_size / 2, next_size - 300, next_size + 3000}) {
        const bool by_realloc = grows_in_place(behind, size, next_size, size + more, hg_realloc);
        const bool in_place = grows_in_place(behind, size, next_size, size + more, hg_realloc_in_place);
        ASSERT_EQ(in_place, by_realloc) << static_cast<int>(behind) << ": " << size << " by " << more;
        ASSERT_EQ(in_place, behind >= Behind::kWaiting && more < next_size) << static_cast<int>(behind) << ": " << size << " by " << more;
        kept += in_place;
      }
    }
  }
  EXPECT_EQ(kept, 2u * 4 * 3);
}

TEST_F(MallocResize, ReallocInPlaceLeavesABlockAsReallocDoesWhenLessThanASixteenthOfItWouldBeCutOff) {
  for (const std::size_t size : {1000u, 4000u, 7000u}) {
    unsigned char *const mem = take(size);
    const std::size_t usable = hg_malloc_usable_size(mem);
    EXPECT_EQ(hg_realloc_in_place(mem, usable - usable / 20), mem);
    EXPECT_EQ(hg_malloc_usable_size(mem), usable) << size;
    EXPECT_EQ(hg_realloc_in_place(mem, usable - usable / 8), mem);
    EXPECT_LT(hg_malloc_usable_size(mem), usable) << size;
    hg_free(mem);
  }
}

TEST_F(MallocResize, MemalignMeetsEveryPowerOfTwoToOneMegabyte) {
  for (std::size_t alignment = 1; alignment <= 1u << 20; alignment *= 2) {
    unsigned char *blocks[6];
    const std::size_t sizes[6] = {0, 1, 40, 1000, 9000, 100000};
    for (int i = 0; i < 6; ++i) {
      blocks[i] = static_cast<unsigned char *>(hg_memalign(alignment, sizes[i]));
      ASSERT_NE(blocks[i], nullptr) << alignment;
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(blocks[i]) % alignment, 0u);
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(blocks[i]) % kAlignBytes, 0u);
      ASSERT_GE(hg_malloc_usable_size(blocks[i]), sizes[i]);
      fill(blocks[i], sizes[i], 10);
    }
    HG_EXPECT_SOUND(nullptr);
    for (int i = 0; i < 6; ++i) {
      ASSERT_TRUE(has(blocks[i], sizes[i], 10));
      hg_free(blocks[i]);
    }
    HG_EXPECT_SOUND(nullptr);
  }
}

TEST_F(MallocResize, AnAlignedBlockCanBeReallocatedAndItsMemoryReused) {
  for (const std::size_t alignment : {64u, 4096u, 65536u}) {
    unsigned char *mem = static_cast<unsigned char *>(hg_memalign(alignment, 300));
    fill(mem, 300, 11);
    unsigned char *const wall = take(1);
    mem = static_cast<unsigned char *>(hg_realloc(mem, 20000));
    ASSERT_TRUE(has(mem, 300, 11));
    fill(mem, 20000, 12);
    hg_free(mem);
    hg_free(take(20000));
    hg_free(wall);
  }
}

TEST_F(MallocResize, MemalignTakesACachedBlockThatIsAligned) {
  for (const std::size_t alignment : {32u, 64u, 256u, 4096u}) {
    unsigned char *const mem = static_cast<unsigned char *>(hg_memalign(alignment, 300));
    unsigned char *const wall = take(1);
    fill(mem, 300, 13);
    hg_free(mem);
    const std::size_t chunks = stats_of(nullptr).chunks_in_use;
    ASSERT_EQ(hg_memalign(alignment, 300), mem) << alignment;
    ASSERT_EQ(stats_of(nullptr).chunks_in_use, chunks) << "nothing was cut";
    ASSERT_EQ(hg_malloc_usable_size(mem) + kWordBytes, heapglass::chunk_bytes_for(300));
    hg_free(mem);
    ASSERT_EQ(take(300), mem) << "an aligned block serves plain requests too";
    hg_free(mem);
    hg_free(wall);
    hg_malloc_flush();
  }
}

TEST_F(MallocResize, MemalignPassesOverACachedBlockThatIsNotAligned) {
  std::vector<unsigned char *> blocks;
  do blocks.push_back(take(300));
  while (reinterpret_cast<std::uintptr_t>(blocks.back()) % 4096 == 0);
  hg_free(blocks.back());
  unsigned char *const aligned = static_cast<unsigned char *>(hg_memalign(4096, 300));
  EXPECT_NE(aligned, blocks.back());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned) % 4096, 0u);
  EXPECT_EQ(take(300), blocks.back()) << "it is still cached";
  hg_free(aligned);
  for (unsigned char *const block : blocks) hg_free(block);
}

TEST_F(MallocResize, ASmallBlockThatGrowsMovesToACachedChunkOfItsNewClass) {
  unsigned char *const cached = take(200);
  unsigned char *const mem = take(40);
  fill(mem, 40, 14);
  hg_free(cached);
  EXPECT_EQ(hg_realloc(mem, 200), cached) << "though it could grow in place";
  EXPECT_TRUE(has(cached, 40, 14));
  EXPECT_EQ(take(40), mem) << "the block it left is cached";
  hg_free(cached);
  hg_free(mem);
}

TEST_F(MallocResize, ASmallBlockThatShrinksMovesToACachedChunkOfItsNewClass) {
  unsigned char *const cached = take(40);
  unsigned char *const mem = take(200);
  fill(mem, 200, 15);
  hg_free(cached);
  EXPECT_EQ(hg_realloc(mem, 40), cached);
  EXPECT_TRUE(has(cached, 40, 15));
  EXPECT_EQ(take(200), mem);
  hg_free(cached);
  hg_free(mem);
}

TEST_F(MallocResize, ALargerBlockIsNotMovedToACachedChunk) {
  unsigned char *const cached = take(1000);
  unsigned char *const mem = take(600);
  fill(mem, 600, 16);
  hg_free(cached);
  EXPECT_EQ(hg_realloc(mem, 1000), mem) << "it bordered free memory";
  EXPECT_TRUE(has(mem, 600, 16));
  hg_free(mem);
}

TEST_F(MallocResize, ALargerBlockThatMustMoveTakesACachedChunkOfItsNewClass) {
  unsigned char *const cached = take(1000);
  unsigned char *const mem = take(600);
  unsigned char *const wall = take(200);
  fill(mem, 600, 17);
  hg_free(cached);
  EXPECT_EQ(hg_realloc(mem, 1000), cached) << "no chunk is cut while one is cached";
  EXPECT_TRUE(has(cached, 600, 17));
  hg_free(cached);
  hg_free(wall);
}

TEST_F(MallocResize, ABlockStaysWhenLessThanASixteenthOfItWouldBeCutOff) {
  for (const std::size_t size : {1000u, 4000u, 7000u}) {
    unsigned char *const mem = take(size);
    const std::size_t usable = hg_malloc_usable_size(mem);
    EXPECT_EQ(hg_realloc(mem, usable - usable / 20), mem);
    EXPECT_EQ(hg_malloc_usable_size(mem), usable) << size;
    EXPECT_EQ(hg_realloc(mem, usable - usable / 8), mem);
    EXPECT_LT(hg_malloc_usable_size(mem), usable) << size;
    hg_free(mem);
  }
}

// malloc.R4. Holes of every size up to 256 KiB: a block that always took the smallest one would move at nearly each step.
TEST_F(MallocResize, ABlockThatGrowsBySmallStepsAmongHolesMovesFewTimes) {
  constexpr std::size_t kMost = 256 * 1024, kFirst = 40 * 1024, kStep = 512;
  std::vector<void *> holes, walls;
  for (std::size_t size = kFirst; size <= kMost + kMost / 2; size += 4096) {
    holes.push_back(hg_malloc(size));
    walls.push_back(hg_malloc(200));
  }
  char *mem = static_cast<char *>(hg_malloc(kFirst));
  walls.push_back(hg_malloc(200));
  for (void *const hole : holes) hg_free(hole);
  std::size_t moves = 0;
  for (std::size_t size = kFirst; size < kMost; size += kStep) {
    mem[size - 1] = static_cast<char>(size / kStep);
    char *const to = static_cast<char *>(hg_realloc(mem, size + kStep));
    ASSERT_NE(to, nullptr);
    if (to != mem) ++moves;
    mem = to;
    ASSERT_EQ(mem[size - 1], static_cast<char>(size / kStep));
  }
  EXPECT_LE(moves, 8u);  // half more at each: 40 KiB is 256 KiB after five
  EXPECT_GE(moves, 1u);
  hg_free(mem);
  for (void *const wall : walls) hg_free(wall);
  EXPECT_EQ(hg_heap_check(nullptr), nullptr);
}

TEST_F(MallocResize, MemalignRefusesWhatIsNoPowerOfTwo) {
  for (const std::size_t alignment : {0u, 3u, 5u, 6u, 12u, 24u, 100u, 65535u}) EXPECT_EQ(hg_memalign(alignment, 10), nullptr);
}

TEST_F(MallocResize, UsableSizeIsAllTheCallersAndNothingForNull) {
  EXPECT_EQ(hg_malloc_usable_size(nullptr), 0u);
  std::vector<unsigned char *> blocks;
  for (std::size_t size = 0; size < 3000; size += 7) {
    blocks.push_back(take(size));
    fill(blocks.back(), hg_malloc_usable_size(blocks.back()), static_cast<unsigned>(size));
  }
  HG_EXPECT_SOUND(nullptr);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    ASSERT_TRUE(has(blocks[i], hg_malloc_usable_size(blocks[i]), static_cast<unsigned>(i * 7)));
    hg_free(blocks[i]);
  }
}

TEST_F(MallocResize, BulkFreeFreesAllAndClearsTheArray) {
  std::vector<void *> blocks;
  for (std::size_t i = 0; i < 200; ++i) blocks.push_back(i % 7 == 0 ? nullptr : take(i * 50));
  EXPECT_EQ(hg_bulk_free(blocks.data(), blocks.size()), 0u);
  for (void *const block : blocks) ASSERT_EQ(block, nullptr);
  EXPECT_EQ(hg_bulk_free(nullptr, 0), 0u);
  hg_malloc_flush();
  EXPECT_EQ(stats_of(nullptr).chunks_in_use, 0u);
}

#if HG_CHECKED
// What lies behind a block is no content of it: the new bytes are filled as those of any new block.
TEST_F(MallocResize, ABlockThatMovesTakesItsOwnBytesAndNoneBehindThem) {
  for (const std::size_t size : {24u, 1000u, 40'000u, 100'000u}) {
    unsigned char *const mem = take(size);
    unsigned char *const wall = take(size);
    const std::size_t usable = hg_malloc_usable_size(mem);
    std::memset(mem, 0x11, usable);
    std::memset(wall, 0x22, size);
    unsigned char *const moved = static_cast<unsigned char *>(hg_realloc(mem, 3 * size));
    ASSERT_NE(moved, mem);
    for (std::size_t i = 0; i < usable; ++i) ASSERT_EQ(moved[i], 0x11) << size << " at " << i;
    for (std::size_t i = usable; i < 3 * size; ++i) ASSERT_EQ(moved[i], 0xa5) << size << " at " << i - usable;
    hg_free(moved);
    hg_free(wall);
  }
}
#endif

}  // namespace
}  // namespace heapglass_test
