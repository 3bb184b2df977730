// The walk compared with the twin: what the heap says it holds is what the program believes it holds.
//
//  W1  chunks lie side by side from a segment's first chunk to its sentinel; segments ascend and do not overlap.
//  W2  no free chunk has a free neighbour; the P bit of a header tells the state of the chunk before.
//  W3  every block of the twin that lies in no slab is a chunk in use of exactly its usable size; every other chunk in use is a pool or a
//      pool's block, or cached by malloc (default heap only). Builds without probes tell a cached chunk as one in use.
//  W4  every node of a pool's twin is a node in use of one of its blocks, and there are no others.
//  W5  each free chunk is in the bin its record names, once; the bins hold nothing else.
//  W6  each pool's tree ascends by free nodes.
//  W7  the sums are those of hg_heap_get_stats; the hash over the records is hg_walk_hash.
//  W8  the segments of different heaps do not overlap.
//  W9  with malloc, where every chunk of the default heap lies goes into the hash of offsets: the same in every build with the same slabs.
//  W10 in a slab the blocks in use are those of the twin that lie there, of exactly their usable size; no two of its blocks overlap.
#pragma once

#include "state.hpp"

namespace contract {

// Whether a block of the twin may have so many usable bytes now. A slab's block that becomes a chunk has more than before (dissolve.D2); those
// of a block that was a chunk are no multiple of HG_ALIGNMENT.
bool is_usable_size(size_t twin, size_t now);

// As far as the twin and the walk show them.
struct InSlabs {
  size_t slabs = 0;   // with blocks of the twin
  size_t blocks = 0;  // of the twin, in them
  size_t idle = 0;    // chunks of slabs without such a block; those that say where slabs lie are among them
};
InSlabs in_slabs(const HeapSlot &slot);

// hg_heap_check and W1-W10 for every heap; contents of all blocks too.
void check_everything(State &state);

}  // namespace contract
