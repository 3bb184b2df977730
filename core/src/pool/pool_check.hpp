// Proves the invariants of all pools of a heap: B1 to B4, D1 to D4, T3 to T5, G1, O1 to O3. Called by hg_heap_check after the
// heap's own proofs, in any build. nullptr when all hold, else a text in a static buffer naming the broken one.
#pragma once

#include "pool/pool.hpp"

namespace heapglass {

// O(nodes) for adaptive pools, O(blocks * free nodes) for listed ones.
const char *check_pools(const Heap &heap);

}  // namespace heapglass
