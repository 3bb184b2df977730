// Blocks in slabs keep malloc's promises: they do not overlap, keep their bytes, come back to the heap, and obey the heap's commands.
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "hardened/slab_rig.hpp"
#include "slab_ends.hpp"

namespace heapglass_test {

TEST(Slab, SmallBlocksHaveNoHeadersBetweenThem) {
  const std::vector<void *> blocks = take_blocks();
  const Slab *const slab = slab_of(blocks[300]);
  ASSERT_NE(slab, nullptr);
  size_t beside = 0;
  for (const void *mem : blocks) {
    for (const void *other : blocks) beside += static_cast<const char *>(other) == static_cast<const char *>(mem) + kSmall ? 1 : 0;
  }
  EXPECT_GT(beside, blocks.size() / 2);
  EXPECT_EQ(heapglass::capacity_of(slab), blocks_of_full_slab(blocks).size());
  for (void *mem : blocks) hg_free(mem);
}

TEST(Slab, AYoungClassHasSingleChunks) {
  void *const first = hg_malloc(256);
  void *const second = hg_malloc(256);
  void *const third = hg_malloc(256);
  EXPECT_EQ(slab_of(first), nullptr);
  EXPECT_EQ(slab_of(second), nullptr);
  EXPECT_NE(slab_of(third), nullptr);
  hg_free(first);
  hg_free(second);
  hg_free(third);
}

// Exits with the chunks in use after all is freed: the map has gone with the last slab.
[[noreturn]] void free_everything_and_exit() {
  std::vector<void *> blocks;
  for (size_t n = 0; n < 20'000; ++n) blocks.push_back(hg_malloc(n % 2000));
  for (void *mem : blocks) hg_free(mem);
  hg_malloc_trim(0);
  hg_heap_stats stats;
  hg_heap_get_stats(hg_default_heap(), &stats);
  std::_Exit(static_cast<int>(stats.chunks_in_use + stats.segments - 1));
}

TEST(Slab, AfterEverythingIsFreedAndTrimmedNothingOfMallocsStays) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process in which nothing was allocated
  EXPECT_EXIT(free_everything_and_exit(), ::testing::ExitedWithCode(0), "");
  GTEST_FLAG_SET(death_test_style, "fast");
}

// Small blocks and larger ones of malloc in one chain, which the heap frees.
TEST(Slab, TheHeapFreesAChainOfBlocksInSlabsAndOfChunks) {
  hg_malloc_flush();
  hg_malloc_stats before, after;
  hg_malloc_get_stats(&before);
  hg_chain chain;
  hg_chain_init(&chain);
  for (size_t n = 0; n < 1000; ++n) hg_chain_push_back(&chain, hg_malloc(n % 3 == 0 ? 700 : 48));
  hg_heap_burst_deallocate(hg_default_heap(), &chain);
  EXPECT_EQ(chain.count, 0u);
  EXPECT_EQ(chain.first, nullptr);
  EXPECT_EQ(hg_heap_check(hg_default_heap()), nullptr);
  hg_malloc_flush();
  hg_malloc_get_stats(&after);
  EXPECT_EQ(after.in_use, before.in_use);
}

TEST(Slab, EachSizeHasItsBlocksAlignedAndInsideItsSlab) {
  for (size_t size = 0; size <= heapglass::kMaxSlabRequest; ++size) {
    std::vector<void *> blocks;
    for (int n = 0; n < 40; ++n) blocks.push_back(hg_malloc(size));
    for (void *mem : blocks) {
      ASSERT_EQ(heapglass::address_of(mem) % heapglass::kAlign, 0u);
      const size_t usable = hg_malloc_usable_size(mem);
      ASSERT_GE(usable, size);
      const Slab *const slab = slab_of(mem);
      if (slab == nullptr) continue;
      ASSERT_LE(usable, size + 16);
      const char *const end = reinterpret_cast<const char *>(slab) + heapglass::steps_of(slab) * heapglass::kSlabStep - heapglass::kWord;
      ASSERT_LE(static_cast<const char *>(mem) + usable, end);
      ASSERT_LE(heapglass::capacity_of(slab), heapglass::kMaxBlocks);
    }
    for (void *mem : blocks) hg_free(mem);
  }
}

// malloc.P6: whichever of its class's lists a chunk is on.
TEST(Slab, WhatIsFreedOfAListedSizeServesTheNextOfThatSize) {
  hg_malloc_flush();
  const auto take = [] {
    std::vector<void *> blocks;
    for (size_t n = 0; n < 300; ++n) blocks.push_back(hg_malloc(std::array<size_t, 3>{300, 1000, 4000}[n % 3]));
    return blocks;
  };
  const std::vector<void *> first = take();
  for (void *const mem : first) hg_free(mem);
  const std::vector<void *> second = take();
  EXPECT_EQ(std::set<void *>(second.begin(), second.end()), std::set<void *>(first.begin(), first.end()));
  for (void *const mem : second) hg_free(mem);
}

TEST(Slab, RandomCallsKeepTheBytesOfEachBlock) {
  struct Block {
    size_t size;
    unsigned char mark;
  };
  std::map<char *, Block> live;
  std::mt19937 random(35001);
  const auto draw = [&](size_t below) { return static_cast<size_t>(random() % below); };
  const auto enter = [&](void *mem, size_t size) {
    ASSERT_NE(mem, nullptr);
    char *const at = static_cast<char *>(mem);
    const auto behind = live.lower_bound(at);
    if (behind != live.end()) {
      ASSERT_LE(at + size, behind->first);
    }
    if (behind != live.begin()) {
      ASSERT_LE(std::prev(behind)->first + std::prev(behind)->second.size, at);
    }
    const auto mark = static_cast<unsigned char>(random());
    std::memset(at, mark, size);
    live[at] = {size, mark};
  };
  const auto is_kept = [](const char *at, size_t size, unsigned char mark) {
    for (size_t i = 0; i < size; ++i) {
      if (static_cast<unsigned char>(at[i]) != mark) return false;
    }
    return true;
  };
  for (int call = 0; call < 200'000; ++call) {
    const size_t size = draw(20) == 0 ? draw(5000) : draw(8) == 0 ? draw(600) : draw(80);
    if (live.size() < 400 + draw(1600)) {
      void *const mem = draw(20) == 0 ? hg_memalign(size_t{1} << draw(8), size) : draw(10) == 0 ? hg_calloc(1, size) : hg_malloc(size);
      enter(mem, size);
    } else {
      auto one = live.lower_bound(std::next(live.begin(), static_cast<long>(draw(live.size())))->first);
      char *const at = one->first;
      const Block block = one->second;
      ASSERT_TRUE(is_kept(at, block.size, block.mark));
      live.erase(one);
      if (draw(6) == 0) {
        char *const moved = static_cast<char *>(hg_realloc(at, size));
        ASSERT_TRUE(is_kept(moved, size < block.size ? size : block.size, block.mark));
        enter(moved, size);
      } else {
        hg_free(at);
      }
    }
    if (draw(20'000) == 0) hg_malloc_flush();
    if (draw(20'000) == 0) {
      ASSERT_EQ(hg_heap_check(nullptr), nullptr);
    }
    if (testing::Test::HasFatalFailure()) return;
  }
  for (const auto &[at, block] : live) {
    ASSERT_TRUE(is_kept(at, block.size, block.mark));
    hg_free(at);
  }
}

TEST(Slab, WhatIsFreedGoesBackToTheHeap) {
  hg_malloc_flush();
  hg_malloc_stats before;
  hg_malloc_get_stats(&before);
  std::vector<void *> blocks = take_blocks(20'000);
  hg_malloc_stats full;
  hg_malloc_get_stats(&full);
  EXPECT_GE(full.in_use - before.in_use, 20'000 * kSmall);
  EXPECT_LT(full.in_use - before.in_use, 20'000 * (kSmall + 1));
  for (void *mem : blocks) hg_free(mem);
  hg_malloc_flush();
  hg_malloc_stats after;
  hg_malloc_get_stats(&after);
  EXPECT_EQ(after.in_use, before.in_use);
  EXPECT_LT(after.cached, before.cached + 16 * 1024u);  // the map, which is longer now
  EXPECT_EQ(hg_heap_check(nullptr), nullptr);
}

// slabs.S9
TEST(Slab, AFlushEndsEverySlabWithoutABlockInUse) {
  for (const unsigned seed : {1u, 2u, 3u}) expect_no_slab_is_left_that_could_end(seed);
}

// slabs.S1
TEST(Slab, ASlabIsListedWhenEnoughOfAHalfIsFreeAndOnce) {
  const auto frees_until_listed = [](const std::vector<void *> &blocks) {
    const Slab *const slab = slab_of(blocks[0]);
    size_t frees = 0;
    for (void *mem : blocks) {
      EXPECT_EQ(slab->tag & heapglass::kListedSlab, 0);
      hg_free(mem);
      ++frees;
      if ((slab->tag & heapglass::kListedSlab) != 0) break;
    }
    for (size_t i = frees; i < blocks.size(); ++i) {
      hg_free(blocks[i]);
      EXPECT_NE(slab->tag & heapglass::kListedSlab, 0) << "whatever the other half has";
    }
    return frees;
  };
  for (const size_t size : {16, 48, 240}) {
    std::vector<void *> blocks;
    for (int n = 0; n < 2000; ++n) blocks.push_back(hg_malloc(size));
    std::vector<void *> of_slab;  // full, and not the current one; by address
    for (void *mem : blocks) {
      if (slab_of(mem) == slab_of(blocks[1000])) of_slab.push_back(mem);
    }
    std::sort(of_slab.begin(), of_slab.end());
    ASSERT_EQ(of_slab.size(), heapglass::capacity_of(slab_of(blocks[1000]))) << size;
    const std::set<void *> gone(of_slab.begin(), of_slab.end());
    const size_t frees = frees_until_listed(of_slab);
    EXPECT_GE(frees, of_slab.size() / 12) << size;
    EXPECT_LE(frees, 1 + of_slab.size() / 5) << size;
    for (void *mem : blocks) {
      if (gone.count(mem) == 0) hg_free(mem);
    }
    hg_malloc_flush();
    EXPECT_EQ(hg_heap_check(nullptr), nullptr);
  }
}

TEST(Slab, ABlockStaysWhileThreeQuartersOfItAreUsed) {
  const std::vector<void *> blocks = take_blocks();
  void *const mem = blocks[300];
  EXPECT_EQ(hg_realloc(mem, kSmall), mem);
  EXPECT_EQ(hg_realloc(mem, kSmall - kSmall / 4 + 1), mem);
  EXPECT_EQ(hg_realloc_in_place(mem, 1), mem);
  EXPECT_EQ(hg_realloc_in_place(mem, kSmall + 1), nullptr);
  EXPECT_EQ(hg_heap_status(nullptr), HG_STATUS_cannot_expand);
  void *const smaller = hg_realloc(mem, 16);
  EXPECT_NE(smaller, mem);
  EXPECT_EQ(*static_cast<unsigned char *>(smaller), 0x5a);
}

TEST(Slab, TheHeapsFunctionsTakeItsBlocks) {
  const std::vector<void *> blocks = take_blocks();
  void *const mem = blocks[300];
  EXPECT_EQ(hg_usable_size(mem), kSmall);
  EXPECT_EQ(hg_heap_reallocate_in_place(nullptr, mem, kSmall), mem);
  void *const larger = hg_heap_reallocate(nullptr, mem, 4 * kSmall);
  EXPECT_NE(larger, mem);
  EXPECT_EQ(*static_cast<unsigned char *>(larger), 0x5a);
  hg_heap_deallocate(nullptr, blocks[301]);
  EXPECT_EQ(hg_heap_reallocate(nullptr, blocks[302], 0), nullptr);
  EXPECT_DEATH(hg_free(blocks[301]), "double free");
  EXPECT_DEATH(hg_free(blocks[302]), "double free");
}

TEST(Slab, ForTheCommandItHasNoRoomBeside) {
  const std::vector<void *> blocks = take_blocks();
  void *const mem = blocks[300];
  const auto command = [&](uint32_t flags, size_t limit, size_t preferred) { return hg_heap_command(nullptr, flags, 8, limit, preferred, mem); };
  const hg_command_result fits = command(HG_EXPAND_FWD, 6, 100);
  EXPECT_EQ(fits.mem, mem);
  EXPECT_EQ(fits.received, 6u);
  EXPECT_EQ(fits.reused, 1u);
  const hg_command_result none = command(HG_EXPAND_FWD | HG_EXPAND_BWD, 7, 7);
  EXPECT_EQ(none.mem, nullptr);
  EXPECT_EQ(none.status, HG_STATUS_cannot_expand);
  EXPECT_EQ(none.received, 6u);
  const hg_command_result fresh = command(HG_EXPAND_FWD | HG_ALLOCATE_NEW, 7, 9);
  EXPECT_NE(fresh.mem, mem);
  EXPECT_GE(fresh.received, 9u);
  EXPECT_EQ(fresh.reused, 0u);
  EXPECT_EQ(command(HG_SHRINK_IN_PLACE, 5, 2).status, HG_STATUS_cannot_shrink);
  EXPECT_EQ(command(HG_SHRINK_IN_PLACE, 6, 2).mem, mem);
  EXPECT_EQ(hg_heap_command(nullptr, HG_EXPAND_FWD, 0, 1, 1, mem).status, HG_STATUS_object_size_zero);
  EXPECT_EQ(hg_heap_status(nullptr), HG_STATUS_object_size_zero);
}

TEST(Slab, TheCheckNamesAWrongByteOfTheMap) {
  const std::vector<void *> blocks = take_blocks();
  char *const slab = reinterpret_cast<char *>(slab_of(blocks[300]));
  void *const chunk = hg_malloc(3 * heapglass::kSlabStep);
  ASSERT_EQ(hg_heap_check(nullptr), nullptr);
  const auto found_where = [](void *at, unsigned byte) {
    auto &entry = heapglass::SlabsInspector::entry(at);
    const auto right = std::exchange(entry, static_cast<std::uint8_t>(byte));
    const char *const broken = hg_heap_check(nullptr);
    entry = right;
    return std::string(broken != nullptr ? broken : "");
  };
  const size_t steps = heapglass::steps_of(slab_of(slab));
  ASSERT_GT(steps, 1u);
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (size_t n = 0; n < steps; ++n) {
      char *const at = slab + n * heapglass::kSlabStep;
      EXPECT_EQ(found_where(at, byte).starts_with("slab_map.M1"), byte != heapglass::SlabsInspector::entry(at)) << n << " " << byte;
    }
    EXPECT_EQ(found_where(static_cast<char *>(chunk) + heapglass::kSlabStep, byte).starts_with("slab_map.M1"), byte != 0) << byte;
  }
  EXPECT_EQ(hg_heap_check(nullptr), nullptr);
  hg_free(chunk);
  for (void *mem : blocks) hg_free(mem);
}

}  // namespace heapglass_test
