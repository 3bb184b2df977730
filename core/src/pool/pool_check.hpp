// Proves the invariants of all pools of a heap: pool.B1 to pool.B4, adaptive.D1 to adaptive.D4, tree.T3 to tree.T5, segregated.G1,
// owned_pool.O1 to owned_pool.O3. hg_heap_check calls it after the heap's own proofs, in any build. Returns nullptr when all hold,
// otherwise a text in a static buffer that names the broken one.
#pragma once

#include "pool/pool.hpp"

namespace heapglass {

// O(nodes) for adaptive pools, O(blocks * free nodes) for listed ones.
const char *check_pools(const Heap &heap);

}  // namespace heapglass
