// Simple segregated storage (row A8).
#include <random>

#include "pool/pool_rig.hpp"

namespace pool_tests {
namespace {

constexpr hg_pool_options kOptions = {HG_SHAPE_segregated, 24, 10, 1, 0};

TEST(A8_segregated_pool, AgreesWithASetOfNodesA8) {
  for (uint32_t node_size : {1u, 8u, 24u, 40u}) {
    TestHeap heap;
    const hg_pool_options options = {HG_SHAPE_segregated, node_size, 7, 0, 0};
    hg_pool *pool = hg_pool_create(heap, &options);
    std::mt19937 random(node_size);
    std::map<uint32_t, void *> nodes;
    size_t most_blocks = 0;
    for (int step = 0; step < 600; ++step) {
      if (random() % 100 < (step / 150 % 2 == 0 ? 70u : 30u) || nodes.empty()) {
        void *node = hg_pool_allocate(pool);
        ASSERT_NE(node, nullptr);
        ASSERT_TRUE(nodes.emplace(at(node), node).second);
        std::memset(node, 0xee, stats_of(pool).node_size);
      } else {
        auto chosen = nodes.begin();
        std::advance(chosen, random() % nodes.size());
        hg_pool_deallocate(pool, chosen->second);
        nodes.erase(chosen);
      }
      ASSERT_STREQ(hg_heap_check(heap), nullptr) << "step " << step;
      std::set<uint32_t> in_use;
      for (const auto &[address, node] : nodes) in_use.insert(address);
      ASSERT_EQ(picture_of(heap).nodes_in_use(), in_use);
      ASSERT_GE(stats_of(pool).blocks, most_blocks) << "a block went back without being asked";
      most_blocks = stats_of(pool).blocks;
      ASSERT_EQ(stats_of(pool).nodes_in_use, nodes.size());
    }
    hg_pool_destroy(pool);
  }
}

TEST(A8_segregated_pool, ReusesTheNodeReturnedLastA8) {
  TestHeap heap;
  hg_pool *pool = hg_pool_create(heap, &kOptions);
  void *a = hg_pool_allocate(pool);
  void *b = hg_pool_allocate(pool);
  hg_pool_deallocate(pool, a);
  hg_pool_deallocate(pool, b);
  EXPECT_EQ(hg_pool_allocate(pool), b);
  EXPECT_EQ(hg_pool_allocate(pool), a);
  hg_pool_destroy(pool);
}

TEST(A8_segregated_pool, KeepsBlocksUntilTrimGivesTheFreeOnesBackA8) {
  TestHeap heap;
  hg_pool *pool = hg_pool_create(heap, &kOptions);
  const size_t per_block = stats_of(pool).nodes_per_block;
  std::vector<void *> nodes;
  for (size_t i = 0; i < 5 * per_block; ++i) nodes.push_back(hg_pool_allocate(pool));
  EXPECT_EQ(stats_of(pool).blocks, 5u);
  EXPECT_EQ(hg_pool_trim(pool), 0u);
  void *kept = nodes[2 * per_block];
  for (void *node : nodes) {
    if (node != kept) hg_pool_deallocate(pool, node);
  }
  EXPECT_EQ(stats_of(pool).blocks, 5u);
  EXPECT_EQ(hg_pool_trim(pool), 4u);
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
  EXPECT_EQ(stats_of(pool).blocks, 1u);
  EXPECT_EQ(stats_of(pool).nodes_free, per_block - 1);
  EXPECT_EQ(picture_of(heap).nodes_in_use(), std::set<uint32_t>{at(kept)});
  hg_pool_deallocate(pool, kept);
  EXPECT_EQ(hg_pool_trim(pool), 1u);
  EXPECT_EQ(stats_of(pool).nodes_free, 0u);
  EXPECT_NE(hg_pool_allocate(pool), nullptr) << "still usable";
  hg_pool_destroy(pool);
}

}  // namespace
}  // namespace pool_tests
