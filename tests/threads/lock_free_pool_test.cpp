// C1 with threads: nobody is given what another one has, nothing is lost, and the one interleaving that breaks simpler
// lists is played by hand. Run under ThreadSanitizer too (preset native-tsan).
#include <heapglass/event.h>
#include <heapglass/lock_free_pool.hpp>

#include <atomic>
#include <latch>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "trace/ring.hpp"

namespace lock_free_pool_tests {
namespace {

using heapglass::lock_free_pool;
using heapglass::lock_free::list;
using heapglass::lock_free::slot_head;
using heapglass::lock_free::slots;

// `owner` is a plain word: if two threads ever had the entry at once, ThreadSanitizer would see them meet there.
struct Entry {
  std::uint32_t owner = 0;
  std::uint32_t filler[12] = {};
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

// For slots without a pool around them: nobody asks which are free.
const auto kNothingFree = [](const void *, hg_free_cursor *) -> const void * { return nullptr; };

// Holds up to three entries at a time, each marked as the thread's; false when a mark was another one's.
template <class Pool>
bool pop_mark_and_push(Pool &pool, std::uint32_t me, std::uint32_t rounds) {
  bool good = true;
  for (std::uint32_t i = 0; i < rounds; ++i) {
    Entry *held[3] = {};
    for (Entry *&entry : held) {
      entry = pool.pop();
      if (entry == nullptr) continue;
      good = good && entry->owner == 0;
      entry->owner = me;
    }
    for (Entry *entry : held) {
      if (entry == nullptr) continue;
      good = good && entry->owner == me;
      entry->owner = 0;
      pool.push(entry);
    }
  }
  return good;
}

TEST(C1_lock_free_threads, no_entry_is_given_to_two_threads_at_once) {
  Heap heap;
  lock_free_pool<Entry> pool(heap, 8);
  std::atomic<int> bad{0};
  on_threads(4, [&](std::uint32_t me) { bad += !pop_mark_and_push(pool, me, 20'000); });
  EXPECT_EQ(bad, 0);
  EXPECT_EQ(pool.free_count(), 8u) << "none was lost";
}

TEST(C1_lock_free_threads, what_producers_write_consumers_find_and_nothing_is_lost) {
  constexpr std::uint32_t kEach = 20'000;
  Heap heap;
  // Two lists over the same slots, as in a pool of lists: empty entries, and full ones.
  slots<std::uint64_t> all(heap, 16, 1, &heap, kNothingFree);
  ASSERT_EQ(all.count(), 16u);
  list<false> empty, full;
  empty.reset(1);
  std::atomic<std::uint64_t> found{0}, taken{0};
  on_threads(4, [&](std::uint32_t me) {
    const bool producer = me <= 2;
    std::uint64_t sum = 0;
    for (std::uint32_t i = 1; i <= kEach;) {
      const std::uint32_t slot = (producer ? empty : full).pop(all);
      if (slot == 0) {
        std::this_thread::yield();
        continue;
      }
      if (producer) *all.entry(slot) = i;
      else sum += *all.entry(slot);
      (producer ? full : empty).push(all, slot);
      ++i;
    }
    if (!producer) {
      found += sum;
      taken += kEach;
    }
  });
  EXPECT_EQ(taken, 2u * kEach);
  EXPECT_EQ(found, std::uint64_t{kEach} * (kEach + 1)) << "each number of both producers once";
  EXPECT_EQ(full.look().top, 0u);
  std::uint32_t back = 0;
  while (empty.pop(all) != 0) ++back;
  EXPECT_EQ(back, 16u);
}

// Slots that let others step in between the two steps of a pop: where it has seen the top and asks for the slot below.
struct Interrupted {
  const slots<Entry> &all;
  list<true> &head_of_all;
  mutable void (*others)(const Interrupted &);

  const slot_head &head(std::uint32_t slot) const {
    static slot_head seen{{0}, 0};
    seen.next = all.head(slot).next.load();  // and then the others come
    if (others != nullptr) {
      void (*const now)(const Interrupted &) = others;
      others = nullptr;
      now(*this);
    }
    return seen;
  }
};

TEST(C1_lock_free_aba, a_top_that_went_and_came_back_is_not_taken_for_the_same) {
  Heap heap;
  slots<Entry> all(heap, 3, 1, &heap, kNothingFree);
  list<true> head;
  head.reset(1);  // 1 above 2 above 3
  // Another thread takes 1 and 2 and gives back 1 while this one stands between the steps: 1 is on top again, but now
  // above 3, and 2 is in use. A head without a count of pops would put 2 on top.
  const auto others = [](const Interrupted &at) {
    EXPECT_EQ(at.head_of_all.pop(at.all), 1u);
    EXPECT_EQ(at.head_of_all.pop(at.all), 2u);
    at.head_of_all.push(at.all, 1);
  };
  const Interrupted slow{all, head, others};
  EXPECT_EQ(head.pop(slow), 1u);
  EXPECT_EQ(head.look().top, 3u) << "not 2, which is in use";
  EXPECT_EQ(head.retries(), 1u) << "the exchange failed once, though the top was the same";
  EXPECT_EQ(head.pop(all), 3u);
  EXPECT_EQ(head.pop(all), 0u);
}

// As above, for a push: the others come when this one has read the top and stored it below its slot.
struct InterruptedPush {
  const slots<Entry> &all;
  list<true> &head_of_all;
  mutable bool came = false;

  slot_head &head(std::uint32_t slot) const {
    if (!std::exchange(came, true)) {
      EXPECT_EQ(head_of_all.pop(all), 2u);
    }
    return all.head(slot);
  }
};

TEST(C1_lock_free_aba, a_push_that_comes_too_late_is_tried_again_and_counted) {
  Heap heap;
  slots<Entry> all(heap, 3, 1, &heap, kNothingFree);
  list<true> head;
  head.reset(1);
  ASSERT_EQ(head.pop(all), 1u);
  ASSERT_EQ(head.retries(), 0u);
  const InterruptedPush slow{all, head};
  head.push(slow, 1);
  EXPECT_EQ(head.retries(), 1u) << "2 was taken between the look and the exchange";
  EXPECT_EQ(head.pop(all), 1u);
  EXPECT_EQ(head.pop(all), 3u) << "not 2, which is in use";
  EXPECT_EQ(head.pop(all), 0u);
}

TEST(C1_lock_free_aba, the_two_heads_differ_in_the_count_of_pops_alone) {
  Heap heap;
  slots<Entry> all(heap, 3, 1, &heap, kNothingFree);
  list<false> head;
  head.reset(1);
  list<false>::view seen = head.look();
  const list<false>::view before = seen;
  EXPECT_EQ(head.pop(all), 1u);
  EXPECT_EQ(head.pop(all), 2u);
  head.push(all, 1);
  EXPECT_FALSE(head.take(seen, 2));
  EXPECT_EQ(seen.top, before.top);
  EXPECT_EQ(seen.pops, before.pops + 2);
}

TEST(C1_lock_free_aba, a_push_that_was_overtaken_goes_on_top_of_what_is_there_now) {
  Heap heap;
  slots<Entry> all(heap, 3, 1, &heap, kNothingFree);
  list<false> head;
  head.reset(1);
  EXPECT_EQ(head.pop(all), 1u);
  list<false>::view seen = head.look();
  EXPECT_EQ(head.pop(all), 2u);          // overtakes the push of 1, which saw 2 on top
  EXPECT_FALSE(head.put(seen, 1));
  EXPECT_EQ(seen.top, 3u);
  head.push(all, 1);
  EXPECT_EQ(head.pop(all), 1u);
  EXPECT_EQ(head.pop(all), 3u);
}

#if HG_TRACE

std::vector<hg_event> g_drained;
void drain(hg_ring *ring) {
  for (; ring->tail_low != ring->head_low; ++ring->tail_low) {
    g_drained.push_back(heapglass::trace::g_records[ring->tail_low & (ring->capacity - 1)]);
  }
}

std::set<std::uint32_t> nodes_in_use(const hg_heap *heap) {
  std::set<std::uint32_t> nodes;
  hg_walk_record records[64];
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  while (const std::size_t count = hg_walk_next(&walk, records, 64)) {
    for (std::size_t i = 0; i < count; ++i) {
      if ((records[i].kind & 0xff) == HG_WALK_node_in_use) nodes.insert(records[i].address);
    }
  }
  return nodes;
}

TEST(C1_lock_free_trace, takes_and_returns_alternate_for_each_slot_and_lead_to_what_the_walk_finds) {
  Heap heap;
  lock_free_pool<Entry> pool(heap, 6);
  drain(hg_trace_ring());
  g_drained.clear();
  hg_set_drain_hook(drain);
  hg_trace_start(1);
  std::atomic<int> bad{0};
  std::latch all_done(4);  // a thread that ends gives its number back, and the next one would take it
  std::atomic<std::uint32_t> turn{1};  // at first each takes alone: two that hold all six may be at rest for as long as it runs
  on_threads(4, [&](std::uint32_t me) {
    while (turn != me) std::this_thread::yield();
    bad += !pop_mark_and_push(pool, me, 1);
    ++turn;
    while (turn <= 4) std::this_thread::yield();
    bad += !pop_mark_and_push(pool, me, 3'000);
    all_done.arrive_and_wait();
  });
  Entry *const one = pool.pop();
  Entry *const two = pool.pop();
  const std::set<std::uint32_t> walked = nodes_in_use(heap);
  drain(hg_trace_ring());
  hg_trace_stop();
  hg_set_drain_hook(nullptr);
  pool.push(one);
  pool.push(two);
  EXPECT_EQ(bad, 0);

  std::set<std::uint32_t> in_use, threads;
  std::uint32_t acting = 0;
  for (const hg_event &event : g_drained) {
    const std::uint32_t kind = event.head & 0xff;
    if (kind == HG_EVENT_thread_changed) {
      ASSERT_TRUE(acting == 0 || event.b == acting) << "the trace is one story";
      acting = event.a;
      threads.insert({acting, event.b});  // the first one acted perhaps before
    } else if (kind == HG_EVENT_node_taken) {
      ASSERT_TRUE(in_use.insert(event.a).second) << "taken twice";
    } else if (kind == HG_EVENT_node_returned) {
      ASSERT_EQ(in_use.erase(event.a), 1u) << "returned twice";
    }
  }
  EXPECT_EQ(in_use, walked);
  EXPECT_EQ(in_use.size(), 2u);
  EXPECT_GE(threads.size(), 4u);
}

#endif

}  // namespace
}  // namespace lock_free_pool_tests
