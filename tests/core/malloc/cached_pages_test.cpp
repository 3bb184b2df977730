// What is listed of cached chunks may be overwritten, and is all of them but their links. Builds with probes list nothing.
#include "base/build.hpp"
#include "malloc_rig.hpp"

namespace heapglass_test {
namespace {

using CachedPages = MallocRig;

struct CachedRun {
  std::uintptr_t address;
  std::size_t bytes;
};

std::vector<CachedRun> cached_runs(std::size_t page, std::size_t part) {
  std::vector<CachedRun> runs;
  std::vector<std::size_t> words(2 * part);
  std::size_t cursor[2] = {};
  while (const std::size_t count = hg_malloc_cached_pages(page, cursor, words.data(), part)) {
    for (std::size_t i = 0; i < count; ++i) runs.push_back({words[2 * i], words[2 * i + 1]});
  }
  return runs;
}

TEST_F(CachedPages, WhatIsNoPageHasNoAnswer) {
  hg_free(hg_malloc(100));
  for (const std::size_t page : {0u, 1u, 12u, 4097u}) EXPECT_TRUE(cached_runs(page, 50).empty()) << page;
}

#if !HG_TRACE

std::size_t bytes_of(const std::vector<CachedRun> &runs) {
  std::size_t sum = 0;
  for (const CachedRun &run : runs) sum += run.bytes;
  return sum;
}

TEST_F(CachedPages, OfEachCachedChunkAllButTheHeaderAndTheLinkIsListed) {
  unsigned char *const kept = take(40);
  std::vector<void *> blocks;
  for (int i = 0; i < 50; ++i) blocks.push_back(hg_malloc(300));
  for (void *const mem : blocks) hg_free(mem);
  const std::size_t cached = malloc_stats().cached;
  const std::size_t chunk = hg_malloc_usable_size(kept) + kWordBytes;
  ASSERT_GT(cached, 50 * 300u);
  const std::vector<CachedRun> runs = cached_runs(kWordBytes, 7);
  EXPECT_EQ(bytes_of(runs), cached - runs.size() * 2 * kWordBytes);
  EXPECT_EQ(bytes_of(cached_runs(kWordBytes, 1)), bytes_of(runs)) << "in parts of one";
  for (const CachedRun &run : runs) EXPECT_TRUE(run.address >= reinterpret_cast<std::uintptr_t>(kept) + chunk || run.address < reinterpret_cast<std::uintptr_t>(kept));
  hg_free(kept);
}

TEST_F(CachedPages, FreeBlocksOfSlabsAreListed) {
  if (!heapglass::kSlabs) GTEST_SKIP() << "this build has no slabs";
  std::vector<unsigned char *> blocks, kept;
  for (int i = 0; i < 2000; ++i) blocks.push_back(take(48));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i % 10 == 0) {
      kept.push_back(blocks[i]);
      fill(blocks[i], 48, static_cast<unsigned>(i));
    } else {
      hg_free(blocks[i]);
    }
  }
  const std::vector<CachedRun> runs = cached_runs(kWordBytes, 9);
  EXPECT_GT(bytes_of(runs), 1800 * 48 * 9 / 10u) << "some wait in a magazine, with a link in each";
  EXPECT_LT(bytes_of(runs), 2000 * 56u);
  EXPECT_EQ(bytes_of(cached_runs(kWordBytes, 1)), bytes_of(runs)) << "in parts of one";
  for (const CachedRun &run : runs) memset(reinterpret_cast<void *>(run.address), 0xb7, run.bytes);
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_TRUE(has(kept[i], 48, static_cast<unsigned>(10 * i)));
  HG_EXPECT_SOUND(nullptr);
  for (unsigned char *const mem : kept) hg_free(mem);
}

TEST_F(CachedPages, WhatIsListedMayBeOverwritten) {
  Random random{11};
  std::vector<std::pair<unsigned char *, std::size_t>> blocks;
  for (int step = 0; step < 30'000; ++step) {
    const std::size_t size = random.below(50) == 0 ? random.below(100'000) : random.below(700);
    if (blocks.size() < 200 || random.below(2) == 0) {
      blocks.emplace_back(take(size), size);
      fill(blocks.back().first, size, static_cast<unsigned>(size));
    } else {
      auto &chosen = blocks[random.below(static_cast<std::uint32_t>(blocks.size()))];
      ASSERT_TRUE(has(chosen.first, chosen.second, static_cast<unsigned>(chosen.second)));
      hg_free(chosen.first);
      chosen = blocks.back();
      blocks.pop_back();
    }
    if (step % 97 != 0) continue;
    for (const CachedRun &run : cached_runs(kWordBytes, 50)) memset(reinterpret_cast<void *>(run.address), 0xb7, run.bytes);
    HG_EXPECT_SOUND(nullptr);
  }
  for (const auto &[mem, size] : blocks) {
    EXPECT_TRUE(has(mem, size, static_cast<unsigned>(size)));
    hg_free(mem);
  }
}

#else

TEST_F(CachedPages, WithProbesNoneIsListed) {
  hg_free(hg_malloc(30'000));
  EXPECT_TRUE(cached_runs(kWordBytes, 50).empty());
}

#endif

}  // namespace
}  // namespace heapglass_test
