// A hook of the program that is called once, when the heap has become larger than a limit: a warning before memory is out.
//
//  diagnose.O3  The hook runs between operations, where no lock is held. So it is called at the beginning of the slow path of the next
//               allocation, not where the heap grew.
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

// hook nullptr: there is no limit.
void set_soft_limit(Word bytes, void (*hook)(Word footprint, Word limit));

}  // namespace heapglass
