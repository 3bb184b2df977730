// The registry of caches: what for_each visits, and what stays when caches come, go and move.
#include "threads/cache_registry.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <thread>
#include <vector>

namespace heapglass {
namespace {

struct NumberedCache {
  int number = 0;
  NumberedCache *next = nullptr;
};

std::vector<int> numbers(CacheRegistry<NumberedCache> &registry) {
  std::vector<int> found;
  registry.for_each([&](const NumberedCache &cache) { found.push_back(cache.number); });
  return found;
}

class Registry : public ::testing::Test {
 protected:
  CacheRegistry<NumberedCache> registry;
  NumberedCache one{1}, two{2}, three{3};

  void SetUp() override {
    registry.add(one);
    registry.add(two);
    registry.add(three);
  }
};

TEST_F(Registry, visits_the_newest_cache_first) {
  EXPECT_EQ(numbers(registry), (std::vector<int>{3, 2, 1}));
  EXPECT_EQ(registry.first(), &three);
}

TEST_F(Registry, forgets_a_cache_wherever_it_is) {
  registry.remove(two);
  EXPECT_EQ(numbers(registry), (std::vector<int>{3, 1}));
  registry.remove(one);
  EXPECT_EQ(numbers(registry), (std::vector<int>{3}));
  registry.remove(three);
  EXPECT_EQ(numbers(registry), std::vector<int>{});
  EXPECT_EQ(registry.first(), nullptr);
}

TEST_F(Registry, takes_a_removed_cache_again) {
  registry.remove(two);
  registry.add(two);
  EXPECT_EQ(numbers(registry), (std::vector<int>{2, 3, 1}));
}

TEST_F(Registry, leads_to_the_copy_of_a_replaced_cache) {
  NumberedCache copy = two;
  registry.replace(two, copy);
  two = {};
  copy.number = 20;
  EXPECT_EQ(numbers(registry), (std::vector<int>{3, 20, 1}));
}

TEST_F(Registry, does_not_register_the_copy_of_an_unregistered_cache) {
  NumberedCache other{4};
  NumberedCache copy = other;
  registry.replace(other, copy);
  EXPECT_EQ(numbers(registry), (std::vector<int>{3, 2, 1}));
}

#if HG_THREADS
// Neighbours in the list leave at the same time: threads.R2. Without the lock only ThreadSanitizer is sure to fail.
TEST_F(Registry, keeps_the_others_while_threads_come_and_go) {
  constexpr int kThreadsAtOnce = 4;
  std::latch begin(kThreadsAtOnce);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreadsAtOnce; ++i) {
    threads.emplace_back([&] {
      begin.arrive_and_wait();
      for (int round = 0; round < 20'000; ++round) {
        NumberedCache mine{10};
        registry.add(mine);
        if (round % 50 == 0) numbers(registry);
        registry.remove(mine);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(numbers(registry), (std::vector<int>{3, 2, 1}));
}
#endif

}  // namespace
}  // namespace heapglass
