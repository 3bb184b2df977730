// What a reader sees of pools: the records of the heap's walk (event.h, event.W1 and event.W3) and the events that introduce a pool.
#pragma once

#include "pool/pool.hpp"

namespace heapglass {

// After the record of a chunk with the block mark: its block, sub-blocks and nodes in address order. state[0] is the
// number of records told of this block so far.
Word walk_pool_block(const Heap &heap, const void *mem, Word *state, hg_walk_record *records, Word capacity);
// Last in a walk: for each pool in id order its blocks in tree order. state[0] is the number of pools done with,
// state[1] that of the blocks told of the next one.
Word walk_pool_trees(const Heap &heap, Word *state, hg_walk_record *records, Word capacity);

// Writes pool_created, pool_shaped and pool_ruled.
void tell_pool(const Pool *pool);

}  // namespace heapglass
