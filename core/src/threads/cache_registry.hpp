// The registered caches of all threads, for visitors: statistics, walks, checks.
//
//   first_ -> | cache of thread 3 | -> | cache of thread 1 | -> nullptr       through Cache::next, the newest first
//
//  threads.R1  A cache is in the registry from add to remove. Its thread calls both, remove before it ends: a cache may
//              go with its thread.
//  threads.R2  first_ and each `next` change and are read under lock_, also in the caches of other threads. Only its thread
//              uses the rest of a cache.
//  threads.R3  add is O(1); remove and replace are O(caches).
//
// A registry of all zero bits is empty.
#pragma once

#include "platform/spin_lock.hpp"

namespace heapglass {

// Cache has a member `Cache *next`.
template <class Cache>
class CacheRegistry {
 public:
  void add(Cache &cache) {
    const Hold hold(lock_);
    cache.next = first_;
    first_ = &cache;
  }
  void remove(Cache &cache) {
    const Hold hold(lock_);
    Cache **const link = link_to(cache);
    if (*link != nullptr) *link = cache.next;
  }
  // `to` is a copy of `from` and takes its place. Nothing when `from` is not registered.
  void replace(Cache &from, Cache &to) {
    const Hold hold(lock_);
    Cache **const link = link_to(from);
    if (*link != nullptr) *link = &to;
  }
  // pre: `visit` takes no lock that is held around a call of this registry
  template <class Visit>
  void for_each(Visit visit) {
    const Hold hold(lock_);
    for (Cache *cache = first_; cache != nullptr; cache = cache->next) visit(*cache);
  }
  // For a visit in steps. pre: other threads are at rest
  Cache *first() const { return first_; }

 private:
  // The pointer that leads to the cache, or the one at the end. pre: lock_ is held
  Cache **link_to(Cache &cache) {
    Cache **link = &first_;
    while (*link != nullptr && *link != &cache) link = &(*link)->next;
    return link;
  }

  Cache *first_ = nullptr;
  [[no_unique_address]] SpinLock lock_;
};

}  // namespace heapglass
