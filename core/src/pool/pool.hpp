// A pool: nodes of one size on a heap. This file has its state and the functions that the C interface calls.
//
// There are two kinds. An adaptive pool (adaptive_pool.hpp) has a list of free nodes in each block and keeps the blocks in a tree.
// It releases entirely free blocks by itself. aligned_only is the adaptive pool whose blocks have one sub-block. A listed pool
// keeps its blocks in a list and all its free nodes in one place: a segregated pool (segregated_pool.hpp) in a list of its own, an
// owned pool (owned_pool.hpp; four shapes) with its owner, which also hands out the nodes. All pools have this state, one chunk
// of their heap, and use different parts of it.
//
//   pool.B1  every block is a chunk in use with the block mark B; its first two words are BlockHead.
//   pool.B2  nodes_free counts the free nodes of all blocks: nodes in use == blocks * nodes_per_block - nodes_free. Owned
//       pools do not count (0); to count theirs, visit their free nodes.
//   pool.B3  the pools of a heap are linked from Heap::pools() in the order of their ids. An id is unique among all living
//       pools of the program. pool_ids.hpp keeps the same order outside the heap.
//   pool.B4  a free node's first word is the next free node of its list, nullptr at the end. In owned pools the owner decides.
//   pool.B5  code that visits free nodes calls next_free, in pools of every kind, and never reads the lists.
//
// The trace records operations as op_begun(op; node, first node of the chain, or pool; requested bytes or count; pool id).
#pragma once

#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include "heap/heap.hpp"
#include "pool/block_layout.hpp"
#include "pool/free_count_tree.hpp"

namespace heapglass {

inline constexpr uint32_t kKeepAllFreeBlocks = 0xffff;  // max_free_blocks: no limit

struct FreeNode {
  FreeNode *next;
};

struct BlockHead {
  void *link;         // adaptive: the back word of layout.L2, the block's own address; listed: the next block
  struct Pool *pool;  // the pool of this block
};

struct AdaptiveState {
  FreeCountTree tree;   // blocks with a free node
  FreeCountLink *full;  // blocks without a free node, a list through right (next) and left (previous)
  size_t free_blocks;   // entirely free blocks, in the tree; <= max_free_blocks
};

struct ListedState {
  void *blocks;        // BlockHeads linked through their link, the newest first
  const void *owner;   // the argument of next_free: the owner; in a segregated pool its own `free`
  FreeNode *free;      // segregated only: the free nodes of all blocks
};

struct Pool {
  Heap *heap;
  Pool *next;  // pool.B3
  uint32_t id;
  uint32_t max_free_blocks;
  BlockLayout layout;
  size_t blocks;
  size_t nodes_free;  // pool.B2
  hg_next_free next_free;  // pool.B5
  AdaptiveState adaptive;
  ListedState listed;
};

inline bool is_adaptive_shape(uint32_t shape) { return shape == HG_SHAPE_adaptive || shape == HG_SHAPE_aligned_only; }
inline bool is_owned_shape(uint32_t shape) {
  return shape == HG_SHAPE_size_class || shape == HG_SHAPE_fixed_block || shape == HG_SHAPE_lock_free ||
         shape == HG_SHAPE_fixed_size;
}
inline bool is_adaptive(const Pool *pool) { return is_adaptive_shape(pool->layout.shape); }
inline bool is_listed(const Pool *pool) { return !is_adaptive(pool); }
inline bool is_segregated(const Pool *pool) { return pool->layout.shape == HG_SHAPE_segregated; }
inline bool is_owned(const Pool *pool) { return is_owned_shape(pool->layout.shape); }
inline const void *next_listed_block(const void *block) { return static_cast<const BlockHead *>(block)->link; }
inline void *node_of(const Pool *pool, void *block, uint32_t i) {
  return at_offset<void>(block, node_offset(pool->layout, i));
}

// nullptr when out of memory, when no id is free (also out_of_memory), or when an option is out of range (bad_argument).
Pool *create_pool(Heap *heap, const hg_pool_options *options);
void destroy_pool(Pool *pool);
void *allocate_node(Pool *pool);
void deallocate_node(Pool *pool, void *node);
size_t allocate_burst(Pool *pool, size_t count, hg_chain *chain);  // count or 0
void deallocate_burst(Pool *pool, hg_chain *chain);
size_t trim_pool(Pool *pool);  // the number of released blocks
void get_pool_stats(const Pool *pool, hg_pool_stats *stats);

// ---- for the kinds ----

// Creates a pool of this layout without a block, inserts it in the heap's list and records it. nullptr when out of memory or ids.
// Records no operation and sets no status.
Pool *place_pool(Heap *heap, const BlockLayout &layout, uint32_t max_free_blocks, hg_next_free next_free);
// Acquires a block from the heap, marked, with its header but with unlinked nodes. nullptr when out of memory.
void *acquire_block(Pool *pool);
// pre: the block is in no list or tree and none of its nodes is on the pool's free list.
void release_block(Pool *pool, void *block);

}  // namespace heapglass
