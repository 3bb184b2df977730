// A thread's cache: for each class a list of free nodes and at most one spare batch. Layout: <heapglass/small.h>.
//
//   lists[k].free -> node -> node -> ... -> nullptr      batch_size - room nodes
//   spare[k]      -> [a whole batch], or nullptr
//
//   small.H1  registered: each list has batch_size(k) - room nodes. Not registered: all zero bits, and not in g_caches.
//   small.H2  An empty list takes the spare batch, otherwise it fetches a batch. A full list becomes the spare batch, and the
//             spare batch before it is stored. So a thread that allocates and frees around the edge of a batch does not use the
//             central list each time: at least batch_size operations lie between two visits, unless fetches return less than
//             a batch.
//   small.H3  A freed node goes to the freeing thread's cache. Nodes that one thread allocates and another thread frees return
//             through the central list, a batch at a time.
//   small.H4  Only its own thread changes a cache. A cache that is flushed leaves g_caches.
//   small.H5  A thread whose end goes unnoticed (threads.E3) has no registered cache. Its lists have neither nodes nor room, so
//             every call takes the slow path, which uses the central lists.
//
// In builds without threads there is one cache, and played threads take turns in it (threads/played_caches.hpp).
#pragma once

#include "small/central.hpp"
#include "threads/cache_registry.hpp"
#include "threads/thread_local.hpp"
#include "trace/ring.hpp"

namespace heapglass {

using SmallCache = hg_small_cache;

#if HG_TRACE
extern HG_PER_THREAD SmallCache t_traced_cache;  // inline functions do not use it
inline SmallCache &thread_cache() { return t_traced_cache; }
#else
inline SmallCache &thread_cache() { return HG_SMALL_CACHE; }
#endif

extern CacheRegistry<SmallCache> g_caches;

inline void *pop_node(SmallCache &cache, unsigned size_class) {
  hg_small_list &list = cache.lists[size_class];
  void *const node = list.free;
  if (node == nullptr) return nullptr;
  list.free = link_of(node);
  ++list.room;
  return node;
}

// pre: the list has room
inline void push_node(SmallCache &cache, unsigned size_class, void *node) {
  hg_small_list &list = cache.lists[size_class];
  set_link(node, list.free);
  list.free = node;
  --list.room;
}

// The calling thread's cache, registered. nullptr: the thread has none (threads.L3, threads.E3), and uses the central lists.
SmallCache *registered_cache();

// pre: the list is empty. False when out of memory.
bool refill_list(SmallCache &cache, Heap *heap, unsigned size_class);
// Makes room in a list.  pre: it has none
void make_room(SmallCache &cache, unsigned size_class);

// Moves everything to the central lists; the cache leaves g_caches.
void flush_cache(SmallCache &cache);

#if !HG_THREADS
// Exchanges the acting thread's cache for the cache of thread `number`. pre: 1 .. kPlayedThreads, not the acting thread
void small_play_thread(std::uint32_t number);
#endif

}  // namespace heapglass
