// The slow paths of adaptive_pool.hpp: blocks are added, released and moved in the tree.
#include "pool/adaptive_pool.hpp"

#include "pool/free_marks.hpp"

namespace heapglass {
namespace {

// Links the nodes in address order, so that a new block fills from its start, and writes the back words (adaptive.D1).
AdaptiveBlock *make_adaptive_block(Pool *pool) {
  void *mem = acquire_block(pool);
  if (mem == nullptr) return nullptr;
  const BlockLayout &layout = pool->layout;
  AdaptiveBlock *block = static_cast<AdaptiveBlock *>(mem);
  for (uint32_t i = 0; i < layout.sub_blocks; ++i) {
    *at_offset<AdaptiveBlock *>(mem, Word{i} * layout.sub_block_bytes) = block;
  }
  FreeNode *next = nullptr;
  for (uint32_t i = layout.nodes_per_block; i-- != 0;) {
    FreeNode *node = static_cast<FreeNode *>(node_of(pool, mem, i));
    node->next = next;
    next = node;
  }
  block->free = next;
  block->link.free_nodes = layout.nodes_per_block;
  return block;
}

void insert_block(Pool *pool, AdaptiveBlock *block) {
  pool->adaptive.tree.insert(&block->link);
  HG_PROBE(block_inserted, pool->heap->id(), pool->id, block, block_before(block), block->link.free_nodes);
}

void insert_new_block(Pool *pool, AdaptiveBlock *block) {
  ++pool->adaptive.free_blocks;
  pool->nodes_free += pool->layout.nodes_per_block;
  insert_block(pool, block);
}

// The list of full blocks uses the tree's pointers: right is the next, left the previous.
void push_full_block(Pool *pool, AdaptiveBlock *block) {
  FreeCountLink *first = pool->adaptive.full;
  block->link.left = nullptr;
  block->link.right = first;
  if (first != nullptr) first->left = &block->link;
  pool->adaptive.full = &block->link;
}

void unlink_full_block(Pool *pool, AdaptiveBlock *block) {
  FreeCountLink *next = block->link.right;
  FreeCountLink *previous = block->link.left;
  if (next != nullptr) next->left = previous;
  if (previous != nullptr) previous->right = next; else pool->adaptive.full = next;
}

// pre: the block is entirely free and counted in nodes_free, but not in free_blocks; in_tree: it is in the tree, not in the list
void retire_block(Pool *pool, AdaptiveBlock *block, bool in_tree) {
  if (in_tree) {
    HG_PROBE(block_removed, pool->heap->id(), pool->id, block, block_before(block), pool->layout.nodes_per_block);
    pool->adaptive.tree.remove(&block->link);
  } else {
    unlink_full_block(pool, block);
  }
  pool->nodes_free -= pool->layout.nodes_per_block;
  release_block(pool, block);
}

}  // namespace

const void *next_adaptive_free(const void *owner, hg_free_cursor *cursor) {
  const FreeNode *const last = static_cast<const FreeNode *>(cursor->node);
  if (cursor->place == 0) {  // place 1: begun
    cursor->place = 1;
    cursor->node = static_cast<const AdaptiveBlock *>(owner)->free;
  } else if (last != nullptr) {
    cursor->node = last->next;
  }
  return cursor->node;
}

void remove_full_block(Pool *pool, AdaptiveBlock *block) {
  HG_PROBE(block_removed, pool->heap->id(), pool->id, block, block_before(block), 0);
  pool->adaptive.tree.remove(&block->link);
  push_full_block(pool, block);
}

bool add_adaptive_block(Pool *pool) {
  AdaptiveBlock *block = make_adaptive_block(pool);
  if (block == nullptr) return false;
  insert_new_block(pool, block);
  return true;
}

void settle_block(Pool *pool, AdaptiveBlock *block, uint32_t count) {
  AdaptiveState &state = pool->adaptive;
  const uint32_t before = block->link.free_nodes;
  const uint32_t free_nodes = before + count;
  pool->nodes_free += count;
  if (free_nodes == pool->layout.nodes_per_block) {
    if (state.free_blocks >= pool->max_free_blocks) return retire_block(pool, block, before != 0);  // adaptive.D4
    ++state.free_blocks;
  }
  if (before == 0) {
    unlink_full_block(pool, block);
    block->link.free_nodes = free_nodes;
    return insert_block(pool, block);
  }
  const FreeCountLink *next = FreeCountTree::next(&block->link);
  if (next == nullptr || next->free_nodes >= free_nodes) {  // tree.T2
    block->link.free_nodes = free_nodes;
    return;
  }
  HG_PROBE(block_moved, pool->heap->id(), pool->id, block, block_before(block), block_below(pool, free_nodes));
  state.tree.remove(&block->link);
  block->link.free_nodes = free_nodes;
  state.tree.insert(&block->link);
}

// Acquires all blocks before it takes the first node, so that a failure only has to release blocks.
size_t adaptive_burst(Pool *pool, size_t count, hg_chain *chain) {
  AdaptiveBlock *made = nullptr;  // linked through link.parent until there are enough
  for (size_t available = pool->nodes_free; available < count; available += pool->layout.nodes_per_block) {
    AdaptiveBlock *block = make_adaptive_block(pool);
    if (block == nullptr) {
      while (made != nullptr) {
        AdaptiveBlock *next = made->link.parent == nullptr ? nullptr : block_of_link(made->link.parent);
        release_block(pool, made);
        made = next;
      }
      return 0;
    }
    block->link.parent = made == nullptr ? nullptr : &made->link;
    made = block;
  }
  while (made != nullptr) {
    AdaptiveBlock *next = made->link.parent == nullptr ? nullptr : block_of_link(made->link.parent);
    insert_new_block(pool, made);
    made = next;
  }
  for (size_t taken = 0; taken < count;) {
    AdaptiveBlock *block = block_of_link(pool->adaptive.tree.first());
    size_t run = block->link.free_nodes;
    if (run > count - taken) run = count - taken;
    taken += run;
    for (; run != 0; --run) {
      void *node = take_from_block(pool, block);
      if constexpr (kChecked) guard_taken_node(pool, node);
      hg_chain_push_back(chain, node);
    }
  }
  return count;
}

// Consecutive nodes of one block change the tree once.
void adaptive_burst_deallocate(Pool *pool, hg_chain *chain) {
  FreeNode *node = static_cast<FreeNode *>(chain->first);
  hg_chain_init(chain);
  AdaptiveBlock *block = nullptr;
  uint32_t count = 0;  // nodes put on the block's list since its position was last updated
  while (node != nullptr) {
    if constexpr (kChecked) guard_returned_node(pool, node);
    AdaptiveBlock *found = block_of_node(pool, node);
    if (found != block) {
      if (count != 0) settle_block(pool, block, count);
      block = found;
      count = 0;
    }
    FreeNode *next = node->next;
    if constexpr (kChecked) fill_returned_node(pool, node);
    node->next = block->free;
    block->free = node;
    ++count;
    HG_PROBE(node_returned, pool->heap->id(), pool->id, node, block, block->link.free_nodes + count);
    node = next;
  }
  if (count != 0) settle_block(pool, block, count);
}

size_t adaptive_trim(Pool *pool) {
  size_t given = 0;
  for (; pool->adaptive.free_blocks != 0; ++given) {
    --pool->adaptive.free_blocks;
    retire_block(pool, block_of_link(pool->adaptive.tree.last()), true);
  }
  return given;
}

// Nodes in use end with their blocks. The trace records them as returned first, so every block that it sees released is free.
void adaptive_destroy(Pool *pool) {
  AdaptiveState &state = pool->adaptive;
  while (!state.tree.empty() || state.full != nullptr) {
    const bool in_tree = !state.tree.empty();
    AdaptiveBlock *block = block_of_link(in_tree ? state.tree.first() : state.full);
    if constexpr (kTraced) report_nodes_returned(pool, block, block->link.free_nodes);
    pool->nodes_free += pool->layout.nodes_per_block - block->link.free_nodes;
    retire_block(pool, block, in_tree);
  }
}

}  // namespace heapglass
