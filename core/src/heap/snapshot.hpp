// Snapshots: the state of every heap as events, from a walk (event.P6). So a trace goes on behind lost events, or begins late.
//
//   snapshot_begun | snapshot_heap, its walk records | snapshot_heap, its walk records | ... | snapshot_ended
//
// The walk runs twice for each heap, as snapshot_heap says how many records follow. Nothing is allocated, and no record is lost: the
// ring is drained as it fills, in drop mode too. O(chunks + nodes).
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

// pre: no operation is under way; with threads, the trace's lock is held
void write_snapshot();

// What a traced build keeps to find every heap: its address by its id. In other builds nothing.
void note_heap(std::uint32_t id, const Heap *heap);  // nullptr: it has ended

}  // namespace heapglass
