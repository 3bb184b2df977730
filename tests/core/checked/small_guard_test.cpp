// Misuse of the small front in the checked build: named through the failure hook.
#include <heapglass/heapglass.h>
#include <heapglass/small.hpp>

#include <cstdio>
#include <cstring>

#include "checked/failure_catcher.hpp"

namespace {

using checked_tests::catch_failure;

class D3_small_guard : public ::testing::Test {
 protected:
  void TearDown() override {
    hg_small_flush();
    hg_small_squeeze();
    EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
    hg_small_stats stats;
    hg_small_get_stats(&stats);
    EXPECT_EQ(stats.spans, 0u);
  }
};

TEST_F(D3_small_guard, a_block_freed_twice_is_a_double_free) {
  for (const size_t size : {1u, 16u, 20u, 24u, 100u, 5000u, 57344u}) {
    void *const block = hg_small_allocate(size);
    void *const other = hg_small_allocate(size);
    hg_small_deallocate(block);
    EXPECT_EQ(catch_failure([&] { hg_small_deallocate(block); }).kind, checked_tests::k_double_free) << size;
    hg_small_deallocate(other);
    EXPECT_EQ(catch_failure([&] { hg_small_deallocate(block); }).kind, checked_tests::k_double_free) << size;
    hg_small_flush();
    EXPECT_EQ(catch_failure([&] { hg_small_deallocate(block); }).kind, checked_tests::k_double_free) << size;
  }
}

TEST_F(D3_small_guard, a_pointer_into_a_block_is_misaligned) {
  char *const block = static_cast<char *>(hg_small_allocate(100));
  EXPECT_EQ(catch_failure([&] { hg_small_deallocate(block + 4); }).kind, checked_tests::k_misaligned_pointer);
  char *const span = block - (reinterpret_cast<uintptr_t>(block) & 0xffff);
  EXPECT_EQ(catch_failure([&] { hg_small_deallocate(span + 8); }).kind, checked_tests::k_misaligned_pointer);
  hg_small_deallocate(block);
}

TEST_F(D3_small_guard, what_never_came_from_the_front_is_foreign) {
  alignas(16) char outside[64] = {};
  EXPECT_EQ(catch_failure([&] { hg_small_deallocate(outside + 16); }).kind, checked_tests::k_foreign_pointer);
  void *const chunk = hg_heap_allocate(nullptr, 100);
  EXPECT_EQ(catch_failure([&] { hg_small_deallocate(chunk); }).kind, checked_tests::k_foreign_pointer);
  hg_heap_deallocate(nullptr, chunk);
  hg_heap *const heap = hg_heap_create();
  void *const elsewhere = hg_heap_allocate(heap, 100);
  EXPECT_EQ(catch_failure([&] { hg_small_deallocate(elsewhere); }).kind, checked_tests::k_foreign_pointer);
  hg_heap_destroy(heap);
}

TEST_F(D3_small_guard, a_block_deleted_as_another_type_is_foreign_to_its_class) {
  void *const block = hg_small_allocate(100);
  const unsigned wrong = heapglass::size_class_of(200);
  EXPECT_EQ(catch_failure([&] { hg_small_deallocate_class(wrong, block); }).kind, checked_tests::k_foreign_node);
  hg_small_deallocate(block);
}

void print_small_failure(uint32_t, const void *, const char *text) { std::fprintf(stderr, "%s\n", text); }

// The list is broken then, so all of it happens in the process that dies.
TEST_F(D3_small_guard, a_free_block_that_was_written_to_is_found_when_it_is_taken) {
  void *const block = hg_small_allocate(100);
  hg_small_deallocate(block);
  EXPECT_DEATH(
      {
        hg_set_failure_hook(print_small_failure);
        std::memset(block, 0x41, sizeof(void *));
        static_cast<void>(hg_small_allocate(100));
      },
      "damaged free-list link");
}

TEST_F(D3_small_guard, taken_and_returned_blocks_are_filled) {
  unsigned char *const block = static_cast<unsigned char *>(hg_small_allocate(64));
  EXPECT_EQ(block[0], 0xa5);
  EXPECT_EQ(block[63], 0xa5);
  hg_small_deallocate(block);
  EXPECT_EQ(block[2 * sizeof(void *)], 0xdd);
  EXPECT_EQ(block[63], 0xdd);
}

}  // namespace
