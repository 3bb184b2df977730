// See thread_cache.hpp.
#include "small/thread_cache.hpp"

#include "platform/threads.hpp"
#include "threads/played_caches.hpp"
#include "threads/thread_end.hpp"

#if HG_TRACE
HG_PER_THREAD heapglass::SmallCache heapglass::t_traced_cache;
#else
HG_PER_THREAD hg_small_cache HG_SMALL_CACHE;
#endif

namespace heapglass {

constinit CacheRegistry<SmallCache> g_caches;

namespace {

bool register_cache(SmallCache &cache) {
  if (!at_thread_end(hg_small_flush)) return false;  // the public function, which takes the locks
  for (unsigned k = 0; k < kSizeClasses; ++k) cache.lists[k].room = batch_size(k);
  cache.thread = thread_number();
  cache.registered = 1;
  g_caches.add(cache);
  return true;
}

}  // namespace

SmallCache *registered_cache() {
  if (!has_thread_locals()) return nullptr;
  SmallCache &cache = thread_cache();
  return cache.registered != 0 || register_cache(cache) ? &cache : nullptr;
}

bool refill_list(SmallCache &cache, Heap *heap, unsigned size_class) {
  hg_small_list &list = cache.lists[size_class];
  if (cache.spare[size_class] != nullptr) {
    list.free = cache.spare[size_class];
    list.room = 0;
    cache.spare[size_class] = nullptr;
    return true;
  }
  const NodeList nodes = fetch_nodes(heap, size_class, batch_size(size_class));
  list.free = nodes.first;
  list.room = batch_size(size_class) - nodes.count;
  return nodes.count != 0;
}

void make_room(SmallCache &cache, unsigned size_class) {
  if (cache.spare[size_class] != nullptr) store_batch(size_class, cache.spare[size_class]);
  cache.spare[size_class] = cache.lists[size_class].free;
  cache.lists[size_class] = {nullptr, batch_size(size_class)};
}

void flush_cache(SmallCache &cache) {
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
  g_caches.remove(cache);
  cache = SmallCache{};
}

#if !HG_THREADS
void small_play_thread(std::uint32_t number) {
  static constinit PlayedCaches<SmallCache> played;
  played.play(number, thread_cache(), g_caches);
}
#endif

}  // namespace heapglass
