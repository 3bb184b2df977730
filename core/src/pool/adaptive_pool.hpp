// Adaptive pool (Ion Gaztañaga, "Applying classic memory allocation strategies to C++ containers"): nodes have no header, and
// free blocks still return to the heap immediately.
//
//   block, S-aligned                  sub-block 1, S-aligned
//   +------+------+-------------+------+---------+-- ... -+------+---------+-- ... -+------+
//   | back | pool | tree link   | free | node 0  |        | back | node f  |        | back |
//   +--|---+------+-------------+--|---+---------+        +--|---+---------+        +--|---+
//   ^  |                           +---> first free node     |                        |
//   +--+-----------------------------------------------------+------------------------+
//
//   adaptive.D1  the word at node & ~(S - 1) is the address of the node's block.
//   adaptive.D2  link.free_nodes is the length of the list from `free`, which holds free nodes of this block only.
//   adaptive.D3  a block with a free node is in the tree, and a full block is in the list of full blocks.
//   adaptive.D4  between operations, at most max_free_blocks blocks are entirely free.
//
// A node comes from the tree's first block, which is the fullest, so that emptier blocks can become entirely free. That block
// stays first (tree.T1), so the tree changes only when it becomes full. To return a node, one mask and one load find its block
// (adaptive.D1); the tree changes only when the block passes its neighbour (tree.T2).
//
// Deliberately absent: preferring the free block at the lowest address, or returning the highest. Both need a second order.
#pragma once

#include "pool/pool.hpp"
#include "pool/pool_guard.hpp"
#include "trace/probes.hpp"

namespace heapglass {

struct AdaptiveBlock {
  AdaptiveBlock *back;
  Pool *pool;
  FreeCountLink link;
  FreeNode *free;
};

inline AdaptiveBlock *block_of_link(FreeCountLink *link) {
  return reinterpret_cast<AdaptiveBlock *>(reinterpret_cast<char *>(link) - offsetof(AdaptiveBlock, link));
}
inline AdaptiveBlock *block_of_node(const Pool *pool, const void *node) {  // adaptive.D1
  const Word in_sub_block = address_of(node) & (pool->layout.sub_block_bytes - 1);
  return *before<AdaptiveBlock *const>(node, in_sub_block);
}
// The predecessor in tree order, nullptr for the first block. The trace records a block's position by it.
inline AdaptiveBlock *block_before(const AdaptiveBlock *block) {
  FreeCountLink *link = FreeCountTree::previous(&block->link);
  return link == nullptr ? nullptr : block_of_link(link);
}
// The last block with fewer than `free_nodes` free nodes, nullptr when there is none.
inline AdaptiveBlock *block_below(const Pool *pool, uint32_t free_nodes) {
  FreeCountLink *link = pool->adaptive.tree.last_below(free_nodes);
  return link == nullptr ? nullptr : block_of_link(link);
}

// For Pool::next_free: `owner` is the block.
const void *next_adaptive_free(const void *owner, hg_free_cursor *cursor);
// Moves a block that became full from the tree to the list.
void remove_full_block(Pool *pool, AdaptiveBlock *block);
// Adds a new block, all nodes free, to the tree. False when out of memory.
bool add_adaptive_block(Pool *pool);
// After `count` nodes were put on the block's list: moves the block to its new position, or releases it.
void settle_block(Pool *pool, AdaptiveBlock *block, uint32_t count);

inline void *take_from_block(Pool *pool, AdaptiveBlock *block) {
  FreeNode *node = block->free;
  block->free = node->next;
  if (block->link.free_nodes == pool->layout.nodes_per_block) --pool->adaptive.free_blocks;
  --block->link.free_nodes;
  --pool->nodes_free;
  HG_PROBE(node_taken, pool->heap->id(), pool->id, node, block, block->link.free_nodes);
  if (block->link.free_nodes == 0) remove_full_block(pool, block);
  return node;
}

inline void *adaptive_allocate(Pool *pool) {
  if (pool->adaptive.tree.empty() && !add_adaptive_block(pool)) return nullptr;
  void *node = take_from_block(pool, block_of_link(pool->adaptive.tree.first()));
  if constexpr (kChecked) guard_taken_node(pool, node);
  return node;
}

inline void adaptive_deallocate(Pool *pool, void *mem) {
  if constexpr (kChecked) {
    guard_returned_node(pool, mem);
    fill_returned_node(pool, mem);
  }
  AdaptiveBlock *block = block_of_node(pool, mem);
  FreeNode *node = static_cast<FreeNode *>(mem);
  node->next = block->free;
  block->free = node;
  HG_PROBE(node_returned, pool->heap->id(), pool->id, node, block, block->link.free_nodes + 1);
  settle_block(pool, block, 1);
}

size_t adaptive_burst(Pool *pool, size_t count, hg_chain *chain);
void adaptive_burst_deallocate(Pool *pool, hg_chain *chain);
size_t adaptive_trim(Pool *pool);
void adaptive_destroy(Pool *pool);

}  // namespace heapglass
