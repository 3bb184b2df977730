// Whether an address is a node of a pool. For callers that get nodes and other blocks of the heap mixed: an allocator's
// deallocate(p, 1) after a constructor threw (include/heapglass/detail/pooled_allocator.hpp).
//
//  node_owner.N1  A node always says yes: what is asked below holds for every node (adaptive_pool.hpp adaptive.D1, pool.hpp pool.B1).
//  node_owner.N2  A chunk of the heap says no. Listed pools compare with their blocks, which nobody else can be in. Adaptive ones mask
//      the address and read what would be a back word; it may be anything, left behind by a block that is gone, so each
//      step is proved before the next: the words lie in the heap, the block is where its sub-blocks say, its chunk is in
//      use, of a block's size and marked (release_block takes the mark away), and it names itself and the pool. A program
//      would have to write all these words on purpose, at their places, to deceive it.
//  node_owner.N3  Adaptive: O(segments). Listed: O(blocks).
#pragma once

#include "pool/pool.hpp"

namespace heapglass {

// pre: mem is a node in use of the pool or the mem of a chunk in use of its heap.
bool owns_node(const Pool *pool, const void *mem);

}  // namespace heapglass
