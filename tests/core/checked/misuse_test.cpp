// What the checked build finds in a heap: every kind of misuse, caught at the call that could have known, and named.
//
// Each case breaks one thing in a fresh heap on a fixed region and says which call must notice it and by which name.
// Pools: pool_guard_test.cpp.
#include <gtest/gtest.h>
#include <heapglass/event.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "failure_catcher.hpp"

namespace checked_tests {
namespace {

constexpr size_t kWord = sizeof(size_t);
constexpr size_t kBytes = 65536;

class Misuse : public testing::Test {
 protected:
  Misuse() : region_(std::aligned_alloc(4096, kBytes)), heap_(hg_heap_create_fixed(region_, kBytes)) {}
  ~Misuse() override { std::free(region_); }  // most heaps here are broken on purpose: nothing in them is touched again

  char *take(size_t size) { return static_cast<char *>(hg_heap_allocate(heap_, size)); }
  void give(void *mem) { hg_heap_deallocate(heap_, mem); }

  // The failure of a call that must find `kind`; the text names it.
  template <class Function>
  Caught must_find(uint32_t kind, Function function) {
    const Caught caught = catch_failure(function);
    EXPECT_EQ(caught.kind, kind) << "found: " << text_of(caught.kind) << " " << caught.text;
    EXPECT_EQ(caught.text.rfind(text_of(kind), 0), 0u) << caught.text;
    return caught;
  }

  // The same where a header and its neighbour contradict each other, and either may be the damaged one.
  template <class Function>
  Caught must_find_header_or_tag(Function function) {
    const Caught caught = catch_failure(function);
    EXPECT_TRUE(caught.kind == k_damaged_tag || caught.kind == k_damaged_header)
        << "found: " << text_of(caught.kind) << " " << caught.text;
    return caught;
  }

  void *region_;
  hg_heap *heap_;
};

TEST_F(Misuse, AWalkNamesTheChunkWhoseSizeLeadsOutOfItsSegment) {
  take(100);
  char *const mem = take(100);
  take(100);
  const auto walk_all = [this] {
    hg_walk walk;
    hg_walk_begin(&walk, heap_);
    hg_walk_record records[4];
    while (hg_walk_next(&walk, records, 4) != 0) {
    }
  };
  walk_all();
  std::memset(mem - kWord, 0x20, kWord);
  const Caught caught = must_find(k_damaged_header, walk_all);
  EXPECT_EQ(caught.address, mem - kWord) << caught.text;
}

// ---- five ways to give a block to the heap, each with every wrong address ----

enum class Way { kDeallocate, kReallocate, kInPlace, kCommand, kBurst };
constexpr Way kWays[] = {Way::kDeallocate, Way::kReallocate, Way::kInPlace, Way::kCommand, Way::kBurst};

class MisuseByWay : public Misuse, public testing::WithParamInterface<Way> {
 protected:
  void give_by_way(void *mem) {
    switch (GetParam()) {
      case Way::kDeallocate: return hg_heap_deallocate(heap_, mem);
      case Way::kReallocate: hg_heap_reallocate(heap_, mem, 900); return;
      case Way::kInPlace: hg_heap_reallocate_in_place(heap_, mem, 900); return;
      case Way::kCommand: hg_heap_command(heap_, HG_EXPAND_FWD, 8, 100, 200, mem); return;
      case Way::kBurst: {
        hg_chain chain = {mem, mem, 1};
        hg_heap_burst_deallocate(heap_, &chain);
      }
    }
  }
  // Giving mem must be found, and named with its address.
  void must_name(uint32_t kind, void *mem) {
    EXPECT_EQ(must_find(kind, [&] { give_by_way(mem); }).address, mem);
  }
};

TEST_P(MisuseByWay, A1_a_block_given_back_twice_is_a_double_free) {
  char *mem = take(100);
  take(100);
  give(mem);
  must_name(k_double_free, mem);
}

TEST_P(MisuseByWay, A1_a_block_that_was_joined_with_the_free_block_before_it_is_a_double_free) {
  char *first = take(100);
  char *mem = take(100);
  take(100);
  give(first);
  give(mem);
  must_name(k_double_free, mem);
}

TEST_P(MisuseByWay, A1_a_block_that_was_joined_with_top_is_a_double_free) {
  take(100);
  char *mem = take(100);
  give(mem);
  must_name(k_double_free, mem);
}

TEST_P(MisuseByWay, A1_memory_from_elsewhere_is_a_foreign_pointer) {
  alignas(16) static char elsewhere[64] = {};
  must_name(k_foreign_pointer, elsewhere + 16);
}

TEST_P(MisuseByWay, A1_a_block_of_another_heap_is_a_foreign_pointer) {
  void *other_region = std::aligned_alloc(4096, kBytes);
  hg_heap *other = hg_heap_create_fixed(other_region, kBytes);
  must_name(k_foreign_pointer, hg_heap_allocate(other, 100));
  EXPECT_EQ(hg_heap_check(other), nullptr);
  hg_heap_destroy(other);
  std::free(other_region);
}

TEST_P(MisuseByWay, A1_a_block_of_a_destroyed_heap_is_a_foreign_pointer) {
  hg_heap *gone = hg_heap_create();
  void *mem = hg_heap_allocate(gone, 100);
  hg_heap_destroy(gone);
  must_name(k_foreign_pointer, mem);
}

TEST_P(MisuseByWay, A1_an_address_that_is_no_multiple_of_the_alignment_is_a_misaligned_pointer) {
  must_name(k_misaligned_pointer, take(100) + kWord);
}

TEST_P(MisuseByWay, A1_an_address_inside_a_block_is_a_misaligned_pointer) {
  char *mem = take(300);
  memset(mem, 0, 300);
  must_name(k_misaligned_pointer, mem + 4 * kWord);
}

TEST_P(MisuseByWay, A1_an_address_inside_the_heaps_own_state_is_a_misaligned_pointer) {
  must_name(k_misaligned_pointer, static_cast<char *>(region_) + 64);
}

TEST_P(MisuseByWay, A1_a_size_word_overwritten_with_zeros_is_a_damaged_header) {
  char *mem = take(100);
  take(100);
  memset(mem - kWord, 0, kWord);
  must_find(k_damaged_header, [&] { give_by_way(mem); });
}

TEST_P(MisuseByWay, A1_a_size_word_overwritten_with_text_is_a_damaged_header) {
  char *mem = take(100);
  take(100);
  memset(mem - kWord, 'A', kWord);
  must_find(k_damaged_header, [&] { give_by_way(mem); });
}

TEST_P(MisuseByWay, A1_zeros_written_over_the_end_of_a_block_are_named_at_the_block) {
  char *mem = take(100);
  take(100);
  memset(mem, 0, hg_usable_size(mem) + kWord);
  EXPECT_EQ(must_find_header_or_tag([&] { give_by_way(mem); }).address, mem);
}

TEST_P(MisuseByWay, A1_text_written_over_the_end_of_a_block_is_named_at_the_block) {
  char *mem = take(100);
  take(100);
  memset(mem, 'A', hg_usable_size(mem) + kWord);
  EXPECT_EQ(must_find_header_or_tag([&] { give_by_way(mem); }).address, mem);
}

TEST_P(MisuseByWay, A1_ones_written_over_the_end_of_a_block_are_named_at_the_block) {
  char *mem = take(100);
  take(100);
  memset(mem, 0xff, hg_usable_size(mem) + kWord);
  EXPECT_EQ(must_find_header_or_tag([&] { give_by_way(mem); }).address, mem);
}

std::string name_of(const testing::TestParamInfo<Way> &way) {
  constexpr const char *kNames[] = {"deallocate", "reallocate", "reallocate_in_place", "command", "burst_deallocate"};
  return kNames[static_cast<size_t>(way.param)];
}

INSTANTIATE_TEST_SUITE_P(by, MisuseByWay, testing::ValuesIn(kWays), name_of);

// ---- damage that a later call on another block meets ----

TEST_F(Misuse, A1_a_size_word_made_larger_by_one_step_is_a_damaged_tag_or_header) {
  char *mem = take(100);
  take(100);
  size_t header;
  memcpy(&header, mem - kWord, kWord);
  header += 2 * kWord;
  memcpy(mem - kWord, &header, kWord);
  must_find_header_or_tag([&] { give(mem); });
}

TEST_F(Misuse, A1_an_overwritten_foot_of_a_free_block_is_a_damaged_tag_when_its_neighbour_is_freed) {
  char *mem = take(100);
  char *next = take(100);
  take(100);
  const size_t usable = hg_usable_size(mem);
  give(mem);
  memset(mem + usable - kWord, 0x7e, kWord);
  must_find(k_damaged_tag, [&] { give(next); });
}

TEST_F(Misuse, A1_an_overwritten_foot_of_a_free_block_is_a_damaged_tag_when_it_is_allocated) {
  char *mem = take(100);
  take(100);
  const size_t usable = hg_usable_size(mem);
  give(mem);
  memset(mem + usable - kWord, 0x7e, kWord);
  must_find(k_damaged_tag, [&] { take(100); });
}

TEST_F(Misuse, A1_an_overwritten_next_link_of_a_free_block_is_a_damaged_link) {
  char *first = take(100);
  take(100);
  char *second = take(100);
  take(100);
  give(first);
  give(second);
  memset(second, 'B', kWord);
  must_find(k_damaged_link, [&] { take(100); });
}

TEST_F(Misuse, A1_an_overwritten_previous_link_of_a_free_block_is_a_damaged_link) {
  char *mem = take(100);
  take(100);
  give(mem);
  memset(mem + kWord, 'B', kWord);
  must_find(k_damaged_link, [&] { take(100); });
}

TEST_F(Misuse, A1_a_link_that_leads_to_a_block_in_use_is_a_damaged_link) {
  char *first = take(100);
  char *used = take(100);
  char *second = take(100);
  take(100);
  give(first);
  give(second);
  char *chunk = used - kWord;
  memcpy(second, &chunk, kWord);
  must_find(k_damaged_link, [&] { take(100); });
}

TEST_F(Misuse, A1_an_overwritten_header_of_a_free_block_is_found_when_its_neighbour_is_freed) {
  char *previous = take(100);
  char *mem = take(100);
  take(100);
  give(mem);
  memset(mem - kWord, 0xff, kWord);
  must_find_header_or_tag([&] { give(previous); });
}

TEST_F(Misuse, A1_the_checker_names_the_broken_invariant) {
  char *mem = take(100);
  take(100);
  const size_t usable = hg_usable_size(mem);
  give(mem);
  EXPECT_EQ(hg_heap_check(heap_), nullptr);
  memset(mem + usable - kWord, 0x7e, kWord);
  const char *broken = hg_heap_check(heap_);
  ASSERT_NE(broken, nullptr);
  EXPECT_NE(std::string(broken).find("foot"), std::string::npos) << broken;
}

// ---- what the checked build does besides ----

TEST_F(Misuse, A1_new_and_freed_memory_is_filled_so_that_stale_bytes_show) {
  unsigned char *mem = reinterpret_cast<unsigned char *>(take(100));
  for (size_t i = 0; i < hg_usable_size(mem); ++i) ASSERT_EQ(mem[i], 0xa5);
  take(100);
  const size_t usable = hg_usable_size(mem);
  give(mem);
  for (size_t i = 2 * kWord; i < usable - kWord; ++i) ASSERT_EQ(mem[i], 0xdd);
  const unsigned char *zeroed = static_cast<unsigned char *>(hg_heap_allocate_zeroed(heap_, 10, 10));
  for (size_t i = 0; i < 100; ++i) ASSERT_EQ(zeroed[i], 0);
}

TEST_F(Misuse, A1_is_not_found_where_there_is_none) {
  const Caught caught = catch_failure([&] {
    hg_chain chain;
    hg_chain_init(&chain);
    hg_heap_burst_nodes(heap_, 20, 40, HG_CONTIGUOUS_ALL, &chain);
    char *mem = take(100);
    mem = static_cast<char *>(hg_heap_reallocate(heap_, mem, 1000));
    hg_heap_reallocate_in_place(heap_, mem, 300);
    const uint32_t flags = HG_EXPAND_FWD | HG_EXPAND_BWD | HG_ALLOCATE_NEW;
    const hg_command_result result = hg_heap_command(heap_, flags, 8, 100, 200, mem);
    give(result.mem);
    if (result.reused == 0) give(mem);
    give(hg_heap_allocate_aligned(heap_, 256, 77));
    give(nullptr);
    hg_heap_burst_deallocate(heap_, &chain);
  });
  EXPECT_EQ(caught.kind, kNothing) << caught.text;
  EXPECT_EQ(hg_heap_check(heap_), nullptr);
  hg_heap_destroy(heap_);
}

using MisuseDeathTest = Misuse;

TEST_F(MisuseDeathTest, A1_without_a_hook_the_program_traps) {
  char *mem = take(100);
  give(mem);
  EXPECT_DEATH(give(mem), "");
}

TEST_F(MisuseDeathTest, A1_the_hook_is_told_kind_address_and_text_and_then_the_program_traps) {
  char *mem = take(100);
  give(mem);
  EXPECT_DEATH(
      {
        hg_set_failure_hook([](uint32_t kind, const void *, const char *text) {
          fprintf(stderr, "kind %u: %s\n", kind, text);
        });
        give(mem);
      },
      "kind 1: double free: the chunk is free already at 0x");
}

}  // namespace
}  // namespace checked_tests
