// The central lists, through which threads hand chunks to each other, and when chunks go back from them to the heap.
//
//   a full cache ──> lists ──a share was carved──> old lists ──another share was carved──> the heap, joined with neighbours
//                      │                              │
//   an empty list <────┴──────────────────────────────┘  a batch
//
//  malloc.T10  The central lists age as the cache of a single thread does (malloc.L2): each time a share of the heap was carved, what
//             is on the old lists goes back to the heap, and the others become old. So what no thread requests any more does not
//             stay for ever in a linear memory that need not grow.
//  malloc.T11  Only who holds the heap's lock puts anything on an old list. Any thread may take from it.
//  malloc.T12  A batch is taken from a central list in O(1) under the list's lock, which may be taken under the heap's, never the
//             reverse. A thread whose list is empty takes one batch: a cache that takes all there is would be full again as soon as
//             the thread has asked for each class.
#pragma once

#include "heap/heap.hpp"
#include "malloc/size_classes.hpp"

namespace heapglass::central {

inline constexpr std::intptr_t kCacheBytes = 256 * 1024;
inline constexpr Word kThreadShare = 16;
inline constexpr Word kBatchBytes = 2048;

// Cuts a chain of chunks of the class into batches, and keeps them.
void store(unsigned size_class, void *chain);
// A batch, linked like a cache's list; nullptr: there is none. Under no lock.
void *fetch(unsigned size_class, const Heap &heap);
Word bytes_of_batch(void *first);  // of one that fetch gave
// So many bytes are about to be carved.  pre: the heap's lock is held
bool before_carving(Heap &heap, Word bytes);  // whether the lists aged
// Whether enough was carved since the last flush to make another one worth its time.  pre: the heap's lock is held
bool is_worth_a_flush(const Heap &heap);
// Everything becomes free; the bytes.  pre: the heap's lock is held, and the flush is an operation of the caller
Word flush(Heap &heap);
// What each thread's cache may hold: kCacheBytes, or a share of a large heap as it was when it grew last (malloc.T5).
std::intptr_t budget();
void set_budget(const Heap &heap);  // pre: the heap's lock is held
Word bytes();  // what other threads do meanwhile may be counted or not

}  // namespace heapglass::central
