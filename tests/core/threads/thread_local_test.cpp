// An object for each thread, and what a thread does last. tests/threads shows that last calls are made, by caches that
// are flushed: the table of last calls has no place for one of these tests.
#include "threads/thread_local.hpp"

#include <gtest/gtest.h>
#include <heapglass/heapglass.h>
#include <heapglass/malloc.h>

#include <thread>

#include "threads/thread_end.hpp"

namespace heapglass {
namespace {

HG_PER_THREAD int t_count;

TEST(ThreadLocals, this_thread_has_its_objects) {
  EXPECT_TRUE(has_thread_locals());
  EXPECT_EQ(t_count, 0);
}

#if HG_THREADS

TEST(ThreadLocals, each_thread_begins_with_an_object_of_zero_bits) {
  t_count = 7;
  int found = -1;
  std::thread([&] {
    found = t_count;
    t_count = 8;
  }).join();
  EXPECT_EQ(found, 0);
  EXPECT_EQ(t_count, 7);
  t_count = 0;
}

TEST(ThreadEnd, a_call_for_which_the_table_has_no_place_is_refused) {
  hg_free(hg_malloc(1));  // malloc and small/ are the two that ask
  hg_small_deallocate(hg_small_allocate(1));
  EXPECT_FALSE(at_thread_end([] { ADD_FAILURE(); }));
}

#else

TEST(ThreadEnd, without_threads_a_cache_may_be_kept_and_the_call_is_not_made) {
  EXPECT_TRUE(at_thread_end([] { ADD_FAILURE(); }));
}

#endif

}  // namespace
}  // namespace heapglass
