// Snapshots: the state of every heap as events, from a walk (event.P6). With one, a trace continues behind lost events or begins
// late.
//
//   snapshot_begun | snapshot_heap, its walk records | snapshot_heap, its walk records | ... | snapshot_ended
//
// The walk runs twice for each heap, because snapshot_heap contains the number of records that follow. Nothing is allocated. No
// record is lost: the ring is drained when it is full, in drop mode, too. O(chunks + nodes).
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

// pre: no operation is running; with threads, the caller holds the trace's lock
void write_snapshot();

// Traced builds store the address of every heap by its id. Other builds do nothing.
void note_heap(std::uint32_t id, const Heap *heap);  // nullptr: it has ended
bool is_noted(const Heap *heap);  // it was made and has not ended; reads nothing of it

}  // namespace heapglass
