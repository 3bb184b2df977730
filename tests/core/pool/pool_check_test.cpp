// hg_heap_check names each invariant of pools when it is broken.
#include "pool/adaptive_pool.hpp"
#include "pool/owned_pool.hpp"
#include "pool_rig.hpp"
#include "support/damage.hpp"

namespace pool_tests {
namespace {

using heapglass::AdaptiveBlock;
using heapglass::FreeCountLink;
using heapglass::FreeNode;
using heapglass::Pool;
using heapglass_test::expect_found;
using heapglass_test::moved;
using heapglass_test::proof_of;

std::size_t g_outside[8];  // in no heap

Pool *pool_of(hg_pool *pool) { return reinterpret_cast<Pool *>(pool); }

// Two full blocks, one with a node in use, one with two, and one that is entirely free.
class AdaptivePoolCheck : public testing::Test {
 protected:
  void SetUp() override {
    const hg_pool_options options = {HG_SHAPE_adaptive, 32, 16, 1, 10};
    handle_ = hg_pool_create(heap, &options);
    pool = pool_of(handle_);
    const std::size_t each = pool->layout.nodes_per_block;
    std::vector<void *> nodes;
    while (nodes.size() < 5 * each) nodes.push_back(hg_pool_allocate(handle_));
    for (std::size_t i = 2 * each; i < 5 * each; ++i) {
      const std::size_t block = i / each, at = i % each;
      if (block == 2 ? at > 0 : block == 3 ? at > 1 : true) hg_pool_deallocate(handle_, nodes[i]);
    }
    ASSERT_EQ(pool->blocks, 5u);
    ASSERT_EQ(pool->adaptive.free_blocks, 1u);
    first = heapglass::block_of_link(pool->adaptive.tree.first());
    full = heapglass::block_of_link(pool->adaptive.full);
    ASSERT_EQ(proof_of(heap), "");
  }
  void TearDown() override { hg_pool_destroy(handle_); }

  TestHeap heap;
  Pool *pool = nullptr;
  AdaptiveBlock *first = nullptr;  // of the tree: the one with the fewest free nodes
  AdaptiveBlock *full = nullptr;

 private:
  hg_pool *handle_ = nullptr;
};

TEST_F(AdaptivePoolCheck, NamesABlockThatIsNone) {
  expect_found(heap, "pool.B1 a block outside the heap", pool->layout.block_bytes, 1u << 30);
  expect_found(heap, "pool.B1 a block larger than its chunk", pool->layout.block_bytes, pool->layout.block_bytes + heapglass::kAlign);
  expect_found(heap, "pool.B1 a block names another pool", first->pool, nullptr);
  expect_found(heap, "pool.B1 a block names another pool", first->pool, moved(pool, 8));
  heapglass::Heap::set_block_mark(first, false);
  EXPECT_EQ(proof_of(heap).substr(0, 33), "pool.B1 a block without its mark ");
  heapglass::Heap::set_block_mark(first, true);
  expect_found(heap, "layout.L2 a block off its alignment", pool->layout.sub_block_bytes, 1u << 31);
  expect_found(heap, "adaptive.D1", first->back, moved(first, 8));
  expect_found(heap, "adaptive.D1", first->back, nullptr);
  if (pool->layout.sub_blocks > 1) {
    AdaptiveBlock *&later = *reinterpret_cast<AdaptiveBlock **>(moved(first, pool->layout.sub_block_bytes));
    expect_found(heap, "adaptive.D1", later, full);
  }
}

TEST_F(AdaptivePoolCheck, NamesAFreeListThatIsNot) {
  expect_found(heap, "adaptive.D2", first->free, first->free->next);
  expect_found(heap, "adaptive.D2", first->free, nullptr);
  expect_found(heap, "adaptive.D2", first->free->next, first->free);
  expect_found(heap, "adaptive.D2", full->free, first->free);
}

TEST_F(AdaptivePoolCheck, NamesABlockInTheWrongPlace) {
  expect_found(heap, "adaptive.D3 the list of full blocks does not lead back", pool->adaptive.full->left, &first->link);
  ASSERT_NE(pool->adaptive.full->right, nullptr);
  expect_found(heap, "adaptive.D3 the list of full blocks does not lead back", pool->adaptive.full->right->left, nullptr);
  expect_found(heap, "adaptive.D3 the list of full blocks does not end", pool->blocks, pool->blocks - 1);
  expect_found(heap, "adaptive.D3 blocks in neither", pool->blocks, pool->blocks + 1);
  expect_found(heap, "adaptive.D3 blocks in neither", pool->adaptive.full, nullptr);
  FreeNode *const list = first->free;
  const uint32_t count = first->link.free_nodes;
  first->free = nullptr;
  first->link.free_nodes = 0;
  EXPECT_EQ(proof_of(heap).substr(0, 39), "adaptive.D3 a full block is in the tree");
  first->free = list;
  first->link.free_nodes = count;
  EXPECT_EQ(proof_of(heap), "");
}

TEST_F(AdaptivePoolCheck, NamesCountsThatAreWrong) {
  expect_found(heap, "pool.B2", pool->nodes_free, pool->nodes_free + 1);
  expect_found(heap, "pool.B2", pool->nodes_free, pool->nodes_free - 1);
  expect_found(heap, "adaptive.D4 the count", pool->adaptive.free_blocks, 0);
  expect_found(heap, "adaptive.D4 the count", pool->adaptive.free_blocks, 2);
  expect_found(heap, "adaptive.D4 too many", pool->max_free_blocks, 0);
}

TEST_F(AdaptivePoolCheck, NamesATreeThatIsNone) {
  FreeCountLink *root = &first->link;
  while (root->parent != nullptr) root = root->parent;
  ASSERT_NE(root->right, nullptr);
  expect_found(heap, "tree.T4 the root", root->parent, root->right);
  expect_found(heap, "tree.T4 the root", root->red, 1);
  expect_found(heap, "tree.T3", root->free_nodes, pool->layout.nodes_per_block + 1);
  expect_found(heap, "tree.T4 a right child", root->right->parent, nullptr);
}

TEST_F(AdaptivePoolCheck, NamesAPoolOfAnotherHeapOrOutOfOrder) {
  const hg_pool_options options = {HG_SHAPE_segregated, 32, 16, 1, 10};
  hg_pool *const second = hg_pool_create(heap, &options);
  expect_found(heap, "pool.B3 a pool of another heap", pool->heap, nullptr);
  expect_found(heap, "pool.B3 the pools are not in the order", pool_of(second)->id, pool->id);
  expect_found(heap, "pool.B3 the pools are not in the order", pool->id, 0);
  hg_pool_destroy(second);
}

TEST(SegregatedPoolCheck, NamesAListOrACountThatIsWrong) {
  TestHeap heap;
  const hg_pool_options options = {HG_SHAPE_segregated, 32, 8, 1, 10};
  hg_pool *const handle = hg_pool_create(heap, &options);
  Pool *const pool = pool_of(handle);
  for (std::size_t i = 0; i < 2 * pool->layout.nodes_per_block + 3; ++i) hg_pool_allocate(handle);
  ASSERT_EQ(pool->blocks, 3u);
  FreeNode *&list = pool->listed.free;
  expect_found(heap, "segregated.G1 the free list", pool->nodes_free, pool->nodes_free + 1);
  expect_found(heap, "segregated.G1 the free list", list, list->next);
  expect_found(heap, "segregated.G1 the free list", list->next, list);
  expect_found(heap, "pool.B2 the list of blocks", pool->blocks, 2);
  expect_found(heap, "pool.B2 the list of blocks", pool->blocks, 4);
  expect_found(heap, "pool.B1 a block outside the heap", pool->listed.blocks, static_cast<void *>(g_outside));
  // A node that begins elsewhere, with the rest of the list behind it.
  FreeNode *const elsewhere = moved(list, sizeof(void *));
  FreeNode *const word = elsewhere->next;
  elsewhere->next = list->next;
  expect_found(heap, "segregated.G1 owned_pool.O3 the free list names", list, elsewhere);
  elsewhere->next = word;
  // The newest block, which has the free nodes, in no list.
  void *const newest = pool->listed.blocks;
  pool->listed.blocks = *static_cast<void **>(newest);
  pool->blocks = 2;
  EXPECT_EQ(proof_of(heap).substr(0, 54), "segregated.G1 owned_pool.O3 a free node is in no block");
  pool->listed.blocks = newest;
  pool->blocks = 3;
  hg_pool_destroy(handle);
}

TEST(OwnedPoolCheck, NamesABlockOffItsAlignmentAndAListThatDoesNotLeadBack) {
  TestHeap heap;
  hg_owned_pool_options options = {};
  options.shape = HG_SHAPE_fixed_block;
  options.node_size = 64;
  options.nodes_per_block = 8;
  options.first_node = 64;
  options.block_bytes = 1024;
  options.block_alignment = 64;
  options.next_free = [](const void *, hg_free_cursor *) -> const void * { return nullptr; };
  hg_pool *const handle = hg_owned_pool_create(heap, &options);
  Pool *const pool = pool_of(handle);
  hg_owned_pool_acquire_block(handle);
  auto *const newest = static_cast<heapglass::OwnedBlock *>(hg_owned_pool_acquire_block(handle));
  ASSERT_EQ(newest, pool->listed.blocks);
  expect_found(heap, "owned_pool.O2", pool->layout.block_alignment, 1u << 31);
  expect_found(heap, "owned_pool.O1", newest->back, newest);
  expect_found(heap, "owned_pool.O1", static_cast<heapglass::OwnedBlock *>(newest->next)->back, nullptr);
  hg_pool_destroy(handle);
}

}  // namespace
}  // namespace pool_tests
