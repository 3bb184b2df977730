// Several threads' caches in a build without threads, for deterministic tests and stories: one thread plays the others.
//
//   active   -> the cache of the acting thread, where the allocator always looks
//   parked_[1] [2] ... [kPlayedThreads]     the caches of the others by number; the acting thread's place is empty
//
//  threads.P1  A cache moves whole, and the registry follows: at any time it leads to the active cache and to the
//              parked ones that are registered, and to nothing else.
//  threads.P2  A cache that was moved away leaves all zero bits: the cache of a new thread.
#pragma once

#include "platform/threads.hpp"
#include "threads/cache_registry.hpp"

#if !HG_THREADS

namespace heapglass {

template <class Cache>
class PlayedCaches {
 public:
  // Parks the acting thread's cache and makes the cache of thread `number` active. The caller then changes the thread number.
  // pre: 1 <= number <= kPlayedThreads, number != thread_number()
  void play(std::uint32_t number, Cache &active, CacheRegistry<Cache> &registry) {
    move(active, parked_[thread_number()], registry);
    move(parked_[number], active, registry);
  }

 private:
  static void move(Cache &from, Cache &to, CacheRegistry<Cache> &registry) {
    to = from;
    registry.replace(from, to);
    from = Cache{};
  }

  Cache parked_[kPlayedThreads + 1] = {};
};

}  // namespace heapglass

#endif
