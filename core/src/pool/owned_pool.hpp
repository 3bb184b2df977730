// Owned pools: blocks for an owner that hands out nodes by itself. The owner may keep its free nodes anywhere (in a list that it
// pops inline, in thread caches, as uncut memory) and lists them through next_free. The pool keeps the blocks and marks them, so
// that walks, checks and traces see inside.
//
//   block, aligned as the owner requested                 one heap chunk with the mark B
//   +------+------+------+-------+-----------+--------+--------+-- ... -+--------+
//   | next | pool | back | spare | (owner's) | node 0 | node 1 |        | node n |
//   +------+------+------+-------+-----------+--------+--------+-- ... -+--------+
//   0                            4 words     ^ first_node               up to block_bytes
//
//  owned_pool.O1  blocks are linked through next and back, the newest first, so any block is removed in O(1).
//  owned_pool.O2  the first three words belong to the pool. `spare` belongs to the owner: it is 0 in a new block, and not read here.
//  owned_pool.O3  a node is free when next_free visits it, otherwise in use. next_free visits each free node once and nothing else.
//  owned_pool.O4  while a block is acquired, the owner's list is complete except for that block's nodes; while a block is released,
//      the list contains none of its nodes. Between two operations of the owner, owned_pool.O3 holds for every block.
//
// Ending an owned pool releases all its blocks. The trace records the nodes in use as returned before. In a pool of shape
// size_class they return to the cache of the acting thread (event.P3). The small front never ends its pools, so readers meet
// this only in tests.
#pragma once

#include "pool/pool.hpp"

namespace heapglass {

struct OwnedBlock {
  void *next;  // BlockHead::link
  Pool *pool;
  OwnedBlock *back;
  void *spare;  // owned_pool.O2
};

static_assert(sizeof(OwnedBlock) == HG_OWNED_BLOCK_HEAD, "the head is what the header promises");
static_assert(offsetof(OwnedBlock, pool) == offsetof(BlockHead, pool), "a block of any kind names its pool (pool.B1)");

// nullptr when out of memory or ids, or when an option is out of range (bad_argument).
Pool *create_owned_pool(Heap *heap, const hg_owned_pool_options *options);
void *acquire_owned_block(Pool *pool);  // nullptr when out of memory
void release_owned_block(Pool *pool, void *block);
void *next_owned_block(const Pool *pool, const void *block);  // nullptr: the first; returns nullptr after the last
inline Pool *pool_of_owned_block(const void *block) { return static_cast<const OwnedBlock *>(block)->pool; }

// These record what the owner did. They do nothing in a build without probes.
void report_owned_node_taken(const Pool *pool, const void *node);
void report_owned_node_returned(const Pool *pool, const void *node);

void owned_destroy(Pool *pool);  // releases all blocks and keeps the pool's state

}  // namespace heapglass
