// Misuse of the fixed path of memory pools, found by the checked build (row B2).
#include <heapglass/heapglass.h>

#include <cstring>

#include "checked/failure_catcher.hpp"

namespace checked_tests {
namespace {

class B2_fixed_path_guard : public testing::Test {
 protected:
  hg_memory_pool *const pool = hg_memory_pool_create(24);
  hg_memory_pool *const other = hg_memory_pool_create(40);
  char *const a = static_cast<char *>(hg_memory_pool_allocate_fixed(pool));
  char *const b = static_cast<char *>(hg_memory_pool_allocate_fixed(pool));
  char *const theirs = static_cast<char *>(hg_memory_pool_allocate_fixed(other));
};

TEST_F(B2_fixed_path_guard, a_block_returned_twice_is_a_double_free) {
  hg_memory_pool_deallocate_fixed(a);
  hg_memory_pool_deallocate_fixed(b);
  EXPECT_EQ(catch_failure([&] { hg_memory_pool_deallocate_fixed(a); }).kind, k_double_free);
}

TEST_F(B2_fixed_path_guard, an_address_inside_a_block_is_foreign) {
  EXPECT_EQ(catch_failure([&] { hg_memory_pool_deallocate_fixed(a + sizeof(void *)); }).kind, k_foreign_node);
}

TEST_F(B2_fixed_path_guard, a_block_never_handed_out_is_not_given_back) {
  EXPECT_EQ(catch_failure([&] { hg_memory_pool_deallocate_fixed(b + 24); }).kind, k_double_free) << "it is free";
}

TEST_F(B2_fixed_path_guard, what_is_no_block_of_any_fixed_path_is_foreign) {
  static char not_ours[64];
  EXPECT_EQ(catch_failure([&] { hg_memory_pool_deallocate_fixed(not_ours); }).kind, k_foreign_node);
}

TEST_F(B2_fixed_path_guard, a_block_of_the_pools_heap_is_foreign_to_its_fixed_path) {
  char *const large = static_cast<char *>(hg_memory_pool_allocate(pool, 100'000));
  std::memset(large, 0x5a, 100'000);
  EXPECT_EQ(catch_failure([&] { hg_memory_pool_deallocate_fixed(large + 50'000); }).kind, k_foreign_node);
}

TEST_F(B2_fixed_path_guard, a_free_block_that_was_written_to_is_a_damaged_link) {
  hg_memory_pool_deallocate_fixed(b);
  hg_memory_pool_deallocate_fixed(a);
  std::memset(a, 0x5a, sizeof(void *));
  EXPECT_EQ(catch_failure([&] { hg_memory_pool_allocate_fixed(pool); }).kind, k_damaged_link);
}

TEST_F(B2_fixed_path_guard, good_use_of_two_pools_finds_nothing) {
  for (int i = 0; i < 2000; ++i) {
    void *const mem = hg_memory_pool_allocate_fixed(i % 2 == 0 ? pool : other);
    ASSERT_NE(mem, nullptr);
    if (i % 3 == 0) hg_memory_pool_deallocate_fixed(mem);
  }
  hg_memory_pool_deallocate_fixed(a);
  hg_memory_pool_deallocate_fixed(theirs);
  EXPECT_STREQ(hg_heap_check(hg_memory_pool_heap(pool)), nullptr);
  EXPECT_STREQ(hg_heap_check(hg_memory_pool_heap(other)), nullptr);
  hg_memory_pool_destroy(pool);
  hg_memory_pool_destroy(other);
}

}  // namespace
}  // namespace checked_tests
