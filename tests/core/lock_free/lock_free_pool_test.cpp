// C1 without threads: what a pool gives, what the heap around it shows, and what the trace tells.
#include <heapglass/lock_free_pool.hpp>

#include <set>

#include "heap/heap_fixture.hpp"
#include "pool/pool_rig.hpp"

namespace {

using heapglass::lock_free_pool;

struct Entry {
  std::uint64_t words[5] = {1, 2, 3, 4, 5};
};

struct alignas(256) Wide {
  char byte = 7;
};

class C1_lock_free_pool : public heapglass_test::GrowingHeap {};

TEST_F(C1_lock_free_pool, gives_each_entry_once_and_then_none) {
  lock_free_pool<Entry> pool(heap, 100);
  ASSERT_EQ(pool.capacity(), 100u);
  std::set<Entry *> out;
  while (Entry *entry = pool.pop()) EXPECT_TRUE(out.insert(entry).second);
  EXPECT_EQ(out.size(), 100u);
  EXPECT_EQ(pool.free_count(), 0u);
  EXPECT_EQ(pool.pop(), nullptr) << "and stays empty";
  for (Entry *entry : out) pool.push(entry);
  EXPECT_EQ(pool.free_count(), 100u);
}

TEST_F(C1_lock_free_pool, gives_the_entry_pushed_last_first) {
  lock_free_pool<Entry> pool(heap, 3);
  Entry *const a = pool.pop();
  Entry *const b = pool.pop();
  pool.push(a);
  pool.push(b);
  EXPECT_EQ(pool.pop(), b);
  EXPECT_EQ(pool.pop(), a);
  pool.push(a);
  pool.push(b);
}

TEST_F(C1_lock_free_pool, keeps_what_the_last_user_wrote_and_makes_entries_once) {
  lock_free_pool<Entry> pool(heap, 1);
  Entry *const entry = pool.pop();
  EXPECT_EQ(entry->words[4], 5u);
  for (std::uint64_t &word : entry->words) word = 0x5a5a5a5a5a5a5a5au;
  pool.push(entry);
  Entry *const again = pool.pop();
  for (std::uint64_t word : again->words) EXPECT_EQ(word, 0x5a5a5a5a5a5a5a5au) << "P2, and L1: no link lies in the entry";
  pool.push(again);
}

int g_entries_alive = 0;
struct Counted {
  Counted() noexcept { ++g_entries_alive; }
  ~Counted() { --g_entries_alive; }
};

TEST_F(C1_lock_free_pool, ends_its_entries_with_itself) {
  {
    lock_free_pool<Counted> pool(heap, 17);
    EXPECT_EQ(g_entries_alive, 17);
    pool.push(pool.pop());
    EXPECT_EQ(g_entries_alive, 17);
  }
  EXPECT_EQ(g_entries_alive, 0);
}

TEST_F(C1_lock_free_pool, puts_no_two_entries_on_one_cache_line) {
  lock_free_pool<char> pool(heap, 4);
  std::set<std::uintptr_t> lines;
  std::vector<char *> out;
  while (char *entry = pool.pop()) {
    lines.insert(reinterpret_cast<std::uintptr_t>(entry) / 64);
    out.push_back(entry);
  }
  EXPECT_EQ(lines.size(), 4u);
  for (char *entry : out) pool.push(entry);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&pool) % 64, 0u) << "nor the head with anything else";
}

TEST_F(C1_lock_free_pool, aligns_entries_beyond_a_cache_line) {
  lock_free_pool<Wide> pool(heap, 3);
  for (int i = 0; i < 3; ++i) {
    Wide *const entry = pool.pop();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(entry) % 256, 0u);
    EXPECT_EQ(entry->byte, 7);
    pool.push(entry);
  }
}

TEST_F(C1_lock_free_pool, shows_free_and_used_slots_to_walk_and_statistics) {
  lock_free_pool<Entry> pool(heap, 10);
  Entry *const a = pool.pop();
  Entry *const b = pool.pop();
  Entry *const c = pool.pop();
  pool.push(b);
  const hg_pool_stats stats = pool_tests::stats_of(pool.owned_pool());
  EXPECT_EQ(stats.nodes_in_use, 2u);
  EXPECT_EQ(stats.nodes_free, 8u);
  EXPECT_EQ(stats.blocks, 1u);
  EXPECT_EQ(stats.nodes_per_block, 10u);

  const pool_tests::PoolPicture picture = pool_tests::picture_of(heap);
  ASSERT_EQ(picture.blocks.size(), 1u);
  EXPECT_EQ(picture.blocks.begin()->second.nodes.size(), 10u);
  std::set<std::uint32_t> used;
  for (const Entry *entry : {a, c}) {
    used.insert(pool_tests::at(entry) - static_cast<std::uint32_t>(heapglass::lock_free::slots<Entry>::kEntry));
  }
  EXPECT_EQ(picture.nodes_in_use(), used);
  HG_EXPECT_SOUND(heap);
  pool.push(a);
  pool.push(c);
}

TEST_F(C1_lock_free_pool, takes_one_block_and_gives_it_back) {
  {
    lock_free_pool<Entry> pool(heap, 1000);
    EXPECT_EQ(heapglass_test::stats_of(heap).chunks_in_use, 2u) << "the owned pool's own chunk, and its block";
  }
  EXPECT_EQ(heapglass_test::stats_of(heap).chunks_in_use, 0u);
}

TEST(C1_lock_free_pool_out_of_memory, is_an_empty_pool) {
  std::vector<unsigned char> region(16 * 1024);
  hg_heap *const heap = hg_heap_create_fixed(region.data(), region.size());
  {
    lock_free_pool<Entry> pool(heap, 1000);
    EXPECT_EQ(pool.capacity(), 0u);
    EXPECT_EQ(pool.pop(), nullptr);
    lock_free_pool<Entry> none(heap, 0);
    EXPECT_EQ(none.pop(), nullptr);
    lock_free_pool<Entry> beyond(heap, 0xffffffffu);
    EXPECT_EQ(beyond.pop(), nullptr);
    lock_free_pool<Entry> small(heap, 8);
    EXPECT_EQ(small.capacity(), 8u) << "the refused ones took nothing";
  }
  HG_EXPECT_SOUND(heap);
  EXPECT_EQ(heapglass_test::stats_of(heap).chunks_in_use, 0u);
  hg_heap_destroy(heap);
}

// of_entry tells an entry of this pool from every other address: push stops a checked program by it.
TEST_F(C1_lock_free_pool, knows_its_slots_by_their_addresses_and_no_other) {
  using Slots = heapglass::lock_free::slots<Entry>;
  const Slots slots(heap, 5, 2, nullptr, [](const void *, hg_free_cursor *) -> const void * { return nullptr; });
  ASSERT_EQ(slots.count(), 10u);
  const unsigned char *const begin = slots.at(1) - Slots::kStride;
  for (std::size_t offset = 0; offset < 13 * Slots::kStride; ++offset) {
    const std::size_t slot = offset / Slots::kStride;
    const bool is_one = offset % Slots::kStride == 0 && slot >= 1 && slot <= 10;
    ASSERT_EQ(slots.of_node(begin + offset), is_one ? slot : 0) << offset;
  }
  for (std::uint32_t slot = 1; slot <= 10; ++slot) {
    EXPECT_EQ(slots.of_entry(slots.entry(slot)), slot);
    EXPECT_EQ(slots.head(slot).home, slot <= 5 ? 0u : 1u);
  }
}

TEST(C1_lock_free_pool_death, ending_a_pool_with_an_entry_out_stops_the_program) {
  const auto leave_one_out = [] {
    hg_heap *const heap = hg_heap_create();
    lock_free_pool<Entry> pool(heap, 2);
    pool.pop();
  };
  EXPECT_DEATH(leave_one_out(), "");
}

TEST_F(C1_lock_free_pool, tells_a_trace_that_folds_to_what_the_walk_finds) {
  hg_trace_start(0);
  pool_tests::take_events();
  {
    lock_free_pool<Entry> pool(heap, 32);
    std::set<std::uint32_t> in_use, free;
    std::vector<Entry *> out;
    heapglass_test::Random random{7};
    for (int step = 0; step < 2000; ++step) {
      if (random.below(2) == 0 || out.empty()) {
        if (Entry *const entry = pool.pop()) out.push_back(entry);
      } else {
        std::swap(out[random.below(static_cast<std::uint32_t>(out.size()))], out.back());
        pool.push(out.back());
        out.pop_back();
      }
      for (const hg_event &event : pool_tests::take_events()) {
        if ((event.head & 0xff) == HG_EVENT_node_taken) {
          ASSERT_TRUE(in_use.insert(event.a).second);
        } else if ((event.head & 0xff) == HG_EVENT_node_returned) {
          ASSERT_EQ(in_use.erase(event.a), 1u);
        } else {
          continue;
        }
        ASSERT_EQ(event.head >> 16, hg_pool_id(pool.owned_pool()));
        ASSERT_EQ(event.b, 0u) << "P2 of event.h: no block is named";
        ASSERT_EQ(event.c, 0u);
      }
      ASSERT_EQ(in_use, pool_tests::picture_of(heap).nodes_in_use());
    }
    for (Entry *entry : out) pool.push(entry);
  }
  hg_trace_stop();
}

}  // namespace
