// Bursts on pools (row A11): many nodes in one call, all or nothing.
#include <algorithm>
#include <random>

#include "pool/pool_rig.hpp"

namespace pool_tests {
namespace {

std::vector<hg_pool_options> all_shapes(uint32_t max_free_blocks) {
  return {{HG_SHAPE_segregated, 24, 16, max_free_blocks, 0},
          {HG_SHAPE_adaptive, 24, 16, max_free_blocks, 20},
          {HG_SHAPE_aligned_only, 24, 16, max_free_blocks, 0}};
}

std::vector<void *> nodes_of(const hg_chain &chain) {
  std::vector<void *> nodes;
  for (void *node = chain.first; node != nullptr; node = hg_chain_next(node)) nodes.push_back(node);
  EXPECT_EQ(nodes.size(), chain.count);
  if (!nodes.empty()) {
    EXPECT_EQ(nodes.back(), chain.last);
  }
  return nodes;
}

TEST(PoolBurst, NodesAreDistinctAndIndividuallyReturnableA11) {
  for (const hg_pool_options &options : all_shapes(1)) {
    TestHeap heap;
    hg_pool *pool = hg_pool_create(heap, &options);
    hg_chain chain = {};
    ASSERT_EQ(hg_pool_burst(pool, 1000, &chain), 1000u);
    const std::vector<void *> nodes = nodes_of(chain);
    EXPECT_EQ(std::set<void *>(nodes.begin(), nodes.end()).size(), 1000u);
    EXPECT_EQ(picture_of(heap).nodes_in_use().size(), 1000u);
    for (void *node : nodes) std::memset(node, 0x77, stats_of(pool).node_size);
    for (void *node : nodes) hg_pool_deallocate(pool, node);
    EXPECT_STREQ(hg_heap_check(heap), nullptr);
    EXPECT_EQ(stats_of(pool).nodes_in_use, 0u);
    hg_pool_destroy(pool);
  }
}

TEST(PoolBurst, AppendsToWhatTheChainHas) {
  TestHeap heap;
  const hg_pool_options options = all_shapes(1)[1];
  hg_pool *pool = hg_pool_create(heap, &options);
  hg_chain chain = {};
  ASSERT_EQ(hg_pool_burst(pool, 3, &chain), 3u);
  void *first = chain.first;
  ASSERT_EQ(hg_pool_burst(pool, 40, &chain), 40u);
  EXPECT_EQ(chain.first, first);
  EXPECT_EQ(nodes_of(chain).size(), 43u);
  EXPECT_EQ(hg_pool_burst(pool, 0, &chain), 0u);
  EXPECT_EQ(hg_pool_status(pool), static_cast<uint32_t>(HG_STATUS_ok));
  hg_pool_burst_deallocate(pool, &chain);
  EXPECT_EQ(chain.first, nullptr);
  EXPECT_EQ(chain.count, 0u);
  hg_pool_destroy(pool);
}

TEST(PoolBurst, ABurstTooLargeChangesNothingA11) {
  for (const hg_pool_options &options : all_shapes(2)) {
    TestHeap heap(64 * 1024);
    hg_pool *pool = hg_pool_create(heap, &options);
    hg_chain chain = {};
    ASSERT_EQ(hg_pool_burst(pool, 100, &chain), 100u);
    const PoolPicture before = picture_of(heap);
    EXPECT_EQ(hg_pool_burst(pool, 100000, &chain), 0u);
    EXPECT_EQ(hg_pool_status(pool), static_cast<uint32_t>(HG_STATUS_out_of_memory));
    EXPECT_TRUE(picture_of(heap) == before);
    EXPECT_STREQ(hg_heap_check(heap), nullptr);
    EXPECT_EQ(chain.count, 100u);
    EXPECT_EQ(hg_pool_burst(pool, SIZE_MAX, &chain), 0u);
    EXPECT_EQ(hg_pool_status(pool), static_cast<uint32_t>(HG_STATUS_too_large));
    EXPECT_TRUE(picture_of(heap) == before);
    hg_pool_burst_deallocate(pool, &chain);
    hg_pool_destroy(pool);
  }
}

TEST(PoolBurst, BurstsInAnyOrderKeepThePoolSoundA11) {
  for (uint32_t max_free_blocks : {0u, 2u}) {
    for (const hg_pool_options &options : all_shapes(max_free_blocks)) {
      TestHeap heap;
      hg_pool *pool = hg_pool_create(heap, &options);
      std::mt19937 random(max_free_blocks + options.shape);
      std::vector<void *> nodes;
      for (int step = 0; step < 150; ++step) {
        hg_chain chain = {};
        if (random() % 2 == 0 || nodes.empty()) {
          const size_t count = 1 + random() % 60;
          ASSERT_EQ(hg_pool_burst(pool, count, &chain), count);
          const std::vector<void *> taken = nodes_of(chain);
          nodes.insert(nodes.end(), taken.begin(), taken.end());
        } else {
          // Shuffled half of the time, so that both long runs in a block and single nodes come back.
          if (random() % 2 == 0) std::shuffle(nodes.begin(), nodes.end(), random);
          for (size_t count = 1 + random() % nodes.size(); count != 0; --count) {
            hg_chain_push_back(&chain, nodes.back());
            nodes.pop_back();
          }
          hg_pool_burst_deallocate(pool, &chain);
        }
        ASSERT_STREQ(hg_heap_check(heap), nullptr) << "step " << step;
        std::set<uint32_t> in_use;
        for (void *node : nodes) in_use.insert(at(node));
        ASSERT_EQ(picture_of(heap).nodes_in_use(), in_use);
        if (options.shape != HG_SHAPE_segregated) {
          ASSERT_LE(stats_of(pool).free_blocks, max_free_blocks);
        }
      }
      hg_pool_destroy(pool);
    }
  }
}

}  // namespace
}  // namespace pool_tests
