// The small front: the functions that the C interface calls, and their way down.
//
//   allocate   class of the size -> this thread's list (thread_cache.hpp) -> its spare batch -> central list
//              (central.hpp) -> nodes cut from a span (span.hpp) -> a new span from the default heap
//   deallocate large or node by the address alone -> the span's class -> this thread's list -> ... -> central list
//   squeeze    releases entirely free spans to the heap (squeeze.cpp)
//
//   small.M1  The fast path takes no lock. It touches the thread's list, the node and (when the class is not known at compile
//             time) the span's header. Code that moves batches and spans takes the locks of the class and of the heap.
//   small.M2  In builds with probes the caller holds the trace's lock (heap/locked.hpp), and every node taken or returned is an
//             event; so nothing is inlined into programs.
//   small.M3  A block larger than HG_SMALL_MAX is a chunk of the default heap at a multiple of 64 KiB.
#pragma once

#include "heap/heap.hpp"
#include "small/thread_cache.hpp"

namespace heapglass {

// The whole operation with its events, for large sizes, too. nullptr when out of memory.
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
