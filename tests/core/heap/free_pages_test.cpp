// Free pages: what is listed may be overwritten, and everything that could be listed is.
#include "base/address.hpp"
#include "heap_fixture.hpp"
#include "support/held_runs.hpp"

namespace heapglass_test {
namespace {

using Growing = GrowingHeap;
constexpr std::size_t kPages[] = {kWordBytes, 64, 4096, 65536};
constexpr unsigned char kGarbage = 0xb7;

struct PageRun {
  std::uintptr_t address;
  std::size_t bytes;
};

template <class List>
std::vector<PageRun> runs_of(List list, std::size_t part) {
  std::vector<PageRun> runs;
  std::vector<std::size_t> words(2 * part);
  std::size_t cursor[2] = {};
  while (const std::size_t count = list(cursor, words.data(), part)) {
    for (std::size_t i = 0; i < count; ++i) runs.push_back({words[2 * i], words[2 * i + 1]});
  }
  return runs;
}

std::vector<PageRun> heap_runs(const hg_heap *heap, std::size_t page, std::size_t part = 50) {
  return runs_of([&](auto *cursor, auto *runs, auto n) { return hg_heap_free_pages(heap, page, cursor, runs, n); }, part);
}
std::vector<PageRun> source_runs(std::size_t page, std::size_t part = 50) {
  return runs_of([&](auto *cursor, auto *runs, auto n) { return hg_memory_free_pages(page, cursor, runs, n); }, part);
}

std::size_t bytes_of(const std::vector<PageRun> &runs) {
  std::size_t sum = 0;
  for (const PageRun &run : runs) sum += run.bytes;
  return sum;
}

// The naive twin: every free chunk of the walk.
std::size_t expected_bytes(const hg_heap *heap, std::size_t page) {
  std::size_t sum = 0;
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  hg_walk_record record;
  while (hg_walk_next(&walk, &record, 1) != 0) {
    const unsigned kind = record.kind & 0xff;
    if (kind != HG_WALK_chunk_free && kind != HG_WALK_chunk_top && kind != HG_WALK_chunk_victim) continue;
    const std::uintptr_t at = heapglass::address_base() + record.address;
    const std::uintptr_t from = (at + 3 * kWordBytes + page - 1) / page * page;
    const std::uintptr_t to = (at + record.size - kWordBytes) / page * page;
    if (from < to) sum += to - from;
  }
  return sum;
}

void overwrite(const std::vector<PageRun> &runs) {
  for (const PageRun &run : runs) memset(reinterpret_cast<void *>(run.address), kGarbage, run.bytes);
}

TEST_F(Growing, WhatIsListedIsEveryWholeFreePageAndMayBeOverwritten) {
  Random random{7};
  std::vector<void *> blocks;
  for (int step = 0; step < 4000; ++step) {
    const std::size_t size = random.below(3) == 0 ? random.below(200'000) : random.below(3000);
    if (blocks.empty() || random.below(2) == 0) {
      blocks.push_back(hg_heap_allocate(heap, size));
      memset(blocks.back(), 1, size);
    } else {
      const std::size_t at = random.below(static_cast<std::uint32_t>(blocks.size()));
      hg_heap_deallocate(heap, std::exchange(blocks[at], blocks.back()));
      blocks.pop_back();
    }
    if (step % 400 == 399) hg_heap_trim(heap, 0);
    if (step % 50 != 0) continue;
    for (const std::size_t page : kPages) {
      const std::vector<PageRun> runs = heap_runs(heap, page);
      EXPECT_EQ(bytes_of(runs), expected_bytes(heap, page));
      EXPECT_EQ(bytes_of(runs), hg_heap_returnable(heap, page));
      EXPECT_EQ(bytes_of(heap_runs(heap, page, 1)), bytes_of(runs)) << "in parts of one";
      for (const PageRun &run : runs) EXPECT_EQ(run.address % page + run.bytes % page, 0u);
    }
    const std::size_t page = kPages[random.below(4)];
    overwrite(heap_runs(heap, page));
    overwrite(source_runs(page));
    HG_EXPECT_SOUND(heap);
  }
  for (void *const mem : blocks) hg_heap_deallocate(heap, mem);
}

TEST_F(Growing, WhatIsNoPageHasNoAnswer) {
  for (const std::size_t page : {0u, 1u, 2u, 12u, 4097u, 12288u}) {
    EXPECT_EQ(hg_heap_returnable(heap, page), 0u) << page;
    EXPECT_TRUE(heap_runs(heap, page).empty() && source_runs(page).empty()) << page;
  }
}

TEST_F(Growing, TheEndThatIsNeededLeavesOutAReleasedRunThere) {
  const HeldRuns held;
  void *const mem = hg_heap_allocate(heap, 10'000'000);
  const std::size_t full = hg_memory_end();
  hg_heap_deallocate(heap, mem);
  EXPECT_EQ(hg_memory_end(), full) << "the heap holds it still";
  hg_heap_trim(heap, 0);
  const std::size_t end = hg_memory_end();
  EXPECT_LT(end, full - 9'000'000);
  hg_memory_moved(end);
  EXPECT_EQ(hg_memory_end(), end);
  for (const PageRun &run : source_runs(4096)) EXPECT_LT(run.address, end);
  void *const again = hg_heap_allocate(heap, 10'000'000);
  EXPECT_EQ(again, mem) << "what was released from there on is memory as before";
  hg_heap_deallocate(heap, again);
}

}  // namespace
}  // namespace heapglass_test
