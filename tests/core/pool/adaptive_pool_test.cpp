// Adaptive pools (rows A9, A10) against a naive twin that knows only which nodes are in use and looks at the walk.
#include <algorithm>
#include <random>
#include <utility>

#include "pool/pool_rig.hpp"

namespace pool_tests {
namespace {

constexpr uint32_t kNodesOfBlock = 8;

// A pool under test, with what must be true of it after every operation.
class Rig {
 public:
  Rig(hg_heap *heap, const hg_pool_options &options) : heap_(heap), options_(options) {
    pool_ = hg_pool_create(heap, &options);
    id_ = hg_pool_id(pool_);
  }
  ~Rig() { hg_pool_destroy(pool_); }

  void allocate() {
    const PoolPicture before = picture_of(heap_);
    void *node = hg_pool_allocate(pool_);
    ASSERT_NE(node, nullptr);
    const PoolPicture after = picture_of(heap_);
    const uint32_t block = after.block_of(at(node));
    uint32_t least = UINT32_MAX;  // free nodes of the fullest block that had any
    for (const auto &[address, found] : before.blocks) {
      if (found.free_nodes != 0) least = std::min(least, found.free_nodes);
    }
    if (least == UINT32_MAX) {
      ASSERT_EQ(after.blocks.size(), before.blocks.size() + 1);
    } else {
      ASSERT_EQ(after.blocks.size(), before.blocks.size());
      ASSERT_EQ(before.blocks.at(block).free_nodes, least) << "not from the fullest block";
      ASSERT_FALSE(before.blocks.at(block).nodes.at(at(node))) << "the node was in use";
    }
    ASSERT_TRUE(nodes_.emplace(at(node), node).second);
    fill(node);
    expect_sound(after);
  }

  void deallocate(size_t which) {
    auto chosen = nodes_.begin();
    std::advance(chosen, which % nodes_.size());
    expect_filled(chosen->second);
    const PoolPicture before = picture_of(heap_);
    const uint32_t block = before.block_of(chosen->first);
    const bool becomes_free = before.blocks.at(block).free_nodes + 1 == stats_of(pool_).nodes_per_block;
    const bool given_back = becomes_free && stats_of(pool_).free_blocks >= options_.max_free_blocks;
    hg_pool_deallocate(pool_, chosen->second);
    nodes_.erase(chosen);
    const PoolPicture after = picture_of(heap_);
    ASSERT_EQ(after.blocks.contains(block), !given_back);
    ASSERT_EQ(after.blocks.size() + given_back, before.blocks.size());
    expect_sound(after);
  }

  void run(uint32_t seed, int steps) {
    std::mt19937 random(seed);
    for (int step = 0; step < steps; ++step) {
      // Waves: grow for a while, then shrink, so that many blocks fill and empty.
      const bool grow = random() % 100 < (step / 150 % 2 == 0 ? 70u : 30u);
      if (grow || nodes_.empty()) {
        ASSERT_NO_FATAL_FAILURE(allocate()) << "step " << step;
      } else {
        ASSERT_NO_FATAL_FAILURE(deallocate(random())) << "step " << step;
      }
    }
    while (!nodes_.empty()) ASSERT_NO_FATAL_FAILURE(deallocate(random()));
  }

  void expect_sound(const PoolPicture &picture) const {
    ASSERT_STREQ(hg_heap_check(heap_), nullptr);
    std::set<uint32_t> in_use;
    for (const auto &[address, node] : nodes_) in_use.insert(address);
    ASSERT_EQ(picture.nodes_in_use(), in_use);
    const hg_pool_stats stats = stats_of(pool_);
    std::vector<uint32_t> tree;
    if (picture.trees.contains(id_)) tree = picture.trees.at(id_);
    size_t with_free = 0, free_blocks = 0;
    for (const auto &[address, block] : picture.blocks) {
      with_free += block.free_nodes != 0;
      free_blocks += block.free_nodes == stats.nodes_per_block;
      ASSERT_EQ(address % stats.sub_block_bytes, 0u);
      ASSERT_EQ(block.nodes.size(), stats.nodes_per_block);
      ASSERT_EQ(block.sub_blocks.size(), stats.sub_blocks);
      ASSERT_EQ(block.size, stats.block_bytes);
    }
    ASSERT_EQ(tree.size(), with_free);
    for (size_t i = 1; i < tree.size(); ++i) {
      ASSERT_LE(picture.blocks.at(tree[i - 1]).free_nodes, picture.blocks.at(tree[i]).free_nodes);
    }
    ASSERT_LE(free_blocks, options_.max_free_blocks);
    ASSERT_EQ(stats.free_blocks, free_blocks);
    ASSERT_EQ(stats.blocks, picture.blocks.size());
    ASSERT_EQ(stats.nodes_in_use, nodes_.size());
    ASSERT_EQ(stats.nodes_free + stats.nodes_in_use, stats.blocks * stats.nodes_per_block);
  }

  hg_pool *pool() const { return pool_; }

 private:
  unsigned char byte_of(const void *node) const { return static_cast<unsigned char>(at(node) / 8 * 31 + 7); }
  void fill(void *node) const { std::memset(node, byte_of(node), stats_of(pool_).node_size); }
  void expect_filled(const void *node) const {
    const auto *bytes = static_cast<const unsigned char *>(node);
    for (size_t i = 0; i < stats_of(pool_).node_size; ++i) ASSERT_EQ(bytes[i], byte_of(node)) << "byte " << i;
  }

  hg_heap *heap_;
  hg_pool_options options_;
  hg_pool *pool_;
  uint32_t id_;
  std::map<uint32_t, void *> nodes_;
};

TEST(A9_adaptive_pool, AgreesWithItsTwinA9A10) {
  for (uint32_t shape : {HG_SHAPE_adaptive, HG_SHAPE_aligned_only}) {
    for (uint32_t max_free_blocks : {0u, 1u, 2u}) {
      for (uint32_t node_size : {8u, 24u, 40u}) {
        SCOPED_TRACE(testing::Message() << "shape " << shape << ", " << node_size << " bytes, keeps " << max_free_blocks);
        TestHeap heap;
        Rig rig(heap, {shape, node_size, kNodesOfBlock, max_free_blocks, 20});
        ASSERT_NO_FATAL_FAILURE(rig.run(node_size + max_free_blocks, 500));
        EXPECT_EQ(stats_of(rig.pool()).blocks, max_free_blocks);
      }
    }
  }
}

TEST(A9_adaptive_pool, BlocksOfOneNodeWork) {
  TestHeap heap;
  Rig rig(heap, {HG_SHAPE_aligned_only, 4000, 1, 1, 0});
  ASSERT_EQ(stats_of(rig.pool()).nodes_per_block, 1u);
  ASSERT_NO_FATAL_FAILURE(rig.run(5, 150));
}

TEST(A9_adaptive_pool, FillsANewBlockFromItsStart) {
  TestHeap heap;
  Rig rig(heap, {HG_SHAPE_adaptive, 24, 64, 1, 5});
  void *before = hg_pool_allocate(rig.pool());
  std::vector<void *> nodes = {before};
  for (size_t i = 1; i < stats_of(rig.pool()).nodes_per_block; ++i) {
    nodes.push_back(hg_pool_allocate(rig.pool()));
    EXPECT_LT(before, nodes.back());
    before = nodes.back();
  }
  for (void *node : nodes) hg_pool_deallocate(rig.pool(), node);
}

TEST(A9_adaptive_pool, NeighbouringBlocksPackWithoutAGapA9) {
  TestHeap heap;
  for (uint32_t shape : {HG_SHAPE_adaptive, HG_SHAPE_aligned_only}) {
    const hg_pool_options options = {shape, 16, 200, 0, 5};
    hg_pool *pool = hg_pool_create(heap, &options);
    const hg_pool_stats stats = stats_of(pool);
    hg_chain chain = {};
    ASSERT_EQ(hg_pool_burst(pool, 40 * stats.nodes_per_block, &chain), 40 * stats.nodes_per_block);
    size_t neighbours = 0;
    uint32_t last = 0;
    for (const auto &[address, block] : picture_of(heap).blocks) {
      neighbours += address == last + stats.sub_blocks * stats.sub_block_bytes;
      last = address;
    }
    EXPECT_GE(neighbours, 36u) << "of 39 pairs; heap growth may part a few";
    hg_pool_destroy(pool);
  }
}

TEST(A9_adaptive_pool, KeepsAllFreeBlocksWhenToldTo) {
  TestHeap heap;
  const hg_pool_options options = {HG_SHAPE_adaptive, 24, 16, 0xffff, 20};
  hg_pool *pool = hg_pool_create(heap, &options);
  hg_chain chain = {};
  ASSERT_EQ(hg_pool_burst(pool, 1000, &chain), 1000u);
  const size_t blocks = stats_of(pool).blocks;
  hg_pool_burst_deallocate(pool, &chain);
  EXPECT_EQ(stats_of(pool).free_blocks, blocks);
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
  EXPECT_EQ(hg_pool_trim(pool), blocks);
  EXPECT_EQ(stats_of(pool).blocks, 0u);
  EXPECT_EQ(hg_pool_trim(pool), 0u);
  hg_pool_destroy(pool);
}

TEST(A9_adaptive_pool, OutOfMemoryIsToldAndLeavesThePoolUsable) {
  TestHeap heap(16384);
  Rig rig(heap, {HG_SHAPE_adaptive, 24, 32, 0, 10});
  std::vector<void *> nodes;
  while (void *node = hg_pool_allocate(rig.pool())) nodes.push_back(node);
  EXPECT_EQ(hg_pool_status(rig.pool()), static_cast<uint32_t>(HG_STATUS_out_of_memory));
  EXPECT_EQ(hg_heap_status(heap), static_cast<uint32_t>(HG_STATUS_out_of_memory));
  EXPECT_GT(nodes.size(), 100u);
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
  hg_pool_deallocate(rig.pool(), nodes.back());
  EXPECT_EQ(hg_pool_allocate(rig.pool()), nodes.back());
  EXPECT_EQ(hg_pool_status(rig.pool()), static_cast<uint32_t>(HG_STATUS_ok));
  for (void *node : nodes) hg_pool_deallocate(rig.pool(), node);
  EXPECT_EQ(stats_of(rig.pool()).blocks, 0u);
}

TEST(A9_adaptive_pool, DestroyGivesNodesInUseBackToo) {
  TestHeap heap;
  for (uint32_t shape : {HG_SHAPE_adaptive, HG_SHAPE_aligned_only, HG_SHAPE_segregated}) {
    const hg_pool_options options = {shape, 24, 16, 1, 20};
    hg_pool *pool = hg_pool_create(heap, &options);
    for (int i = 0; i < 100; ++i) ASSERT_NE(hg_pool_allocate(pool), nullptr);
    hg_pool_destroy(pool);
  }
}

TEST(Pools, BadOptionsAreRefusedWithAStatus) {
  TestHeap heap;
  for (const hg_pool_options &options : {hg_pool_options{0, 24, 16, 1, 5}, hg_pool_options{4, 24, 16, 1, 5},
                                         hg_pool_options{2, 0, 16, 1, 5}, hg_pool_options{2, 24, 16, 1, 101}}) {
    EXPECT_EQ(hg_pool_create(heap, &options), nullptr);
    EXPECT_EQ(hg_heap_status(heap), static_cast<uint32_t>(HG_STATUS_bad_argument));
  }
}

TEST(Pools, NodesHaveAtMost64KiBAndBlocksAtMost64MiB) {
  TestHeap heap;
  constexpr uint32_t kMost = 64 << 10;
  for (const uint32_t shape : {HG_SHAPE_segregated, HG_SHAPE_adaptive, HG_SHAPE_aligned_only}) {
    for (const auto &[node_size, nodes] : {std::pair{kMost + 1, 1u}, {kMost, 1024u}, {16u, 4u << 20}}) {
      const hg_pool_options options = {shape, node_size, nodes, 1, 5};
      EXPECT_EQ(hg_pool_create(heap, &options), nullptr) << shape << ": " << nodes << " of " << node_size;
      EXPECT_EQ(hg_heap_status(heap), static_cast<uint32_t>(HG_STATUS_bad_argument));
    }
    const hg_pool_options largest = {shape, kMost, 4, 1, 50};
    hg_pool *const pool = hg_pool_create(heap, &largest);
    ASSERT_NE(pool, nullptr) << shape;
    EXPECT_NE(hg_pool_allocate(pool), nullptr);
    hg_pool_destroy(pool);
  }
}

TEST(Pools, IdsAreUniqueAmongAllHeapsAndReused) {
  TestHeap one, two;
  const hg_pool_options options = {HG_SHAPE_segregated, 24, 16, 1, 5};
  hg_pool *a = hg_pool_create(one, &options);
  hg_pool *b = hg_pool_create(two, &options);
  hg_pool *c = hg_pool_create(one, &options);
  EXPECT_LT(hg_pool_id(a), hg_pool_id(b)) << "the lowest free id, whatever other pools of the program live";
  EXPECT_LT(hg_pool_id(b), hg_pool_id(c));
  const uint32_t first = hg_pool_id(a);
  hg_pool_destroy(a);
  a = hg_pool_create(one, &options);
  EXPECT_EQ(hg_pool_id(a), first);
  EXPECT_STREQ(hg_heap_check(one), nullptr);
  hg_pool_destroy(a);
  hg_pool_destroy(b);
  hg_pool_destroy(c);
}

TEST(Pools, AHeapMayEndWithPoolsInIt) {
  const hg_pool_options options = {HG_SHAPE_adaptive, 24, 16, 1, 20};
  hg_heap *heap = hg_heap_create();
  hg_pool *pool = hg_pool_create(heap, &options);
  const uint32_t id = hg_pool_id(pool);
  for (int i = 0; i < 100; ++i) ASSERT_NE(hg_pool_allocate(pool), nullptr);
  hg_heap_destroy(heap);
  TestHeap other;
  pool = hg_pool_create(other, &options);
  EXPECT_EQ(hg_pool_id(pool), id) << "the id is free again";
  hg_pool_destroy(pool);
}

}  // namespace
}  // namespace pool_tests
