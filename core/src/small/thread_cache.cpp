// See thread_cache.hpp.
#include "small/thread_cache.hpp"

#include "platform/thread_exit.hpp"
#include "platform/threads.hpp"

#if HG_TRACE && HG_THREADS
__thread heapglass::ThreadCache heapglass::t_traced_cache;
#elif HG_TRACE
heapglass::ThreadCache heapglass::g_traced_cache;
#elif HG_THREADS
__thread hg_small_cache hg_small_thread_cache;
#else
hg_small_cache hg_small_only_cache;
#endif

namespace heapglass {

ThreadCache *g_caches = nullptr;

namespace {

SpinLock g_caches_lock;

void register_cache(ThreadCache &cache) {
  for (unsigned k = 0; k < kSizeClasses; ++k) cache.lists[k].room = batch_size(k);
  cache.thread = thread_number();
  cache.registered = 1;
  link_cache(cache);
#if HG_THREADS
  at_thread_end(hg_small_flush);  // the public one, which holds what a public function holds
#endif
}

void unlink_cache(ThreadCache &cache) {
  const Hold hold(g_caches_lock);
  ThreadCache **link = &g_caches;
  while (*link != &cache) link = &(*link)->next;
  *link = cache.next;
}

}  // namespace

void link_cache(ThreadCache &cache) {
  const Hold hold(g_caches_lock);
  cache.next = g_caches;
  g_caches = &cache;
}

bool refill_list(ThreadCache &cache, Heap *heap, unsigned size_class) {
  if (cache.registered == 0) register_cache(cache);
  hg_small_list &list = cache.lists[size_class];
  if (cache.spare[size_class] != nullptr) {
    list.free = cache.spare[size_class];
    list.room = 0;
    cache.spare[size_class] = nullptr;
    return true;
  }
  const NodeList nodes = fetch_batch(heap, size_class);
  list.free = nodes.first;
  list.room = batch_size(size_class) - nodes.count;
  return nodes.count != 0;
}

void make_room(ThreadCache &cache, unsigned size_class) {
  if (cache.registered == 0) {
    register_cache(cache);
    return;
  }
  if (cache.spare[size_class] != nullptr) store_batch(size_class, cache.spare[size_class]);
  cache.spare[size_class] = cache.lists[size_class].free;
  cache.lists[size_class] = {nullptr, batch_size(size_class)};
}

void flush_cache(ThreadCache &cache) {
  if (cache.registered == 0) return;
  for (unsigned k = 0; k < kSizeClasses; ++k) {
    hg_small_list &list = cache.lists[k];
    if (cache.spare[k] != nullptr) store_batch(k, cache.spare[k]);
    if (list.free != nullptr && list.room == 0) {
      store_batch(k, list.free);
    } else if (list.free != nullptr) {
      store_loose(k, {list.free, batch_size(k) - list.room});
    }
  }
  unlink_cache(cache);
  cache = ThreadCache{};
}

}  // namespace heapglass
