// What malloc knows of the layer above it, diagnose/: two names, and nothing else.
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

// Called at the beginning of a slow path, where no lock is held. nullptr: there is no soft limit, or its hook was called (diagnose.O3).
extern void (*g_soft_limit)();

// Begins the history of a heap (diagnose.O2). (diagnose/census.cpp)
void watch_growth(Heap &heap);

}  // namespace heapglass
