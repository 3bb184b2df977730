// Tells whether an address is a node of a pool. It serves callers that get nodes and other chunks of the heap alike: an
// allocator's deallocate(p, 1) after a constructor threw (include/heapglass/detail/pooled_allocator.hpp).
//
//  node_owner.N1  The answer for a node is always yes: every node passes the tests below (adaptive.D1, pool.B1).
//  node_owner.N2  The answer for a chunk of the heap is no. Listed pools compare the address with their blocks. Adaptive pools mask
//      the address and read a possible back word. It may be any word, left by a block that was released, so each step is proved
//      before the next: the words lie in the heap; the block is where its sub-blocks say; its chunk is in use, has a block's
//      size and the block mark (release_block removes the mark); and its header names the block and the pool. Only a program
//      that writes all these words on purpose, at their places, gets a wrong answer.
//  node_owner.N3  Adaptive: O(segments). Listed: O(blocks).
#pragma once

#include "pool/pool.hpp"

namespace heapglass {

// pre: mem is a node in use of the pool or the mem of a chunk in use of its heap.
bool owns_node(const Pool *pool, const void *mem);

}  // namespace heapglass
