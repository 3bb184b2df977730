// C2 and C3: which pool a thread has, where entries go back to, and what contention costs when nobody counts it.
#include <heapglass/distributed_pool.hpp>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace lock_free_distributed_tests {
namespace {

using heapglass::distributed_pool;
using heapglass::lock_free_pool;
using heapglass::owner_returning;
using heapglass::per_hash;
using heapglass::per_thread;

struct Entry {
  std::uint32_t owner = 0;
};

class Heap {
 public:
  ~Heap() {
    EXPECT_STREQ(hg_heap_check(heap_), nullptr);
    hg_heap_stats stats;
    hg_heap_get_stats(heap_, &stats);
    EXPECT_EQ(stats.chunks_in_use, 0u) << "all memory is returned";
    hg_heap_destroy(heap_);
  }
  operator hg_heap *() const { return heap_; }

 private:
  hg_heap *heap_ = hg_heap_create();
};

template <class Work>
void on_threads(std::uint32_t count, Work work) {
  std::vector<std::thread> threads;
  for (std::uint32_t i = 1; i <= count; ++i) threads.emplace_back([=] { work(i); });
  for (std::thread &thread : threads) thread.join();
}

template <class Work>
void on_another_thread(Work work) {
  std::thread(work).join();
}

TEST(C2_distributed_pool, per_thread_deals_threads_to_the_pools_in_turn) {
  struct Own : Entry {};  // the turn is counted for each type of array
  using Pool = distributed_pool<Own, 4>;
  std::atomic<std::uint32_t> threads_of[4] = {};
  on_threads(12, [&](std::uint32_t) {
    const std::uint32_t first = Pool::pool_of_thread();
    ++threads_of[first];
    for (int i = 0; i < 10; ++i) EXPECT_EQ(Pool::pool_of_thread(), first) << "distributed.D1";
  });
  for (const auto &count : threads_of) EXPECT_EQ(count, 3u);
}

TEST(C2_distributed_pool, per_hash_spreads_any_run_of_thread_numbers_evenly) {
  for (std::uint32_t pools : {2u, 3u, 4u, 8u}) {
    for (std::uint32_t first = 1; first < 200; first += 7) {
      for (std::uint32_t step : {1u, 2u, 4u}) {  // every other thread may be one that never uses the pool
        std::vector<std::uint32_t> threads_of(pools, 0);
        for (std::uint32_t i = 0; i < 4 * pools; ++i) ++threads_of[per_hash::pool_of(0, first + i * step, pools)];
        const auto [least, most] = std::minmax_element(threads_of.begin(), threads_of.end());
        ASSERT_GE(*least, 2u) << pools << " pools, threads from " << first << " by " << step;
        ASSERT_LE(*most, 6u) << pools << " pools, threads from " << first << " by " << step;
      }
    }
  }
}

TEST(C2_distributed_pool, per_hash_goes_by_the_number_of_the_thread) {
  using Pool = distributed_pool<Entry, 8, per_hash>;
  on_threads(6, [](std::uint32_t) { EXPECT_EQ(Pool::pool_of_thread(), per_hash::pool_of(0, hg_thread_number(), 8)); });
}

TEST(C2_distributed_pool, per_thread_entries_go_to_the_pool_of_the_thread_that_pushes) {
  struct Own : Entry {};
  using Pool = distributed_pool<Own, 2, per_thread>;
  Heap heap;
  Pool pool(heap, 2);
  Own *const mine = pool.pop();
  const std::uint32_t my_pool = Pool::pool_of_thread();
  EXPECT_EQ(pool.home_of(mine), my_pool);
  on_another_thread([&] {
    ASSERT_NE(Pool::pool_of_thread(), my_pool);
    pool.push(mine);
    EXPECT_EQ(pool.pop(), mine) << "the last one pushed here";
    pool.push(mine);
  });
  Own *const left = pool.pop();
  EXPECT_NE(left, nullptr);
  EXPECT_EQ(pool.pop(), nullptr) << "D1: the other pool has three, this one nothing";
  EXPECT_EQ(pool.free_count(), 3u);
  pool.push(left);
}

TEST(C2_distributed_pool, owner_returning_entries_go_back_to_the_pool_they_came_from) {
  struct Own : Entry {};
  using Pool = distributed_pool<Own, 2, owner_returning>;
  Heap heap;
  Pool pool(heap, 2);
  Own *const mine = pool.pop();
  Own *const other = pool.pop();
  EXPECT_EQ(pool.pop(), nullptr);
  on_another_thread([&] {
    pool.push(mine);
    pool.push(other);
    EXPECT_NE(Pool::pool_of_thread(), pool.home_of(mine));
    Own *const here = pool.pop();
    EXPECT_EQ(pool.home_of(here), Pool::pool_of_thread()) << "not one of those two";
    pool.push(here);
  });
  EXPECT_EQ(pool.pop(), other);
  EXPECT_EQ(pool.pop(), mine);
  pool.push(mine);
  pool.push(other);
}

// Two threads pop, two others push what they get from them through a box each.
template <class Distribution>
void hand_over(std::uint32_t entries) {
  struct Own : Entry {};
  Heap heap;
  distributed_pool<Own, 4, Distribution> pool(heap, entries);
  std::atomic<Own *> box[2] = {};
  std::atomic<bool> done[2] = {};
  std::atomic<int> bad{0};
  on_threads(4, [&](std::uint32_t me) {
    std::atomic<Own *> &mine = box[me % 2];
    if (me <= 2) {
      for (int i = 0; i < 5'000; ++i) {
        Own *const entry = pool.pop();
        if (entry == nullptr) break;  // D2: all of this pool have gone the other way
        bad += entry->owner != 0;
        entry->owner = me;
        for (Own *nothing = nullptr; !mine.compare_exchange_weak(nothing, entry); nothing = nullptr) {
          std::this_thread::yield();
        }
      }
      done[me % 2] = true;
      return;
    }
    for (;;) {
      const bool last = done[me % 2];
      Own *const entry = mine.exchange(nullptr);
      if (entry == nullptr && last) break;
      if (entry == nullptr) {
        std::this_thread::yield();
        continue;
      }
      bad += entry->owner == 0;
      entry->owner = 0;
      pool.push(entry);
    }
  });
  EXPECT_EQ(bad, 0);
  EXPECT_EQ(pool.free_count(), pool.capacity()) << "none was lost, wherever it is now";
}

TEST(C2_distributed_pool, entries_handed_from_thread_to_thread_are_all_back_per_thread) { hand_over<per_thread>(32); }
TEST(C2_distributed_pool, entries_handed_from_thread_to_thread_are_all_back_per_hash) { hand_over<per_hash>(32); }
TEST(C2_distributed_pool, entries_handed_from_thread_to_thread_are_all_back_home) { hand_over<owner_returning>(32); }

template <class Distribution>
bool all_distinct() {
  Heap heap;
  distributed_pool<Entry, 4, Distribution> pool(heap, 3);
  std::atomic<int> bad{0};
  on_threads(6, [&](std::uint32_t me) {
    for (int i = 0; i < 10'000; ++i) {
      Entry *const entry = pool.pop();
      if (entry == nullptr) continue;
      bad += entry->owner != 0;
      entry->owner = me;
      bad += entry->owner != me;
      entry->owner = 0;
      pool.push(entry);
    }
  });
  return bad == 0 && pool.free_count() == 12;
}

TEST(C2_distributed_pool, no_entry_is_given_to_two_threads_at_once) {
  EXPECT_TRUE(all_distinct<per_thread>());
  EXPECT_TRUE(all_distinct<per_hash>());
  EXPECT_TRUE(all_distinct<owner_returning>());
}

TEST(C2_distributed_pool, the_heap_shows_all_pools_as_one_block_of_slots) {
  Heap heap;
  distributed_pool<Entry, 3, owner_returning> pool(heap, 5);
  Entry *const entry = pool.pop();
  hg_pool_stats stats;
  hg_pool_get_stats(pool.owned_pool(), &stats);
  EXPECT_EQ(stats.nodes_in_use, 1u);
  EXPECT_EQ(stats.nodes_free, 14u);
  EXPECT_EQ(stats.blocks, 1u);
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
  pool.push(entry);
}

template <class Pool>
constexpr bool kCounts = requires(const Pool &pool) { pool.contention_so_far(); };

TEST(C3_contention, is_not_there_unless_asked_for) {
  struct Own : Entry {};
  using Plain = lock_free_pool<Own>;
  using Counted = lock_free_pool<Own, true>;
  static_assert(!kCounts<Plain> && kCounts<Counted>);
  static_assert(sizeof(Plain) == 2 * 64, "the head's line, and the line that says where the slots are");
  static_assert(sizeof(Counted) == sizeof(Plain) + 64, "and the counter's own line");
  static_assert(sizeof(distributed_pool<Own, 4>) == 5 * 64);
  static_assert(!kCounts<distributed_pool<Own, 4>> && kCounts<distributed_pool<Own, 4, per_thread, true>>);
  static_assert(std::is_empty_v<heapglass::lock_free::contention_counter<false>>);
}

TEST(C3_contention, counts_operations_exactly_and_no_retry_when_alone) {
  struct Own : Entry {};
  Heap heap;
  lock_free_pool<Own, true> pool(heap, 4);
  for (int i = 0; i < 1000; ++i) pool.push(pool.pop());
  const heapglass::contention found = pool.contention_so_far();
  EXPECT_EQ(found.operations, 2000u);
  EXPECT_EQ(found.retries, 0u);
  EXPECT_EQ(found.percent(), 0.0);
}

TEST(C3_contention, sums_over_the_pools_of_an_array) {
  struct Own : Entry {};
  Heap heap;
  distributed_pool<Own, 2, per_thread, true> pool(heap, 4);
  on_threads(4, [&](std::uint32_t) {
    for (int i = 0; i < 500; ++i) {
      if (Own *const entry = pool.pop()) pool.push(entry);
    }
  });
  EXPECT_LE(pool.contention_so_far().operations, 4000u);
  EXPECT_GT(pool.contention_so_far().operations, 0u);
}

TEST(C3_contention, is_told_in_percent_of_the_operations) {
  EXPECT_EQ((heapglass::contention{50, 200}).percent(), 25.0);
  EXPECT_EQ((heapglass::contention{0, 0}).percent(), 0.0);
}

}  // namespace
}  // namespace lock_free_distributed_tests
