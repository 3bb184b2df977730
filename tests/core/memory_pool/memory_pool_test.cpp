// Memory pools: a heap for each data structure (rows B1, B2).
#include <algorithm>
#include <random>

#include "base/address.hpp"
#include "heap/first_chunk.hpp"
#include "platform/page_source.hpp"
#include "pool/memory_pool.hpp"
#include "pool/pool_rig.hpp"
#include "support/held_runs.hpp"

namespace pool_tests {
namespace {

using heapglass::growing_pages;
using heapglass::kFixedBlockBytes;
using heapglass::kPageBytes;

uintptr_t address(const void *mem) { return reinterpret_cast<uintptr_t>(mem); }

// A memory pool, proved sound when the test ends. What is in it goes with it: that is what it is for.
class TestMemoryPool {
 public:
  explicit TestMemoryPool(size_t fixed_size) : pool_(hg_memory_pool_create(fixed_size)) {}
  TestMemoryPool(const TestMemoryPool &) = delete;
  TestMemoryPool &operator=(const TestMemoryPool &) = delete;
  ~TestMemoryPool() {
    EXPECT_STREQ(hg_heap_check(hg_memory_pool_heap(pool_)), nullptr);
    hg_memory_pool_destroy(pool_);
  }
  operator hg_memory_pool *() const { return pool_; }
  hg_heap *heap() const { return hg_memory_pool_heap(pool_); }

 private:
  hg_memory_pool *const pool_;
};

TEST(B1_memory_pool, its_states_are_the_first_chunks_of_its_heap) {  // M1
  for (const size_t fixed_size : {size_t{0}, size_t{24}, size_t{2048}}) {
    TestMemoryPool pool(fixed_size);
    const uintptr_t heap = address(pool.heap());
    const uintptr_t first = heap + heapglass::kStateBytes + sizeof(void *);
    EXPECT_EQ(address(static_cast<hg_memory_pool *>(pool)), first);
    const auto *const state = reinterpret_cast<const heapglass::MemoryPool *>(static_cast<hg_memory_pool *>(pool));
    EXPECT_EQ(state->pool == nullptr, fixed_size == 0);
    if (fixed_size != 0) {
      EXPECT_EQ(address(state->pool), first + hg_usable_size(state) + sizeof(void *));
    }
    EXPECT_EQ(hg_memory_pool_heap(pool), pool.heap());
  }
}

TEST(B1_memory_pool, any_number_lives_side_by_side_and_keeps_its_own) {
  std::vector<hg_memory_pool *> pools;
  std::vector<std::vector<unsigned char *>> blocks(40);
  for (size_t i = 0; i < blocks.size(); ++i) pools.push_back(hg_memory_pool_create(i % 2 == 0 ? 32 : 0));
  for (size_t round = 0; round < 200; ++round) {
    for (size_t i = 0; i < pools.size(); ++i) {
      const bool fixed = i % 2 == 0 && round % 2 == 0;
      void *const mem = fixed ? hg_memory_pool_allocate_fixed(pools[i]) : hg_memory_pool_allocate(pools[i], 32);
      ASSERT_NE(mem, nullptr);
      std::memset(mem, static_cast<int>(i), 32);
      blocks[i].push_back(static_cast<unsigned char *>(mem));
    }
  }
  for (size_t i = 0; i < pools.size(); ++i) {  // one after another goes, the others keep what they hold
    for (const unsigned char *const mem : blocks[i]) {
      ASSERT_TRUE(std::all_of(mem, mem + 32, [&](unsigned char byte) { return byte == i; })) << i;
    }
    EXPECT_STREQ(hg_heap_check(hg_memory_pool_heap(pools[i])), nullptr);
    hg_memory_pool_destroy(pools[i]);
  }
}

TEST(B1_memory_pool, more_are_made_than_there_are_ids) {
  const heapglass_test::HeldRuns held;
  uintptr_t end = 0;
  for (int round = 0; round < 5000; ++round) {  // of 255 heaps and 4095 pools
    hg_memory_pool *const pool = hg_memory_pool_create(24);
    ASSERT_NE(pool, nullptr) << round;
    ASSERT_NE(hg_memory_pool_allocate_fixed(pool), nullptr);
    ASSERT_NE(hg_memory_pool_allocate(pool, 100), nullptr);
    hg_memory_pool_destroy(pool);
    if (round == 0) end = growing_pages()->frontier;
  }
  EXPECT_EQ(growing_pages()->frontier, end) << "and they share one memory";
}

TEST(B1_memory_pool, out_of_memory_at_every_growth_changes_nothing) {
  heapglass::fail_growth(1);
  const heapglass_test::HeldRuns held;
  EXPECT_EQ(hg_memory_pool_create(24), nullptr);
  heapglass::fail_growth(0);
  for (heapglass::Word k = 1; k < 12; ++k) {
    TestMemoryPool pool(200);
    heapglass::fail_growth(k);
    size_t fixed = 0;
    while (hg_memory_pool_allocate_fixed(pool) != nullptr) ++fixed;
    EXPECT_EQ(hg_heap_status(pool.heap()), static_cast<uint32_t>(HG_STATUS_out_of_memory));
    EXPECT_EQ(hg_memory_pool_allocate(pool, 10'000'000), nullptr);
    heapglass::fail_growth(0);
    EXPECT_STREQ(hg_heap_check(pool.heap()), nullptr);
    EXPECT_GT(fixed, 0u);
    EXPECT_NE(hg_memory_pool_allocate_fixed(pool), nullptr) << "goes on when memory is there again";
  }
}

TEST(B1_memory_pool, none_is_made_when_heaps_or_pools_are_used_up) {
  std::vector<hg_memory_pool *> pools;
  while (hg_memory_pool *const pool = hg_memory_pool_create(24)) pools.push_back(pool);
  EXPECT_GE(pools.size(), 200u);
  for (hg_memory_pool *const pool : pools) hg_memory_pool_destroy(pool);
  const hg_pool_options options = {HG_SHAPE_segregated, 16, 1, 0, 0};
  hg_heap *const heap = hg_heap_create();
  while (hg_pool_create(heap, &options) != nullptr) {
  }
  EXPECT_EQ(hg_memory_pool_create(24), nullptr);
  hg_memory_pool *const plain = hg_memory_pool_create(0);  // needs no pool
  EXPECT_NE(plain, nullptr);
  hg_memory_pool_destroy(plain);
  hg_heap_destroy(heap);
  hg_memory_pool *const again = hg_memory_pool_create(24);
  EXPECT_NE(again, nullptr);
  hg_memory_pool_destroy(again);
}

TEST(B2_fixed_path, agrees_with_a_set_of_blocks_for_every_size) {
  for (const size_t size : {1u, 8u, 12u, 24u, 40u, 100u, 1000u, 2048u}) {
    TestMemoryPool pool(size);
    const size_t node_size = (size + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    std::mt19937 random(static_cast<uint32_t>(size));
    std::map<uint32_t, void *> nodes;
    for (int step = 0; step < 600; ++step) {
      if (random() % 100 < (step / 150 % 2 == 0 ? 75u : 25u) || nodes.empty()) {
        void *const node = hg_memory_pool_allocate_fixed(pool);
        ASSERT_NE(node, nullptr);
        ASSERT_TRUE(nodes.emplace(at(node), node).second);
        ASSERT_EQ(address(node) % (node_size % HG_ALIGNMENT == 0 ? HG_ALIGNMENT : sizeof(void *)), 0u);
        ASSERT_EQ(hg_memory_pool_of_fixed(node), pool);
        ASSERT_EQ(hg_memory_pool_of_fixed(static_cast<char *>(node) + size - 1), pool);
        std::memset(node, 0xee, size);
      } else {
        auto chosen = nodes.begin();
        std::advance(chosen, random() % nodes.size());
        hg_memory_pool_deallocate_fixed(chosen->second);
        nodes.erase(chosen);
      }
      if (step % 30 == 0) {
        ASSERT_NE(hg_memory_pool_allocate(pool, random() % 3000), nullptr);
      }
      if (step % 20 != 0) continue;
      ASSERT_STREQ(hg_heap_check(pool.heap()), nullptr) << "step " << step;
      std::set<uint32_t> in_use;
      for (const auto &[where, node] : nodes) in_use.insert(where);
      ASSERT_EQ(picture_of(pool.heap()).nodes_in_use(), in_use) << "size " << size << " step " << step;
    }
  }
}

TEST(B2_fixed_path, takes_the_block_returned_last_and_else_the_next_one_in_address_order) {
  TestMemoryPool pool(24);
  void *const a = hg_memory_pool_allocate_fixed(pool);
  void *const b = hg_memory_pool_allocate_fixed(pool);
  EXPECT_EQ(address(b), address(a) + 24) << "no header between them";
  hg_memory_pool_deallocate_fixed(a);
  hg_memory_pool_deallocate_fixed(b);
  hg_memory_pool_deallocate_fixed(nullptr);
  EXPECT_EQ(hg_memory_pool_allocate_fixed(pool), b);
  EXPECT_EQ(hg_memory_pool_allocate_fixed(pool), a);
  EXPECT_EQ(address(hg_memory_pool_allocate_fixed(pool)), address(a) + 48);
}

TEST(B2_fixed_path, blocks_pack_and_a_thousand_allocations_ask_the_heap_once_a_block) {
  TestMemoryPool pool(24);
  hg_trace_start(0);
  take_events();
  std::set<uintptr_t> blocks;
  size_t asked = 0;
  for (int i = 0; i < 3000; ++i) {
    blocks.insert(address(hg_memory_pool_allocate_fixed(pool)) / kFixedBlockBytes);
    for (const hg_event &event : take_events()) {
      asked += (event.head & 0xff) == HG_EVENT_op_begun && event.head >> 16 == HG_OP_allocate_aligned;
    }
  }
  hg_trace_stop();
  const size_t in_block = (kFixedBlockBytes - HG_OWNED_BLOCK_HEAD - sizeof(void *)) / 24;
  EXPECT_EQ(blocks.size(), 3000 / in_block + 1);
  EXPECT_EQ(asked, blocks.size());
  EXPECT_EQ(*blocks.rbegin() - *blocks.begin() + 1, blocks.size()) << "side by side";
}

TEST(B2_fixed_path, a_trace_names_operation_and_node) {
  TestMemoryPool pool(32);
  void *const warm = hg_memory_pool_allocate_fixed(pool);
  hg_trace_start(0);
  take_events();
  void *const node = hg_memory_pool_allocate_fixed(pool);
  hg_memory_pool_deallocate_fixed(node);
  const std::vector<hg_event> events = take_events();
  hg_trace_stop();
  const uint32_t id = reinterpret_cast<const heapglass::MemoryPool *>(static_cast<hg_memory_pool *>(pool))->pool->id;
  const std::vector<std::pair<uint32_t, uint32_t>> expected = {
      {HG_EVENT_op_begun, HG_OP_pool_allocate},   {HG_EVENT_node_taken, id},
      {HG_EVENT_op_ended, HG_OP_pool_allocate},   {HG_EVENT_op_begun, HG_OP_pool_deallocate},
      {HG_EVENT_node_returned, id},               {HG_EVENT_op_ended, HG_OP_pool_deallocate},
  };
  ASSERT_EQ(events.size(), expected.size());
  for (size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].head & 0xff, expected[i].first) << i;
    EXPECT_EQ(events[i].head >> 16, expected[i].second) << i;
  }
  EXPECT_EQ(events[1].a, at(node));
  EXPECT_EQ(events[2].a, at(node));
  EXPECT_EQ(events[4].a, at(node));
  hg_memory_pool_deallocate_fixed(warm);
}

TEST(B2_fixed_path, a_pool_without_one_refuses_and_too_large_a_size_makes_none) {
  EXPECT_EQ(hg_memory_pool_create(2049), nullptr);
  TestMemoryPool pool(0);
  EXPECT_EQ(hg_memory_pool_allocate_fixed(pool), nullptr);
  EXPECT_EQ(hg_heap_status(pool.heap()), static_cast<uint32_t>(HG_STATUS_bad_argument));
  void *const mem = hg_memory_pool_allocate(pool, 100);
  EXPECT_NE(mem, nullptr);
  hg_memory_pool_deallocate(pool, mem);
}

TEST(B2_fixed_path, without_a_number_for_its_pool_there_is_no_memory_pool_and_no_heap_is_left) {
  TestHeap heap;
  const hg_pool_options options = {HG_SHAPE_segregated, 16, 8, 0, 0};
  std::vector<hg_pool *> pools;
  while (hg_pool *const pool = hg_pool_create(heap, &options)) pools.push_back(pool);
  ASSERT_GT(pools.size(), 4000u);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(hg_memory_pool_create(32), nullptr);  // more than there are heaps
  hg_memory_pool *const plain = hg_memory_pool_create(0);  // needs none
  EXPECT_NE(plain, nullptr);
  hg_memory_pool_destroy(plain);
  for (hg_pool *const pool : pools) hg_pool_destroy(pool);
}

}  // namespace
}  // namespace pool_tests
