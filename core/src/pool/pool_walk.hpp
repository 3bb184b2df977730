// The records of pools in the heap's walk (event.W1 and event.W3), and the events that introduce a pool.
#pragma once

#include "pool/pool.hpp"

namespace heapglass {

// Writes the records behind that of a chunk with the block mark: its block, sub-blocks and nodes in address order. state[0]
// counts the records of this block so far.
Word walk_pool_block(const Heap &heap, const void *mem, Word *state, hg_walk_record *records, Word capacity);
// Writes the last records of a walk: for each pool in id order its blocks in tree order. state[0] counts the finished pools,
// state[1] the blocks of the next pool so far.
Word walk_pool_trees(const Heap &heap, Word *state, hg_walk_record *records, Word capacity);

// Writes pool_created, pool_shaped and pool_ruled.
void report_pool(const Pool *pool);

}  // namespace heapglass
