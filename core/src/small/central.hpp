// The free nodes of a size class that no thread has in its cache.
//
//   batches -> [node -> node -> ... ]   whole batches, batch_size nodes each: threads/central_list.hpp
//                |
//                v
//              [node -> node -> ... ] -> nullptr
//   loose   -> node -> node -> nullptr            fewer than batch_size nodes
//   uncut   -> |........|  of one span            nodes that were never used, side by side, not linked yet
//
//   small.T1  A free node is in exactly one of: a batch, loose, uncut, a thread's cache; or a squeeze is sorting it.
//   small.T2  A batch has exactly batch_size(class) nodes: at most 256, and at most 64 KiB of them, but always one. So a
//             batch moves in O(1) between central list and cache, without being counted.
//   small.T3  loose_count < batch_size, and at most one span has uncut nodes.
//   small.T4  The pool of the class is created at first use; this struct is its owner. The pool, its spans, loose and uncut
//             change only under `lock`. batches has a lock of its own, so batches move while a span is being acquired.
//   small.T5  Order of locks: the class's lock, then the lock of its batches or of the heap. No path takes a class's lock while
//             it holds one of those.
//
// A fetch tries, in this order: a batch, the loose nodes, nodes cut from the span, nodes cut from a new span. Every step is
// O(batch), except that the heap may grow.
#pragma once

#include "platform/spin_lock.hpp"
#include "small/free_link.hpp"
#include "small/span.hpp"
#include "threads/central_list.hpp"

namespace heapglass {

inline constexpr Word kMaxBatch = 256;
inline constexpr Word kMaxBatchBytes = 64 * 1024;

constexpr Word batch_size(unsigned size_class) {
  const Word in_bytes = kMaxBatchBytes / size_of_class(size_class);
  return in_bytes < kMaxBatch ? in_bytes : kMaxBatch;
}
static_assert(batch_size(0) == kMaxBatch && batch_size(kSizeClasses - 1) == 1, "small.T2");

// Nodes linked through their first word.
struct NodeList {
  void *first;
  Word count;
};

using Batches = CentralList<1>;  // a batch's second word links to the next batch (free_link.hpp)

struct alignas(kThreads ? 64 : alignof(void *)) CentralNodes {  // classes do not share a cache line
  Batches batches;
  Pool *pool;  // nullptr: the class was never used
  void *loose;
  Word loose_count;
  char *uncut;
  Word uncut_count;
  [[no_unique_address]] SpinLock lock;
};
static_assert(!kThreads || sizeof(CentralNodes) == 64, "one cache line");

extern CentralNodes g_central[kSizeClasses];

inline unsigned class_of_central(const CentralNodes *central) { return static_cast<unsigned>(central - g_central); }

// Creates the class's pool if there is none. nullptr when out of memory.
Pool *pool_of_class(Heap *heap, unsigned size_class);

// These three take the locks of what they change. In traced builds each records that the acting thread got or gave nodes
// (event.P3).
NodeList fetch_nodes(Heap *heap, unsigned size_class, Word most);  // 1 .. most nodes; count 0 when out of memory
void store_batch(unsigned size_class, void *batch);                // pre: batch_size nodes
void store_loose(unsigned size_class, NodeList nodes);             // any number

// Releases the entirely free spans of the class; returns their bytes. (squeeze.cpp)
Word squeeze_class(Heap *heap, unsigned size_class);

// hg_next_free of every class's pool; the owner is its CentralNodes. Visits their nodes first, then every thread's cache.
// (free_nodes.cpp)
const void *next_free_small_node(const void *owner, hg_free_cursor *cursor);

}  // namespace heapglass
