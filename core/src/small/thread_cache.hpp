// A thread's cache: for each class a list of free nodes and at most one spare batch. Layout: <heapglass/small.h>.
//
//   lists[k].free -> node -> node -> ... -> nullptr      batch_size - room nodes
//   spare[k]      -> [a whole batch], or nullptr
//
//   H1  registered: each list has batch_size(k) - room nodes. Not registered: all zero bits, and in no table.
//   H2  An empty list takes the spare, else fetches a batch; a full list becomes the spare, and the spare before it is
//       stored. So a thread that takes and gives around the edge of a batch does not go to the central list each time:
//       at least batch_size operations lie between two visits, but where fetches give less than a batch.
//   H3  Nodes freed by a thread go to its own cache, whoever took them; what one thread makes and another one frees comes
//       back through the central list, a batch at a time.
//   H4  Registered caches are linked from g_caches, for those who visit everything. A cache that is flushed leaves, so it
//       may go with its thread. Only its own thread changes a cache; the table has a lock.
//
// In builds without threads there is one cache, and played threads take turns in it (play_thread.cpp).
#pragma once

#include "platform/spin_lock.hpp"
#include "small/central.hpp"
#include "trace/ring.hpp"

namespace heapglass {

using ThreadCache = hg_small_cache;

#if HG_TRACE && HG_THREADS
extern __thread ThreadCache t_traced_cache;  // no inline function may know it
inline ThreadCache &thread_cache() { return t_traced_cache; }
#elif HG_TRACE
extern ThreadCache g_traced_cache;
inline ThreadCache &thread_cache() { return g_traced_cache; }
#else
inline ThreadCache &thread_cache() { return HG_SMALL_CACHE; }
#endif

extern ThreadCache *g_caches;

// Some programs of Emscripten allocate in a new thread before it has its thread-local variables: they are then at address
// 0 and not to be used. Such calls go to the central lists.
inline bool has_thread_cache() {
#if HG_THREADS && defined(__wasm__)
  return __builtin_wasm_tls_base() != nullptr;
#else
  return true;
#endif
}

inline void *pop_node(ThreadCache &cache, unsigned size_class) {
  hg_small_list &list = cache.lists[size_class];
  void *const node = list.free;
  if (node == nullptr) return nullptr;
  list.free = link_of(node);
  ++list.room;
  return node;
}

// pre: the list has room
inline void push_node(ThreadCache &cache, unsigned size_class, void *node) {
  hg_small_list &list = cache.lists[size_class];
  set_link(node, list.free);
  list.free = node;
  --list.room;
}

// pre: the list is empty. False when out of memory.
bool refill_list(ThreadCache &cache, Heap *heap, unsigned size_class);
// pre: the list has no room. It has after.
void make_room(ThreadCache &cache, unsigned size_class);

// Everything goes to the central lists, and the cache leaves the table.
void flush_cache(ThreadCache &cache);

void link_cache(ThreadCache &cache);  // into the table, as it is

}  // namespace heapglass
