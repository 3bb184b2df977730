// The events of pools are enough: a small fold of them finds the same blocks, nodes and tree order as the walk of the
// real heap, at every step (E1, P1). Also: parts of a walk join to the whole walk.
#include <algorithm>
#include <random>

#include "pool/pool.hpp"
#include "pool/pool_rig.hpp"
#include "support/event_words.hpp"

namespace pool_tests {
namespace {

struct PoolRule {
  uint32_t node_size = 0, nodes_per_block = 0, sub_block_bytes = 0, sub_blocks = 0;
  uint32_t first_node = 0, later_node = 0, block_bytes = 0;
};

// The pools of one heap as the events tell them.
class Fold {
 public:
  const PoolPicture &picture() const { return picture_; }

  void apply(const hg_event &event) {
    EXPECT_EQ(heapglass_test::word_out_of_place(event), "");
    const uint32_t pool = event.head >> 16;
    switch (event.head & 0xff) {
      case HG_EVENT_pool_created:
        rules_[pool] = {};
        rules_[pool].node_size = event.b;
        rules_[pool].nodes_per_block = event.c;
        break;
      case HG_EVENT_pool_shaped:
        rules_.at(pool).sub_block_bytes = event.a;
        rules_.at(pool).sub_blocks = event.b;
        break;
      case HG_EVENT_pool_ruled:
        rules_.at(pool).first_node = event.a;
        rules_.at(pool).later_node = event.b;
        rules_.at(pool).block_bytes = event.c;
        break;
      case HG_EVENT_pool_destroyed:
        rules_.erase(pool);
        EXPECT_TRUE(picture_.trees[pool].empty());
        picture_.trees.erase(pool);
        for (const auto &[address, block] : picture_.blocks) EXPECT_NE(block.pool, pool) << "a block outlives its pool";
        break;
      case HG_EVENT_block_made: make_block(pool, event.a, event.b); break;
      case HG_EVENT_block_retired:
        for (const auto &[node, in_use] : picture_.blocks.at(event.a).nodes) EXPECT_FALSE(in_use);
        EXPECT_EQ(count_in_trees(event.a), 0u);
        picture_.blocks.erase(event.a);
        break;
      case HG_EVENT_block_inserted:
        insert(pool, event.a, event.b);
        EXPECT_EQ(picture_.blocks.at(event.a).free_nodes, event.c);
        break;
      case HG_EVENT_block_removed:
        EXPECT_EQ(picture_.blocks.at(event.a).free_nodes, event.c);
        remove(pool, event.a, event.b);
        break;
      case HG_EVENT_block_moved:
        remove(pool, event.a, event.b);
        insert(pool, event.a, event.c);
        break;
      case HG_EVENT_node_taken: set_node(pool, event, true); break;
      case HG_EVENT_node_returned: set_node(pool, event, false); break;
      default: break;
    }
  }

 private:
  void make_block(uint32_t pool, uint32_t address, uint32_t size) {
    const PoolRule &rule = rules_.at(pool);
    BlockPicture block{pool, size, rule.nodes_per_block, {}, {}};
    EXPECT_EQ(size, rule.block_bytes);
    for (uint32_t i = 0; i < std::max(rule.sub_blocks, 1u); ++i) {  // P1 of event.h
      const uint32_t start = i * rule.sub_block_bytes;
      const uint32_t bytes = i + 1 < rule.sub_blocks ? rule.sub_block_bytes : rule.block_bytes - start;
      if (rule.sub_blocks != 0) block.sub_blocks.emplace_back(address + start, bytes);
      uint32_t node = i == 0 ? rule.first_node : rule.later_node;
      for (; node + rule.node_size <= bytes; node += rule.node_size) block.nodes[address + start + node] = false;
    }
    EXPECT_EQ(block.nodes.size(), rule.nodes_per_block);
    EXPECT_TRUE(picture_.blocks.emplace(address, block).second);
  }
  size_t count_in_trees(uint32_t block) const {
    size_t count = 0;
    for (const auto &[pool, tree] : picture_.trees) {
      count += static_cast<size_t>(std::count(tree.begin(), tree.end(), block));
    }
    return count;
  }
  void insert(uint32_t pool, uint32_t block, uint32_t predecessor) {
    std::vector<uint32_t> &tree = picture_.trees[pool];
    auto place = tree.begin();
    if (predecessor != 0) {
      place = std::find(tree.begin(), tree.end(), predecessor);
      ASSERT_NE(place, tree.end());
      ++place;
    }
    tree.insert(place, block);
  }
  void remove(uint32_t pool, uint32_t block, uint32_t predecessor) {
    std::vector<uint32_t> &tree = picture_.trees[pool];
    const auto place = std::find(tree.begin(), tree.end(), block);
    ASSERT_NE(place, tree.end());
    ASSERT_EQ(place == tree.begin() ? 0 : *(place - 1), predecessor);
    tree.erase(place);
  }
  void set_node(uint32_t pool, const hg_event &event, bool in_use) {
    const uint32_t address = picture_.block_of(event.a);
    ASSERT_NE(address, 0u);
    BlockPicture &block = picture_.blocks.at(address);
    ASSERT_EQ(block.pool, pool);
    ASSERT_NE(block.nodes.at(event.a), in_use);
    block.nodes.at(event.a) = in_use;
    block.free_nodes += in_use ? ~0u : 1u;
    if (rules_.at(pool).sub_blocks == 0) {
      ASSERT_EQ(event.b, 0u);
      ASSERT_EQ(event.c, 0u);
    } else {
      ASSERT_EQ(event.b, address);
      ASSERT_EQ(event.c, block.free_nodes);
    }
  }

  std::map<uint32_t, PoolRule> rules_;
  PoolPicture picture_;
};

PoolPicture without_empty_trees(PoolPicture picture) {
  std::erase_if(picture.trees, [](const auto &tree) { return tree.second.empty(); });
  return picture;
}

// Operations on three pools of one heap, seeded; after_step(step) is called after each.
template <class AfterStep>
void tell_a_story(hg_heap *heap, uint32_t seed, int steps, AfterStep after_step) {
  const hg_pool_options options[3] = {
      {HG_SHAPE_adaptive, 24, 12, 1, 20}, {HG_SHAPE_segregated, 40, 9, 0, 0}, {HG_SHAPE_aligned_only, 8, 20, 2, 0}};
  hg_pool *pools[3];
  std::vector<void *> nodes[3];
  for (int i = 0; i < 3; ++i) pools[i] = hg_pool_create(heap, &options[i]);
  std::mt19937 random(seed);
  for (int step = 0; step < steps; ++step) {
    const size_t which = random() % 3;
    hg_pool *pool = pools[which];
    std::vector<void *> &in_use = nodes[which];
    const uint32_t dice = static_cast<uint32_t>(random() % 100);
    hg_chain chain = {};
    if (dice < 45 || in_use.empty()) {
      in_use.push_back(hg_pool_allocate(pool));
    } else if (dice < 85) {
      std::swap(in_use[random() % in_use.size()], in_use.back());
      hg_pool_deallocate(pool, in_use.back());
      in_use.pop_back();
    } else if (dice < 90) {
      ASSERT_NE(hg_pool_burst(pool, 1 + random() % 30, &chain), 0u);
      while (void *node = hg_chain_pop_front(&chain)) in_use.push_back(node);
    } else if (dice < 97) {
      for (size_t count = 1 + random() % in_use.size(); count != 0; --count) {
        hg_chain_push_back(&chain, in_use.back());
        in_use.pop_back();
      }
      hg_pool_burst_deallocate(pool, &chain);
    } else if (dice < 99) {
      hg_pool_trim(pool);
    } else {
      hg_pool_destroy(pool);
      in_use.clear();
      pools[which] = hg_pool_create(heap, &options[which]);
    }
    ASSERT_NO_FATAL_FAILURE(after_step(step));
  }
  for (hg_pool *pool : pools) hg_pool_destroy(pool);
  after_step(steps);
}

TEST(PoolEvents, AFoldOfThemEqualsTheWalkAtEveryStepA9A10A11) {
  TestHeap heap;
  hg_trace_start(0);
  take_events();
  Fold fold;
  tell_a_story(heap, 11, 1500, [&](int step) {
    for (const hg_event &event : take_events()) ASSERT_NO_FATAL_FAILURE(fold.apply(event)) << "step " << step;
    ASSERT_TRUE(without_empty_trees(fold.picture()) == without_empty_trees(picture_of(heap))) << "step " << step;
    ASSERT_STREQ(hg_heap_check(heap), nullptr);
  });
  EXPECT_TRUE(fold.picture().blocks.empty());
  hg_trace_stop();
}

TEST(PoolEvents, OperationsComeInPairsWithNestedHeapOperationsInside) {
  TestHeap heap;
  hg_trace_start(0);
  take_events();
  std::vector<uint32_t> open;
  size_t pairs = 0, nested = 0;
  tell_a_story(heap, 12, 400, [&](int) {
    for (const hg_event &event : take_events()) {
      const uint32_t kind = event.head & 0xff;
      if (kind == HG_EVENT_op_begun) {
        open.push_back(event.head >> 16);
        nested += open.size() > 1;
      }
      if (kind == HG_EVENT_op_ended) {
        ASSERT_FALSE(open.empty());
        ASSERT_EQ(open.back(), event.head >> 16);
        open.pop_back();
        ++pairs;
      }
    }
    ASSERT_TRUE(open.empty());
  });
  EXPECT_GT(pairs, 400u);
  EXPECT_GT(nested, 20u);
  hg_trace_stop();
}

struct Operation {
  uint32_t begun[4];  // operation, address, request, argument
  uint32_t ended[4];  // operation, address, size, status
};
Operation outermost(const std::vector<hg_event> &events) {
  Operation found = {};
  for (const hg_event &event : events) {
    const uint32_t kind = event.head & 0xff;
    if (kind != HG_EVENT_op_begun && kind != HG_EVENT_op_ended) continue;
    uint32_t(&words)[4] = kind == HG_EVENT_op_begun ? found.begun : found.ended;
    if (kind == HG_EVENT_op_begun && words[0] != 0) continue;
    const uint32_t of[4] = {event.head >> 16, event.a, event.b, event.c};
    std::copy(of, of + 4, words);
  }
  return found;
}
void expect_operation(const char *call, uint32_t operation, std::vector<uint32_t> begun, std::vector<uint32_t> ended) {
  const Operation found = outermost(take_events());
  begun.insert(begun.begin(), operation);
  ended.insert(ended.begin(), operation);
  EXPECT_EQ(std::vector<uint32_t>(found.begun, found.begun + 4), begun) << call;
  EXPECT_EQ(std::vector<uint32_t>(found.ended, found.ended + 4), ended) << call;
}

TEST(PoolEvents, AnOperationSaysWhatWasAskedAndWhatCameOfIt) {
  for (const uint32_t shape : {HG_SHAPE_segregated, HG_SHAPE_adaptive, HG_SHAPE_aligned_only}) {
    TestHeap heap(64 * 1024);
    hg_trace_start(0);
    take_events();
    const hg_pool_options options = {shape, 24, 12, 1, 20};
    hg_pool *const pool = hg_pool_create(heap, &options);
    const uint32_t id = reinterpret_cast<const heapglass::Pool *>(pool)->id;
    expect_operation("create", HG_OP_pool_create, {0, 24, shape}, {at(pool), sizeof(heapglass::Pool), HG_STATUS_ok});
    void *const node = hg_pool_allocate(pool);
    expect_operation("allocate", HG_OP_pool_allocate, {0, 24, id}, {at(node), 24, HG_STATUS_ok});
    hg_chain chain = {};
    ASSERT_EQ(hg_pool_burst(pool, 5, &chain), 5u);
    expect_operation("burst", HG_OP_pool_burst, {0, 5, id}, {at(chain.first), 5, HG_STATUS_ok});
    void *const before = chain.last;
    ASSERT_EQ(hg_pool_burst(pool, 2, &chain), 2u);
    expect_operation("burst behind others", HG_OP_pool_burst, {0, 2, id}, {at(hg_chain_next(before)), 2, HG_STATUS_ok});
    hg_chain none = {};
    EXPECT_EQ(hg_pool_burst(pool, ~size_t{0}, &none), 0u);
    expect_operation("too many", HG_OP_pool_burst, {0, ~0u, id}, {0, 0, HG_STATUS_too_large});
    EXPECT_EQ(hg_pool_burst(pool, 100'000, &none), 0u);
    expect_operation("burst without memory", HG_OP_pool_burst, {0, 100'000, id}, {0, 0, HG_STATUS_out_of_memory});
    const uint32_t first = at(chain.first);
    hg_pool_burst_deallocate(pool, &chain);
    expect_operation("free a burst", HG_OP_pool_burst_deallocate, {first, 7, id}, {0, 0, HG_STATUS_ok});
    hg_pool_deallocate(pool, node);
    expect_operation("deallocate", HG_OP_pool_deallocate, {at(node), 24, id}, {0, 0, HG_STATUS_ok});
    const uint32_t given = static_cast<uint32_t>(hg_pool_trim(pool));
    EXPECT_EQ(given, 1u);
    expect_operation("trim", HG_OP_pool_trim, {at(pool), 0, id}, {0, given, HG_STATUS_ok});
    std::vector<void *> rest;
    while (void *const block = hg_heap_allocate(heap, 100)) rest.push_back(block);
    take_events();
    EXPECT_EQ(hg_pool_allocate(pool), nullptr);
    expect_operation("allocate without memory", HG_OP_pool_allocate, {0, 24, id}, {0, 0, HG_STATUS_out_of_memory});
    hg_pool_destroy(pool);
    expect_operation("destroy", HG_OP_pool_destroy, {at(pool), 0, id}, {0, 0, HG_STATUS_ok});
    const hg_pool_options wrong = {99, 24, 12, 1, 20};
    EXPECT_EQ(hg_pool_create(heap, &wrong), nullptr);
    expect_operation("no such shape", HG_OP_pool_create, {0, 24, 99}, {0, 0, HG_STATUS_bad_argument});
    hg_trace_stop();
    for (void *const block : rest) hg_heap_deallocate(heap, block);
  }
}

TEST(PoolWalk, PartsOfAnyCapacityJoinToTheSameWalk) {
  TestHeap heap;
  tell_a_story(heap, 13, 200, [&](int step) {
    if (step % 20 != 0) return;
    const std::vector<hg_walk_record> whole = walk_records(heap);
    for (size_t capacity : {1u, 2u, 7u, 64u}) {
      const std::vector<hg_walk_record> parts = walk_records(heap, capacity);
      ASSERT_EQ(parts.size(), whole.size());
      ASSERT_EQ(std::memcmp(parts.data(), whole.data(), whole.size() * sizeof(hg_walk_record)), 0);
    }
  });
}

TEST(PoolWalk, BlocksOfManyNodesAreMarkedPartByPart) {
  TestHeap heap;
  for (uint32_t shape : {HG_SHAPE_adaptive, HG_SHAPE_segregated}) {
    const hg_pool_options options = {shape, 8, 10000, 1, 5};
    hg_pool *pool = hg_pool_create(heap, &options);
    hg_chain chain = {};
    ASSERT_EQ(hg_pool_burst(pool, 9000, &chain), 9000u);
    std::set<uint32_t> in_use;
    for (int i = 0; void *node = hg_chain_pop_front(&chain); ++i) {
      if (i % 3 == 0) hg_pool_deallocate(pool, node); else in_use.insert(at(node));
    }
    EXPECT_EQ(picture_of(heap).nodes_in_use(), in_use);
    EXPECT_STREQ(hg_heap_check(heap), nullptr);
    hg_pool_destroy(pool);
  }
}

}  // namespace
}  // namespace pool_tests
