// The checked build's knowledge of where chunks begin (trace/chunk_starts.hpp): it equals what a walk over the heap finds, and it
// refuses what only looks like a block.
#include "trace/chunk_starts.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "core/support/held_runs.hpp"
#include "failure_catcher.hpp"

namespace checked_tests {
namespace {

using heapglass::Word;
using Starts = heapglass::trace::ChunkStarts;

constexpr Word kHeaderWord = sizeof(Word);

Word region_of(Word offset) {
  return offset < Starts::kWideFrom ? offset / Starts::kRegion
                                    : Starts::kRegions + (offset - Starts::kWideFrom) / Starts::kWideRegion;
}

const void *at(Word offset) { return reinterpret_cast<const void *>(heapglass::address_base() + offset); }

// Every region in which a chunk begins is known by the first of them; the number of such regions.
size_t expect_known(hg_heap *heap) {
  std::map<Word, Word> firsts;
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  hg_walk_record records[64];
  for (size_t count; (count = hg_walk_next(&walk, records, 64)) != 0;) {
    for (size_t i = 0; i < count; ++i) {
      const uint32_t kind = records[i].kind & 0xff;
      if (kind == HG_WALK_segment || kind == HG_WALK_bin_entry) continue;
      firsts.try_emplace(region_of(records[i].address), records[i].address);  // walked in address order
    }
  }
  for (const auto &[region, first] : firsts) EXPECT_EQ(Starts::in_region_of(at(first)), at(first)) << region;
  return firsts.size();
}

TEST(ChunkStarts, nothing_is_known_behind_the_last_region) {
  if (sizeof(Word) < 8) GTEST_SKIP() << "no address is behind it";
  constexpr Word kEnd = Word{1} << 32;
  Starts::add(heapglass::address_base() + kEnd);
  EXPECT_EQ(Starts::in_region_of(at(kEnd)), nullptr);
}

TEST(ChunkStarts, every_kind_of_operation_leaves_what_a_walk_finds) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<size_t>(random() % n); };
  hg_heap *heap = hg_heap_create();
  hg_heap *other = hg_heap_create();  // so that the heap has segments
  std::vector<void *> mine, others;
  const auto take_out = [&](std::vector<void *> &of) {
    const size_t i = below(static_cast<unsigned>(of.size()));
    std::swap(of[i], of.back());
    void *const mem = of.back();
    of.pop_back();
    return mem;
  };
  const auto size = [&] { return below(10) == 0 ? below(200'000) : below(600); };
  size_t regions = 0;
  for (int step = 0; step < 3000; ++step) {
    switch (below(12)) {
      case 0: others.push_back(hg_heap_allocate(other, size())); break;
      case 1: mine.push_back(hg_heap_allocate_aligned(heap, size_t{16} << below(10), size())); break;
      case 2: {
        hg_chain chain;
        hg_chain_init(&chain);
        hg_heap_burst_nodes(heap, 1 + below(60), below(300), below(2) == 0 ? HG_CONTIGUOUS_ALL : 0, &chain);
        while (chain.first != nullptr) mine.push_back(hg_chain_pop_front(&chain));
        break;
      }
      case 3: {
        hg_chain chain;
        hg_chain_init(&chain);
        for (size_t n = below(20); n-- > 0 && !mine.empty();) hg_chain_push_back(&chain, take_out(mine));
        hg_heap_burst_deallocate(heap, &chain);
        break;
      }
      case 4:
        if (mine.empty()) break;
        mine.push_back(hg_heap_reallocate(heap, take_out(mine), 1 + size()));
        break;
      case 5: {
        if (mine.empty()) break;
        void *const mem = take_out(mine);
        const auto got = hg_heap_command(heap, HG_EXPAND_FWD | HG_EXPAND_BWD | HG_ALLOCATE_NEW, kHeaderWord, 1, 1 + size(), mem);
        if (got.mem != nullptr) mine.push_back(got.mem);
        if (got.mem == nullptr || got.reused == 0) mine.push_back(mem);
        break;
      }
      case 6:
        if (below(20) == 0) hg_heap_trim(heap, below(5000));
        break;
      case 7:
      case 8:
      case 9:
        for (size_t n = 3; n-- > 0 && !mine.empty();) hg_heap_deallocate(heap, take_out(mine));
        break;
      default: mine.push_back(hg_heap_allocate(heap, size())); break;
    }
    if (step % 10 == 0) regions += expect_known(heap);
  }
  EXPECT_GT(regions, 10'000u);
  for (void *mem : mine) hg_heap_deallocate(heap, mem);
  expect_known(heap);
  EXPECT_EQ(hg_heap_check(heap), nullptr);
  hg_heap_destroy(heap);
  hg_heap_destroy(other);
}

TEST(ChunkStarts, a_new_segment_clears_its_regions_and_no_word_beside_it) {
  for (const Word region : {Word{100} << 20, Word{3} << 30}) {  // narrow, wide; no heap of these tests gets there
    const std::uintptr_t begin = heapglass::address_base() + region;
    const std::uintptr_t next = begin + (region < Starts::kWideFrom ? Starts::kRegion : Starts::kWideRegion);
    const auto known = [](std::uintptr_t place) {
      return heapglass::address_of(Starts::in_region_of(reinterpret_cast<void *>(place)));
    };
    Starts::clear(begin, next + Starts::kRegion);
    Starts::add(begin + 64);
    Starts::add(next + 64);
    EXPECT_EQ(known(next - 1), begin + 64);
    Starts::clear(begin + 64 + kHeaderWord, next + 64);
    EXPECT_EQ(known(begin), begin + 64);
    EXPECT_EQ(known(next), next + 64);
    Starts::clear(begin + 64, next + 64 + kHeaderWord);
    EXPECT_EQ(known(begin), 0u);
    EXPECT_EQ(known(next), 0u);
  }
}

Word end_of(hg_heap *heap) {
  Word end = 0;
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  for (hg_walk_record record; hg_walk_next(&walk, &record, 1) != 0;) {
    if ((record.kind & 0xff) == HG_WALK_segment) end = record.address + record.size;
  }
  return end;
}

TEST(ChunkStarts, a_segment_that_grows_again_covers_where_it_ended_before) {
  hg_heap *heap = hg_heap_create();
  hg_heap_deallocate(heap, hg_heap_allocate(heap, 200'000));
  const Word end = end_of(heap);
  hg_heap_trim(heap, 0);
  ASSERT_LT(end_of(heap), end);
  void *const mem = hg_heap_allocate(heap, 400'000);
  ASSERT_LT(heapglass::offset_of(mem), end - Starts::kRegion);
  ASSERT_GT(heapglass::offset_of(mem) + 400'000, end);
  EXPECT_EQ(Starts::in_region_of(at(end - 1)), nullptr);
  hg_heap_destroy(heap);
}

// A block of 8 words in use, and one behind it, as headers would have them.
void forge(void *mem) {
  auto *const words = static_cast<Word *>(mem);
  const Word head = 8 * kHeaderWord | 3;
  words[1] = head;
  words[9] = head;
}

TEST(ChunkStarts, a_header_that_a_program_wrote_into_its_block_is_no_block) {
  hg_heap *heap = hg_heap_create();
  for (const size_t bytes : {size_t{200}, size_t{5000}, size_t{300'000}}) {
    auto *const mem = static_cast<char *>(hg_heap_allocate(heap, bytes));
    for (size_t from = 0; from + 10 * kHeaderWord <= bytes; from += bytes / 2) {
      memset(mem, 0, bytes);
      forge(mem + heapglass::round_down(from, 2 * kHeaderWord));
      const Caught caught =
          catch_failure([&] { hg_heap_deallocate(heap, mem + heapglass::round_down(from, 2 * kHeaderWord) + 2 * kHeaderWord); });
      EXPECT_EQ(caught.kind, k_misaligned_pointer) << bytes << " " << from << " " << caught.text;
    }
  }
  hg_heap_destroy(heap);
}

TEST(ChunkStarts, a_heap_that_lies_in_a_block_of_another_heap_misleads_neither) {
  hg_heap *outer = hg_heap_create();
  std::vector<void *> blocks;
  for (int i = 0; i < 40; ++i) blocks.push_back(hg_heap_allocate(outer, 9000));
  for (int i = 0; i < 40; i += 2) {
    hg_heap *inner = hg_heap_create_fixed(blocks[static_cast<size_t>(i)], 9000);
    void *const mem = hg_heap_allocate(inner, 50);
    hg_heap_deallocate(inner, mem);
    hg_heap_deallocate(inner, hg_heap_allocate(inner, 100));
    hg_heap_deallocate(outer, blocks[static_cast<size_t>(i + 1)]);
    hg_heap_destroy(inner);
  }
  for (int i = 0; i < 40; i += 2) hg_heap_deallocate(outer, blocks[static_cast<size_t>(i)]);
  EXPECT_EQ(hg_heap_check(outer), nullptr);
  hg_heap_destroy(outer);
}

TEST(ChunkStarts, above_128_MiB_regions_are_wide) {
  const heapglass_test::HeldRuns fresh;
  hg_heap *heap = hg_heap_create();
  std::vector<void *> blocks;
  while (blocks.empty() || heapglass::offset_of(blocks.back()) < Starts::kWideFrom + (1 << 20)) {
    blocks.push_back(hg_heap_allocate(heap, 700'000));
    ASSERT_NE(blocks.back(), nullptr);
  }
  expect_known(heap);
  for (size_t i = 0; i < blocks.size(); i += 2) hg_heap_deallocate(heap, blocks[i]);
  expect_known(heap);
  for (size_t i = 1; i < blocks.size(); i += 2) hg_heap_deallocate(heap, blocks[i]);
  EXPECT_EQ(hg_heap_check(heap), nullptr);
  hg_heap_destroy(heap);
}

}  // namespace
}  // namespace checked_tests
