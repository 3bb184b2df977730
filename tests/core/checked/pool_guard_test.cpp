// Misuse of pools in the checked build: named through the failure hook, then the program traps.
#include <gtest/gtest.h>
#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace pool_guard_tests {
namespace {

void print_failure(uint32_t kind, const void *, const char *text) { std::fprintf(stderr, "kind %u: %s\n", kind, text); }

class PoolGuard : public testing::TestWithParam<uint32_t> {
 protected:
  void SetUp() override {
    hg_set_failure_hook(print_failure);
    heap_ = hg_heap_create();
    const hg_pool_options options = {GetParam(), 24, 16, 1, 20};
    pool_ = hg_pool_create(heap_, &options);
    other_ = hg_pool_create(heap_, &options);
    hg_pool_get_stats(pool_, &stats_);
    node_ = static_cast<char *>(hg_pool_allocate(pool_));
    second_ = static_cast<char *>(hg_pool_allocate(pool_));
  }
  void TearDown() override {
    EXPECT_STREQ(hg_heap_check(heap_), nullptr);
    hg_heap_destroy(heap_);
    hg_set_failure_hook(nullptr);
  }
  bool segregated() const { return GetParam() == HG_SHAPE_segregated; }

  hg_heap *heap_;
  hg_pool *pool_;
  hg_pool *other_;
  hg_pool_stats stats_;
  char *node_;
  char *second_;
};

TEST_P(PoolGuard, ANodeReturnedTwiceIsADoubleFree) {
  hg_pool_deallocate(pool_, node_);
  EXPECT_DEATH(hg_pool_deallocate(pool_, node_), "double free");
}

TEST_P(PoolGuard, ABlockOfAPoolIsNoBlockOfTheProgram) {
  if (!segregated()) return;  // the node does not say where its block begins
  void **block = static_cast<void **>(static_cast<void *>(node_));
  for (int words = 0; words < 64 && block[1] != pool_; words += 2) block -= 2;
  ASSERT_EQ(block[1], pool_) << "a block's second word leads to its pool";
  EXPECT_DEATH(hg_heap_deallocate(heap_, block), "a pool has its nodes there");
}

TEST_P(PoolGuard, APoolThatHasEndedIsNamed) {
  hg_pool_destroy(other_);
  EXPECT_DEATH(hg_pool_allocate(other_), "no pool is there");
  EXPECT_DEATH(hg_pool_deallocate(other_, node_), "no pool is there");
  EXPECT_DEATH(hg_pool_destroy(other_), "no pool is there");
}

TEST_P(PoolGuard, ANodeReturnedTwiceIsFoundBehindOthers) {
  hg_pool_deallocate(pool_, node_);
  hg_pool_deallocate(pool_, second_);
  EXPECT_DEATH(hg_pool_deallocate(pool_, node_), "double free");
}

TEST_P(PoolGuard, AFreeNodeInAChainIsADoubleFree) {
  hg_pool_deallocate(pool_, node_);
  // Chaining writes to the free node already, so all of it happens in the process that dies.
  EXPECT_DEATH(
      {
        hg_chain chain = {};
        hg_chain_push_back(&chain, second_);
        hg_chain_push_back(&chain, node_);
        hg_pool_burst_deallocate(pool_, &chain);
      },
      "double free");
}

TEST_P(PoolGuard, ANodeOfAnotherPoolIsForeign) {
  void *foreign = hg_pool_allocate(other_);
  EXPECT_DEATH(hg_pool_deallocate(pool_, foreign), "foreign node");
}

TEST_P(PoolGuard, AChunkOfTheHeapIsForeign) {
  void *mem = hg_heap_allocate(heap_, 5000);
  std::memset(mem, 0, 5000);
  EXPECT_DEATH(hg_pool_deallocate(pool_, mem), "foreign node");
}

// All of a block's words, but nobody made it one.
TEST_P(PoolGuard, ACopyOfABlockInAChunkOfTheHeapIsForeign) {
  const size_t alignment = segregated() ? 64 : stats_.sub_block_bytes;
  const size_t in_block = segregated() ? 2 * sizeof(void *) : reinterpret_cast<uintptr_t>(node_) % alignment;
  char *const copy = static_cast<char *>(hg_heap_allocate_aligned(heap_, alignment, stats_.block_bytes));
  std::memcpy(copy, node_ - in_block, stats_.block_bytes);
  if (!segregated()) std::memcpy(copy, &copy, sizeof copy);  // it names itself, as a block does
  EXPECT_DEATH(hg_pool_deallocate(pool_, copy + in_block), "foreign node");
}

TEST_P(PoolGuard, MemoryOutsideTheHeapIsForeign) {
  alignas(16) char outside[64] = {};
  EXPECT_DEATH(hg_pool_deallocate(pool_, outside), "foreign node");
  EXPECT_DEATH(hg_pool_deallocate(pool_, reinterpret_cast<void *>(uintptr_t{4096})), "foreign node");
}

TEST_P(PoolGuard, TheMiddleOfANodeIsForeign) {
  EXPECT_DEATH(hg_pool_deallocate(pool_, node_ + 8), "foreign node.*no node begins here");
}

TEST_P(PoolGuard, AFreeNodeThatWasWrittenToIsFoundWhenTaken) {
  hg_pool_deallocate(pool_, second_);
  hg_pool_deallocate(pool_, node_);
  void *link;
  std::memcpy(&link, node_, sizeof link);
  std::memset(node_, 0x41, sizeof(void *));
  EXPECT_DEATH(hg_pool_allocate(pool_), "damaged free-list link");
  std::memcpy(node_, &link, sizeof link);
}

TEST_P(PoolGuard, AFreeListThatLeadsBackToItselfIsNotFollowedForEver) {
  hg_pool_deallocate(pool_, second_);
  void *link;
  std::memcpy(&link, second_, sizeof link);
  std::memcpy(second_, &second_, sizeof second_);
  std::memcpy(node_ + sizeof link, second_ + sizeof link, sizeof link);  // as if it were free: so the list is searched for it
  hg_pool_deallocate(pool_, node_);
  std::memcpy(second_, &link, sizeof link);
}

TEST_P(PoolGuard, ADamagedBlockHeaderIsNamed) {
  // The second word of a block is its pool. The first node lies in the first sub-block, or behind two words.
  char *block = node_ - (segregated() ? 2 * sizeof(void *) : reinterpret_cast<uintptr_t>(node_) % stats_.sub_block_bytes);
  void *pool;
  std::memcpy(&pool, block + sizeof(void *), sizeof pool);
  ASSERT_EQ(pool, pool_);
  std::memset(block + sizeof(void *), 0x41, sizeof(void *));
  EXPECT_DEATH(hg_pool_deallocate(pool_, node_), "damaged block header");
  ASSERT_NE(hg_heap_check(heap_), nullptr);
  EXPECT_EQ(std::string(hg_heap_check(heap_)).substr(0, 8), "pool.B1 ");
  std::memcpy(block + sizeof(void *), &pool, sizeof pool);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PoolGuard,
                         testing::Values(HG_SHAPE_segregated, HG_SHAPE_adaptive, HG_SHAPE_aligned_only),
                         [](const auto &shape) {
                           return shape.param == HG_SHAPE_segregated ? "segregated"
                                  : shape.param == HG_SHAPE_adaptive ? "adaptive"
                                                                    : "aligned_only";
                         });

TEST(A10_sub_blocks_guard, AnOverwrittenBackWordIsADamagedBlock) {
  hg_set_failure_hook(print_failure);
  hg_heap *heap = hg_heap_create();
  const hg_pool_options options = {HG_SHAPE_adaptive, 24, 256, 1, 10};
  hg_pool *pool = hg_pool_create(heap, &options);
  hg_pool_stats stats;
  hg_pool_get_stats(pool, &stats);
  ASSERT_GT(stats.sub_blocks, 1u);
  char *last = nullptr;
  for (size_t i = 0; i < stats.nodes_per_block; ++i) last = static_cast<char *>(hg_pool_allocate(pool));
  char *sub_block = last - reinterpret_cast<uintptr_t>(last) % stats.sub_block_bytes;
  void *back;
  std::memcpy(&back, sub_block, sizeof back);
  std::memset(sub_block, 0x41, sizeof back);
  EXPECT_DEATH(hg_pool_deallocate(pool, last), "damaged block header");
  ASSERT_NE(hg_heap_check(heap), nullptr);
  EXPECT_EQ(std::string(hg_heap_check(heap)).substr(0, 12), "adaptive.D1 ");
  std::memcpy(sub_block, &back, sizeof back);
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
  hg_heap_destroy(heap);
}

}  // namespace
}  // namespace pool_guard_tests
