// The locks and the numbers of threads.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "platform/threads.hpp"

namespace locks_tests {
namespace {

using heapglass::LockOfThread;
using heapglass::SpinLock;
using heapglass::thread_number;

template <class Work>
bool in_another_thread(Work work) {
  bool result = false;
  std::thread([&] { result = work(); }).join();
  return result;
}

TEST(locks, a_lock_that_is_held_is_refused_after_the_reads_that_were_asked_for) {
  SpinLock lock;
  EXPECT_TRUE(lock.try_lock_for(0)) << "it is free";
  for (const unsigned reads : {0u, 1u, 1000u}) EXPECT_FALSE(in_another_thread([&] { return lock.try_lock_for(reads); }));
  std::atomic<int> state = 0;
  std::thread patient([&] {
    state = 1;
    const bool locked = lock.try_lock_for(~0u);
    state = locked ? 2 : 3;
  });
  while (state == 0) std::this_thread::yield();
  for (int i = 0; i < 100 && state == 1; ++i) std::this_thread::yield();
  lock.unlock();
  patient.join();
  EXPECT_EQ(state, 2) << "it waited until the lock was free";
}

TEST(locks, the_holder_may_take_the_lock_of_a_thread_again_and_no_other_thread_may) {
  LockOfThread lock;
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(lock.lock());
    EXPECT_FALSE(lock.lock()) << "platform.T3";
    EXPECT_FALSE(in_another_thread([&] { return lock.try_lock_for(100); }));
    lock.unlock();
    EXPECT_TRUE(in_another_thread([&] {
      const bool locked = lock.lock();
      lock.unlock();
      return locked;
    }));
  }
}

TEST(thread_numbers, each_thread_has_one_that_no_other_has) {
  std::set<std::uint32_t> numbers = {thread_number()};
  EXPECT_NE(thread_number(), 0u);
  EXPECT_EQ(thread_number(), *numbers.begin());
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(in_another_thread([&] {
      const std::uint32_t mine = thread_number();
      return numbers.insert(mine).second && thread_number() == mine;
    }));
  }
}

}  // namespace
}  // namespace locks_tests
