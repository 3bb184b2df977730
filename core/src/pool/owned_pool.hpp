// Owned pools: blocks for an owner that hands out nodes by itself. The owner keeps its free nodes wherever it likes (in a
// list it pops inline, in per-thread caches, as memory never cut yet) and says through next_free which they are; the pool
// keeps the blocks, marked, so that walks, checks and traces see inside.
//
//   block, aligned as the owner asked                     one heap chunk with the mark B
//   +------+------+------+-------+-----------+--------+--------+-- ... -+--------+
//   | next | pool | back | spare | (owner's) | node 0 | node 1 |        | node n |
//   +------+------+------+-------+-----------+--------+--------+-- ... -+--------+
//   0                            4 words     ^ first_node               up to block_bytes
//
//  owned_pool.O1  blocks are linked through next and back, the newest first; so one leaves in O(1), wherever it is.
//  owned_pool.O2  the first three words are the pool's, `spare` is the owner's: 0 in a new block, and never looked at here.
//  owned_pool.O3  a node in a block is free when next_free visits it, else in use. It is visited once and nothing else is.
//  owned_pool.O4  while a block is acquired the owner's list must be complete but for that block's nodes; while one is released, it
//      holds none of its nodes. Between two operations of the owner owned_pool.O3 holds for every block.
//
// Ending an owned pool gives all its blocks back. In a trace the nodes in use are returned before; of a pool of shape
// size_class that means into the cache of the thread that acts, by the rule of events 48 and 49 (event.h, event.P3). The small
// front never ends its pools, so no reader has met that but in tests.
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

// What the owner did, for the trace; nothing in a build without probes.
void tell_owned_node_taken(const Pool *pool, const void *node);
void tell_owned_node_returned(const Pool *pool, const void *node);

void owned_destroy(Pool *pool);  // all blocks go; the pool's state stays

}  // namespace heapglass
