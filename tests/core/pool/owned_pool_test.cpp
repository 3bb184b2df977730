// Pools with an owner of their own: the ground for rows B2, C1, D2 and E1.
#include <random>

#include "pool/pool_rig.hpp"

namespace pool_tests {
namespace {

// A fixed-block owner as small as one can be: a list through the free nodes, and blocks cut at once.
class Owner {
 public:
  static constexpr uint32_t kShapes[] = {HG_SHAPE_size_class, HG_SHAPE_fixed_block, HG_SHAPE_lock_free,
                                         HG_SHAPE_fixed_size};

  Owner(hg_heap *heap, uint32_t shape, uint32_t node_size, uint32_t nodes, uint32_t first, uint32_t alignment = 0)
      : options_{shape, node_size, first, nodes, first + nodes * node_size, alignment, this, next_free} {
    pool = hg_owned_pool_create(heap, &options_);
  }
  Owner(const Owner &) = delete;
  Owner &operator=(const Owner &) = delete;

  void *take() {
    if (free_ == nullptr && !add_block()) return nullptr;
    void *const node = free_;
    free_ = *static_cast<void **>(node);
    hg_owned_node_taken(pool, node);
    return node;
  }
  void give_back(void *node) {
    *static_cast<void **>(node) = free_;
    free_ = node;
    hg_owned_node_returned(pool, node);
  }
  // pre: all nodes of the block are free
  void drop_block(void *block) {
    void **place = &free_;
    while (*place != nullptr) {
      const size_t offset = static_cast<size_t>(static_cast<char *>(*place) - static_cast<char *>(block));
      if (offset < options_.block_bytes) {
        *place = *static_cast<void **>(*place);
      } else {
        place = static_cast<void **>(*place);
      }
    }
    hg_owned_pool_release_block(pool, block);
  }
  std::vector<void *> blocks() const {
    std::vector<void *> found;
    void *block = nullptr;
    while ((block = hg_owned_pool_next_block(pool, block)) != nullptr) found.push_back(block);
    return found;
  }

  hg_pool *pool;

 private:
  bool add_block() {
    char *const block = static_cast<char *>(hg_owned_pool_acquire_block(pool));
    if (block == nullptr) return false;
    for (uint32_t i = options_.nodes_per_block; i-- != 0;) {
      char *const node = block + options_.first_node + size_t{i} * options_.node_size;
      *reinterpret_cast<void **>(node) = free_;
      free_ = node;
    }
    return true;
  }
  static const void *next_free(const void *owner, hg_free_cursor *cursor) {
    const Owner *const self = static_cast<const Owner *>(owner);
    cursor->node = cursor->place++ == 0 ? self->free_ : *static_cast<void *const *>(cursor->node);
    return cursor->node;
  }

  hg_owned_pool_options options_;
  void *free_ = nullptr;
};

TEST(B2_owned_pool, a_walk_sees_every_node_as_its_owner_does) {
  for (const uint32_t shape : Owner::kShapes) {
    TestHeap heap;
    Owner owner(heap, shape, 24, 20, 64, 1024);
    std::mt19937 random(shape);
    std::map<uint32_t, void *> nodes;
    for (int step = 0; step < 800; ++step) {
      if (random() % 100 < (step / 200 % 2 == 0 ? 75u : 25u) || nodes.empty()) {
        void *const node = owner.take();
        ASSERT_NE(node, nullptr);
        ASSERT_TRUE(nodes.emplace(at(node), node).second);
        std::memset(node, 0xee, 24);
      } else {
        auto chosen = nodes.begin();
        std::advance(chosen, random() % nodes.size());
        owner.give_back(chosen->second);
        nodes.erase(chosen);
      }
      if (step % 10 != 0) continue;
      ASSERT_STREQ(hg_heap_check(heap), nullptr) << "step " << step;
      std::set<uint32_t> in_use;
      for (const auto &[address, node] : nodes) in_use.insert(address);
      ASSERT_EQ(picture_of(heap).nodes_in_use(), in_use);
      ASSERT_EQ(stats_of(owner.pool).nodes_in_use, nodes.size());
    }
    const hg_pool_stats stats = stats_of(owner.pool);
    EXPECT_GT(stats.blocks, 2u);
    EXPECT_EQ(stats.nodes_free + stats.nodes_in_use, stats.blocks * 20);
    EXPECT_EQ(stats.sub_blocks, 0u);
    hg_pool_destroy(owner.pool);
  }
}

TEST(B2_owned_pool, blocks_come_aligned_newest_first_and_leave_from_anywhere) {
  for (const size_t leaves : {0u, 2u, 4u}) {
    TestHeap heap;
    Owner owner(heap, HG_SHAPE_fixed_block, 32, 10, 128, 1024);
    std::vector<void *> made;
    for (int i = 0; i < 5; ++i) {
      for (int node = 0; node < 10; ++node) ASSERT_NE(owner.take(), nullptr);
      made.insert(made.begin(), owner.blocks().front());
      EXPECT_EQ(reinterpret_cast<uintptr_t>(made.front()) % 1024, 0u);
      EXPECT_EQ(hg_owned_pool_of_block(made.front()), owner.pool);
    }
    EXPECT_EQ(owner.blocks(), made);
    for (uint32_t i = 0; i < 10; ++i) owner.give_back(static_cast<char *>(made[leaves]) + 128 + i * 32);
    owner.drop_block(made[leaves]);
    made.erase(made.begin() + static_cast<ptrdiff_t>(leaves));
    EXPECT_EQ(owner.blocks(), made);
    EXPECT_STREQ(hg_heap_check(heap), nullptr);
    hg_pool_destroy(owner.pool);
  }
}

TEST(B2_owned_pool, options_out_of_range_are_refused) {
  TestHeap heap;
  Owner good(heap, HG_SHAPE_lock_free, 16, 4, HG_OWNED_BLOCK_HEAD);
  const hg_owned_pool_options sound = {HG_SHAPE_lock_free, 16, HG_OWNED_BLOCK_HEAD, 4, HG_OWNED_BLOCK_HEAD + 64, 0,
                                       nullptr,            [](const void *, hg_free_cursor *) -> const void * { return nullptr; }};
  std::vector<hg_owned_pool_options> wrong(8, sound);
  wrong[0].shape = HG_SHAPE_segregated;
  wrong[1].shape = 8;
  wrong[2].node_size = 0;
  wrong[3].nodes_per_block = 0;
  wrong[4].first_node = HG_OWNED_BLOCK_HEAD - 1;
  wrong[5].block_bytes -= 1;
  wrong[6].block_alignment = 48;
  wrong[7].next_free = nullptr;
  for (size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_EQ(hg_owned_pool_create(heap, &wrong[i]), nullptr) << i;
    EXPECT_EQ(hg_heap_status(heap), static_cast<uint32_t>(HG_STATUS_bad_argument)) << i;
  }
  hg_owned_pool_options huge = sound;
  huge.node_size = huge.nodes_per_block = 65536;  // 2^32 bytes of nodes
  EXPECT_EQ(hg_owned_pool_create(heap, &huge), nullptr);
  hg_pool *const pool = hg_owned_pool_create(heap, &sound);
  EXPECT_NE(pool, nullptr);
  hg_pool_destroy(pool);
  hg_pool_destroy(good.pool);
}

TEST(B2_owned_pool, nodes_are_the_owners_to_hand_out_not_the_pools) {
  TestHeap heap;
  Owner owner(heap, HG_SHAPE_fixed_size, 32, 4, 64);
  void *const node = owner.take();
  const size_t in_use = stats_of(owner.pool).nodes_in_use;
  EXPECT_EQ(hg_pool_allocate(owner.pool), nullptr);
  EXPECT_EQ(hg_pool_status(owner.pool), static_cast<uint32_t>(HG_STATUS_bad_argument));
  hg_chain chain;
  hg_chain_init(&chain);
  EXPECT_EQ(hg_pool_burst(owner.pool, 2, &chain), 0u);
  hg_pool_deallocate(owner.pool, node);
  hg_chain_push_back(&chain, node);
  hg_pool_burst_deallocate(owner.pool, &chain);
  EXPECT_EQ(hg_pool_trim(owner.pool), 0u);
  EXPECT_EQ(stats_of(owner.pool).nodes_in_use, in_use);
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
  hg_pool_destroy(owner.pool);
}

TEST(B2_owned_pool, a_trace_tells_shape_blocks_and_nodes) {
  TestHeap heap;
  hg_trace_start(0);
  take_events();
  Owner owner(heap, HG_SHAPE_lock_free, 48, 3, 64, 512);
  void *const a = owner.take();
  void *const b = owner.take();
  owner.give_back(a);
  const uint32_t block = at(owner.blocks().front());
  hg_pool_destroy(owner.pool);
  std::vector<hg_event> pool_events;
  for (const hg_event &event : take_events()) {
    if ((event.head & 0xff) >= HG_EVENT_pool_created && (event.head & 0xff) <= HG_EVENT_pool_ruled) pool_events.push_back(event);
  }
  hg_trace_stop();
  const auto is = [&](size_t i, uint32_t kind, uint32_t ea, uint32_t eb, uint32_t ec) {
    ASSERT_LT(i, pool_events.size());
    EXPECT_EQ(pool_events[i].head & 0xff, kind) << i;
    if (kind != HG_EVENT_pool_created && kind != HG_EVENT_pool_destroyed) {
      EXPECT_EQ(pool_events[i].a, ea) << i;
    }
    EXPECT_EQ(pool_events[i].b, eb) << i;
    EXPECT_EQ(pool_events[i].c, ec) << i;
  };
  is(0, HG_EVENT_pool_created, 0, 48, 3);
  is(1, HG_EVENT_pool_shaped, 0, 0, HG_SHAPE_lock_free | 0xffffu << 8);
  is(2, HG_EVENT_pool_ruled, 64, 0, 64 + 3 * 48);
  is(3, HG_EVENT_block_made, block, 64 + 3 * 48, 0);
  is(4, HG_EVENT_node_taken, at(a), 0, 0);
  is(5, HG_EVENT_node_taken, at(b), 0, 0);
  is(6, HG_EVENT_node_returned, at(a), 0, 0);
  is(7, HG_EVENT_node_returned, at(b), 0, 0);  // in use when the pool ended
  is(8, HG_EVENT_block_retired, block, 64 + 3 * 48, 0);
  is(9, HG_EVENT_pool_destroyed, 0, 0, 0);
  EXPECT_EQ(pool_events.size(), 10u);
}

TEST(B2_owned_pool, out_of_memory_at_every_step_leaves_the_heap_whole) {
  TestHeap heap(8192);
  Owner owner(heap, HG_SHAPE_fixed_block, 64, 8, 64, 1024);
  ASSERT_NE(owner.pool, nullptr);
  size_t taken = 0;
  while (owner.take() != nullptr) ++taken;
  EXPECT_EQ(taken % 8, 0u);
  EXPECT_GT(taken, 8u);
  EXPECT_EQ(hg_heap_status(heap), static_cast<uint32_t>(HG_STATUS_out_of_memory));
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
  std::vector<void *> rest;
  while (void *const mem = hg_heap_allocate(heap, 8)) rest.push_back(mem);
  Owner none(heap, HG_SHAPE_fixed_block, 64, 8, 64);
  EXPECT_EQ(none.pool, nullptr);
  EXPECT_EQ(hg_heap_status(heap), static_cast<uint32_t>(HG_STATUS_out_of_memory));
  for (void *const mem : rest) hg_heap_deallocate(heap, mem);
  hg_pool_destroy(owner.pool);
}

TEST(B2_owned_pool, a_broken_list_is_named_not_followed) {
  TestHeap heap;
  Owner owner(heap, HG_SHAPE_fixed_size, 32, 8, 64);
  void *const a = owner.take();
  void *const b = owner.take();
  owner.give_back(a);
  *static_cast<void **>(a) = a;  // a list that does not end
  ASSERT_NE(hg_heap_check(heap), nullptr);
  EXPECT_NE(std::strstr(hg_heap_check(heap), "owned_pool.O3"), nullptr) << hg_heap_check(heap);
  *static_cast<void **>(a) = static_cast<char *>(b) + 8;  // no node begins there
  *reinterpret_cast<void **>(static_cast<char *>(b) + 8) = nullptr;
  ASSERT_NE(hg_heap_check(heap), nullptr);
  EXPECT_NE(std::strstr(hg_heap_check(heap), "owned_pool.O3"), nullptr) << hg_heap_check(heap);
  *static_cast<void **>(a) = nullptr;  // nodes are lost: they look in use, which nobody can tell
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
  hg_pool_destroy(owner.pool);
}

}  // namespace
}  // namespace pool_tests
