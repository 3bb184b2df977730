// The small front: what the C interface calls, from top to bottom.
//
//   allocate   class of the size -> this thread's list (thread_cache.hpp) -> its spare batch -> central list
//              (central.hpp) -> nodes cut from a span (span.hpp) -> a new span from the default heap
//   deallocate large or node by the address alone -> the span's class -> this thread's list -> ... -> central list
//   squeeze    wholly free spans back to the heap (squeeze.cpp)
//
//   small.M1  Nothing is locked on the fast path, which touches the thread's list, the node and (when the class is not
//             known at compile time) the span's header. What moves batches and spans takes class locks and the heap's.
//   small.M2  In builds with probes the caller holds the lock that keeps the trace one story (abi/locked.hpp), and
//             every node taken or given is an event; so nothing is inlined into programs.
//   small.M3  What is larger than HG_SMALL_MAX is a chunk of the default heap at a multiple of 64 KiB.
#pragma once

#include "heap/heap.hpp"
#include "small/thread_cache.hpp"

namespace heapglass {

// The whole operation, with its events; large sizes too. nullptr when out of memory.
void *small_allocate(Heap *heap, Word size);
void small_deallocate(Heap *heap, void *mem);  // nullptr: nothing
// The same for a known class.
void *allocate_node_of(Heap *heap, unsigned size_class, Word size);
void deallocate_node_of(Heap *heap, unsigned size_class, void *mem);

Word small_usable_size(const void *mem);
Word small_squeeze(Heap *heap);
void small_flush(Heap *heap);
void small_get_stats(hg_small_stats *stats);

}  // namespace heapglass
