// A slab in which few blocks are in use becomes ordinary chunks. No block moves.
//
//   slab     | h | slab's words | free | block | free | free | free | block | free | rest | h
//   chunks   | h | free chunk       |h | block   | free chunk    |h | block   | free chunk  | h
//                                    ^ the last word of the free block before it
//
//  dissolve.D1  A block in use gets its header from the word before it, so the block before it must be free: no two neighbours are in use.
//               The first block has the last of the slab's own words.
//  dissolve.D2  (event.P8)  Its chunk ends a word into the block behind it: that gives it a size that is a multiple of kAlign. What lies between that and the next
//               header becomes free, or belongs to the chunk if it is too short to be one.
//  dissolve.D3  It is done when the cache ages (slabs.S6), so one block that survives holds a slab for as long as malloc carves a share or two, and not
//               for as long as it lives. Two neighbours that survive do hold it.
#pragma once

#include "heap/heap.hpp"
#include "slab/slab.hpp"

namespace heapglass {

// Whether at most one block of `part` is in use, and no two neighbours are.
inline bool is_sparse(Bits in_use, Word capacity, Word part) {
  return (in_use & in_use << 1) == 0 && static_cast<unsigned>(__builtin_popcountll(in_use)) * part <= capacity;
}

// The chunk of s becomes chunks; the bytes of those that become free.  pre: s is no slab any more; is_sparse(in_use), some are in use
Word dissolve(Heap &heap, Slab *s, Word block_bytes, Bits in_use);

}  // namespace heapglass
