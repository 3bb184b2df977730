// The malloc front, told from top to bottom. All of it works on the default heap.
//
//   allocate    quick list of the request (cache.hpp) -> [threads: the central list] -> the list of one unit more ->
//               the heap (its bins, victim, top) -> every list emptied into the heap -> linear memory grows
//   deallocate  quick list of the chunk's size, or joined (C5) -> [threads: over the bound, everything to the central lists]
//   reallocate  in place by the heap; else moved to where it can grow on (resize.cpp)
//
//  F1  The lists are emptied before linear memory grows, so that they cost no memory that the heap could have used: what is
//      joined again may serve. Chunk by chunk while they are few; else by one walk over the heap, which meets neighbours side by
//      side in memory and joins each run at once. Each chunk is emptied at most once after it was freed: amortised O(1) a call.
//  F2  Memory that is there already (in wasm: what the program starts with, what the engine's growth step left over) is used
//      before the lists are emptied.
//  F3  Nothing is locked on the fast paths, nor for what the cache can do. What touches the heap is called with its lock held
//      (abi/locked.hpp), in builds with threads.
//  F4  Builds with probes have no fast paths: the twins in told.cpp do the same and write what happened.
#pragma once

#include "front/cache.hpp"
#include "heap/heap.hpp"

namespace heapglass {

// Makes the default heap ask the front before it grows and when it is walked. Does nothing when that is so.
void attach_front(Heap &heap);

// A chunk from the heap when the lists have none. pre: request is rounded
void *take_from_heap(Heap &heap, Word request);

// In place, else moved. pre: mem is not nullptr, request is not 0
void *front_reallocate(Heap &heap, void *mem, Word request);

// Everything in the calling thread's cache, and on the central lists, goes to the heap. Whether there was any. (flush.cpp)
bool flush_front(Heap &heap);
Word flush_front_counted(Heap &heap);  // the bytes of their chunks
Word flushes_so_far();

// A chunk that waits on `list`, and that no list leads to any more, becomes free.
void release_waiting(Heap &heap, void *mem, unsigned list);
// Large chunks that wait become free: before the heap is extended, and when they are of no use for a large request. Whether
// there were any.
bool release_large(Heap &heap);
// Rooms behind grown blocks become free (resize.cpp). Whether there were any.
bool release_rooms(Heap &heap);
Word room_bytes();
inline Word waiting_bytes() { return cached_bytes() + room_bytes(); }

// With their events; in builds without probes the same without.
void *allocate_told(Heap &heap, Word request);
void deallocate_told(Heap &heap, void *mem);  // pre: not nullptr

#if !HG_THREADS
void front_share_caches(Heap &heap);            // threads are played from now on
void front_play_thread(std::uint32_t number);  // its cache for the acting one's. pre: 1 .. kPlayedThreads, not the acting one
#endif

}  // namespace heapglass
