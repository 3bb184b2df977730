// Freed blocks come back: the last one first, to requests of their size class, never to larger ones.
#include <algorithm>
#include <vector>

#include "malloc/size_classes.hpp"

#include "malloc_rig.hpp"

namespace heapglass_test {
namespace {

using MallocReuse = MallocRig;

using heapglass::kListedBytes;
using heapglass::kMaxListed;

TEST_F(MallocReuse, EveryRequestUpTo8200GetsAtLeastItsSizeAlignedAndLosesAtMostASixteenth) {
  for (std::size_t size = 0; size <= 8200; ++size) {
    unsigned char *const mem = take(size);
    ASSERT_NE(mem, nullptr);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(mem) % kAlignBytes, 0u);
    const std::size_t usable = hg_malloc_usable_size(mem);
    ASSERT_GE(usable, size);
    ASSERT_GE(usable, 1u);
    // A chunk of the heap may be one unit larger than asked: the rest would be no chunk.
    ASSERT_LE(usable + kWordBytes, chunk_bytes(size) + chunk_bytes(size) / 16 + kAlignBytes) << size;
    std::memset(mem, 0x33, usable);
    hg_free(mem);
    hg_malloc_flush();
  }
}

TEST_F(MallocReuse, AFreedBlockServesTheNextRequestOfItsSize) {
  std::vector<std::size_t> sizes = {kMaxListed, kMaxListed + 1, kListedBytes, 10000, 65536, 100000, 1 << 20, 3 << 20};
  for (std::size_t size = 0; size <= 8200; size += size < 300 ? 1 : 37) sizes.push_back(size);
  for (const std::size_t size : sizes) {
    unsigned char *const mem = take(size);
    ASSERT_NE(mem, nullptr);
    const std::size_t usable = hg_malloc_usable_size(mem);
    hg_free(mem);
    ASSERT_EQ(take(size), mem) << size;
    ASSERT_EQ(hg_malloc_usable_size(mem), usable);
    hg_free(mem);
    hg_malloc_flush();
  }
}

TEST_F(MallocReuse, OfSeveralFreedBlocksTheLastComesFirst) {
  for (const std::size_t size : {1u, 8u, 24u, 100u, 1000u, 4096u, 7900u}) {
    unsigned char *blocks[5];
    for (unsigned char *&block : blocks) block = take(size);
    unsigned char *const wall = take(1);
    for (unsigned char *const block : blocks) hg_free(block);
    for (int i = 4; i >= 0; --i) ASSERT_EQ(take(size), blocks[i]) << size;
    for (unsigned char *const block : blocks) hg_free(block);
    hg_free(wall);
    hg_malloc_flush();
  }
}

TEST_F(MallocReuse, FreedBlocksAreNotJoinedUntilTheCacheIsFlushed) {
  unsigned char *blocks[20];
  for (unsigned char *&block : blocks) block = take(200);
  for (unsigned char *const block : blocks) hg_free(block);
  EXPECT_EQ(stats_of(nullptr).chunks_in_use, 20u);
  EXPECT_EQ(hg_malloc_flush(), 20 * chunk_bytes(200));
  EXPECT_EQ(stats_of(nullptr).chunks_in_use, 0u);
}

// Blocks of 2000 bytes, each with a free chunk before it: only the first is cached, while its list is empty.
TEST_F(MallocReuse, BehindAFreeChunkABlockIsJoinedUnlessItsListIsEmpty) {
  constexpr int kPlaces = 6;
  unsigned char *holes[kPlaces], *blocks[kPlaces];
  for (int i = 0; i < kPlaces; ++i) {
    holes[i] = take(20000 + 4000u * static_cast<unsigned>(i));
    blocks[i] = take(2000);
  }
  unsigned char *const wall = take(1);
  for (unsigned char *const hole : holes) hg_free(hole);
  unsigned char *const other = take(100'000);  // so no hole waits
  const std::size_t before = stats_of(nullptr).chunks_in_use;
  for (unsigned char *const block : blocks) hg_free(block);
  EXPECT_EQ(before - stats_of(nullptr).chunks_in_use, kPlaces - 1u);
  EXPECT_EQ(take(2000), blocks[0]);
  hg_free(blocks[0]);
  hg_free(other);
  hg_free(wall);
}

TEST_F(MallocReuse, AFreedBlockServesTheRequestsOfItsClassAndOfTheFewBelowItAndKeepsItsSize) {
  hg_free(hg_malloc(4 << 20));  // room enough: nothing is flushed, and the heap has no chunk of that size
  int served = 0;
  Random random{3};
  for (int i = 0; i < 2000; ++i) {
    const std::size_t size = 200 + random.below(7000);
    unsigned char *const mem = take(size);
    const std::size_t usable = hg_malloc_usable_size(mem);
    hg_free(mem);
    const std::size_t less = size - random.below(static_cast<std::uint32_t>(size / 3 + 1));
    unsigned char *const again = take(less);
    ASSERT_GE(hg_malloc_usable_size(again), less);
    const unsigned wanted = heapglass::class_for_request(less);
    ASSERT_EQ(again == mem, heapglass::class_for_request(size) < heapglass::end_of_near(wanted)) << size << " and " << less;
    if (again == mem) {
      ++served;
      ASSERT_LE(usable, heapglass::chunk_bytes_for(less) * 5 / 4) << less << ": malloc.S2";
      ASSERT_EQ(hg_malloc_usable_size(again), usable);
    }
    hg_free(again);
    hg_malloc_flush();
  }
  EXPECT_GT(served, 200);
}

// malloc.S2, for chunks that became old meanwhile (malloc.L2).
TEST_F(MallocReuse, AnOldChunkOfAClassAboveServesToo) {
  const std::size_t near = heapglass::units_of_class(heapglass::class_for_request(1000) + 4) * kAlignBytes - kWordBytes;
  unsigned char *const mem = take(near);
  unsigned char *const wall = take(1);
  hg_free(mem);
  std::vector<unsigned char *> carved;  // a share, once: the cache has aged, and nothing old has gone back yet
  while (carved.size() * 3000 < 130'000) carved.push_back(take(3000));
  EXPECT_EQ(take(1000), mem);
  hg_free(mem);
  for (unsigned char *const block : carved) hg_free(block);
  hg_free(wall);
}

// The heap's own blocks and shrunk ones have sizes between two classes.
TEST_F(MallocReuse, AChunkBetweenTwoClassesServesTheSmallerOne) {
  hg_free(hg_malloc(4 << 20));
  for (std::size_t chunk = 16 * kAlignBytes; chunk < kListedBytes; chunk += chunk < 1024 ? kAlignBytes : 7 * kAlignBytes) {
    const unsigned of_chunk = heapglass::class_of_units(chunk / kAlignBytes);
    const std::size_t served = heapglass::units_of_class(of_chunk) * kAlignBytes - kWordBytes;  // its class's largest request
    for (const std::size_t request : {served, served + 1}) {
      void *const mem = hg_heap_allocate(nullptr, chunk - kWordBytes);
      ASSERT_EQ(hg_malloc_usable_size(mem), chunk - kWordBytes);
      hg_free(mem);
      unsigned char *const again = take(request);
      ASSERT_EQ(again == mem, request == served) << "a chunk of " << chunk << " and a request of " << request;
      hg_free(again);
      hg_malloc_flush();
    }
  }
}

TEST_F(MallocReuse, ASmallerBlockNeverServes) {
  for (std::size_t size = 150; size <= kMaxListed; size += size < 600 ? 1 : 101) {  // below, an empty slab may end between both
    unsigned char *const mem = take(size);
    const std::size_t usable = hg_malloc_usable_size(mem);
    hg_free(mem);
    unsigned char *const larger = take(usable + 1);
    ASSERT_NE(larger, mem) << size;
    ASSERT_GE(hg_malloc_usable_size(larger), usable + 1);
    hg_free(larger);
    hg_malloc_flush();
  }
}

constexpr std::size_t kLargeSizes[] = {kMaxListed + 1, kListedBytes - kWordBytes, kListedBytes, 100'000, std::size_t{20} << 20};

TEST_F(MallocReuse, OfLargeBlocksOnlyTheOneFreedLastWaits) {
  for (const std::size_t size : kLargeSizes) {
    unsigned char *const before = take(size);
    unsigned char *const mem = take(size);
    unsigned char *const behind = take(size);
    ASSERT_NE(behind, nullptr);
    mem[0] = mem[size - 1] = 1;
    const std::size_t bytes = hg_malloc_usable_size(mem) + kWordBytes;
    hg_free(mem);
    ASSERT_EQ(malloc_stats().cached, bytes) << size;
    ASSERT_EQ(take(size), mem) << size;
    ASSERT_EQ(malloc_stats().cached, 0u) << size;
    hg_free(mem);
    hg_free(before);
    ASSERT_EQ(malloc_stats().cached, bytes) << size;
    ASSERT_EQ(stats_of(nullptr).chunks_in_use, 2u) << size;
    ASSERT_EQ(take(2 * size), before) << "the heap found both, joined: " << size;
    hg_free(before);
    hg_free(behind);
    hg_malloc_flush();
    ASSERT_EQ(stats_of(nullptr).chunks_in_use, 0u) << size;
  }
}

// malloc.W1
TEST_F(MallocReuse, ALargeBlockBehindAFreeOneDoesNotWait) {
  for (const std::size_t size : kLargeSizes) {
    unsigned char *const before = take(size);
    unsigned char *const mem = take(size);
    unsigned char *const behind = take(size);
    hg_free(before);
    hg_free(mem);
    ASSERT_EQ(malloc_stats().cached, 0u) << size;
    ASSERT_EQ(take(2 * size), before) << "the heap found both, joined: " << size;
    hg_free(before);
    hg_free(behind);
    hg_malloc_flush();
  }
}

TEST_F(MallocReuse, TheChunkThatWaitsIsCutForASmallerRequest) {
  for (const std::size_t size : kLargeSizes) {
    unsigned char *const mem = take(3 * size);
    unsigned char *const behind = take(size);
    hg_free(mem);
    unsigned char *const smaller = take(size);
    ASSERT_EQ(smaller, mem) << size;
    ASSERT_LT(hg_malloc_usable_size(smaller), 2 * size) << size;
    hg_free(smaller);
    hg_free(behind);
    hg_malloc_flush();
  }
}

TEST_F(MallocReuse, ABlockGrowsOverTheChunkThatWaits) {
  for (const std::size_t size : kLargeSizes) {
    unsigned char *const mem = take(size);
    unsigned char *const behind = take(size);
    unsigned char *const wall = take(size);
    hg_free(behind);
    ASSERT_EQ(hg_realloc(mem, 2 * size), mem) << size;
    ASSERT_EQ(malloc_stats().cached, 0u) << size;
    hg_free(mem);
    hg_free(wall);
    hg_malloc_flush();
  }
}

TEST_F(MallocReuse, BlocksOfEveryClassAreCached) {
  for (unsigned k = heapglass::class_for_request(150); k < heapglass::kLists; ++k) {
    unsigned char *const mem = take(heapglass::units_of_class(k) * kAlignBytes - kWordBytes);
    hg_free(mem);
    ASSERT_EQ(stats_of(nullptr).chunks_in_use, 1u) << k;
    ASSERT_GT(hg_malloc_flush(), 0u) << k;
  }
}

TEST_F(MallocReuse, ManyRandomBlocksNeverOverlapAndKeepTheirContents) {
  struct Block { unsigned char *mem; std::size_t size; unsigned mark; };
  std::vector<Block> blocks;
  Random random{11};
  for (unsigned i = 0; i < 40000; ++i) {
    if (blocks.size() < 400 && random.below(2) == 0) {
      const std::size_t size = random.below(random.below(10) == 0 ? 30000 : 500);
      blocks.push_back({take(size), size, i});
      fill(blocks.back().mem, size, i);
    } else if (!blocks.empty()) {
      const std::size_t at = random.below(static_cast<std::uint32_t>(blocks.size()));
      ASSERT_TRUE(has(blocks[at].mem, blocks[at].size, blocks[at].mark)) << i;
      hg_free(blocks[at].mem);
      blocks[at] = blocks.back();
      blocks.pop_back();
    }
    if (i % 1000 == 0) HG_EXPECT_SOUND(nullptr);
  }
  for (const Block &block : blocks) {
    ASSERT_TRUE(has(block.mem, block.size, block.mark));
    hg_free(block.mem);
  }
}

}  // namespace
}  // namespace heapglass_test
