// The central list of a size class: the free nodes that no thread has in its cache. One lock each.
//
//   batches -> [node -> node -> ... ]   whole batches, batch_size nodes each
//                |
//                v
//              [node -> node -> ... ] -> nullptr
//   loose   -> node -> node -> nullptr            fewer than batch_size nodes
//   uncut   -> |........|  of one span            nodes never handed out, side by side, not linked yet
//
//   T1  A free node is in exactly one of: a batch, loose, uncut, a thread's cache.
//   T2  A batch has exactly batch_size(class) nodes: at most 256, and at most 64 KiB of them but always one. So a batch
//       moves in O(1) between central list and cache and nobody counts it.
//   T3  loose_count < batch_size, and at most one span has uncut nodes.
//   T4  The pool of the class is made at first use; its owner is this list. Its spans change only under `lock`.
//   T5  Order of locks: that of a class, then the heap's. No path takes a class's lock while it holds the heap's.
//
// fetch gives, in this order: a batch, what is loose, nodes cut from the span, nodes cut from a new span. Every step is
// O(batch) but for the heap's own growth.
#pragma once

#include "platform/spin_lock.hpp"
#include "small/free_link.hpp"
#include "small/span.hpp"

namespace heapglass {

inline constexpr Word kMaxBatch = 256;
inline constexpr Word kMaxBatchBytes = 64 * 1024;

constexpr Word batch_size(unsigned size_class) {
  const Word in_bytes = kMaxBatchBytes / size_of_class(size_class);
  return in_bytes < kMaxBatch ? in_bytes : kMaxBatch;
}
static_assert(batch_size(0) == kMaxBatch && batch_size(kSizeClasses - 1) == 1, "T2");

// Nodes linked through their first word.
struct NodeList {
  void *first;
  Word count;
};

struct alignas(kThreads ? 64 : alignof(void *)) CentralList {  // classes do not share a cache line
  SpinLock lock;
  Pool *pool;  // nullptr: the class was never used
  void *batches;
  void *loose;
  Word loose_count;
  char *uncut;
  Word uncut_count;
};

extern CentralList g_central[kSizeClasses];

inline unsigned class_of_central(const CentralList *central) { return static_cast<unsigned>(central - g_central); }

// Makes the class's pool if there is none. nullptr when out of memory.
Pool *pool_of_class(Heap *heap, unsigned size_class);

// All of these take the lock, and tell the trace that nodes changed hands with the acting thread (event.h, P3).
NodeList fetch_batch(Heap *heap, unsigned size_class);  // 1 .. batch_size nodes; count 0 when out of memory
void *fetch_node(Heap *heap, unsigned size_class);      // one; nullptr when out of memory
void store_batch(unsigned size_class, void *batch);     // pre: batch_size nodes
void store_loose(unsigned size_class, NodeList nodes);  // any number

// Gives the wholly free spans of the class back. Bytes given. (squeeze.cpp)
Word squeeze_class(Heap *heap, unsigned size_class);

// hg_next_free of every class's pool: owner is its CentralList. Central list first, then every thread's cache. (free_nodes.cpp)
const void *next_free_small_node(const void *owner, hg_free_cursor *cursor);

}  // namespace heapglass
