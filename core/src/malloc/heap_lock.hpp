// The heap's lock, as malloc takes it (malloc.M2).
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

// Nothing in builds without threads, and in builds with probes, whose callers hold a lock for everything (malloc.M3).
class HeapLock {
 public:
  explicit HeapLock(const Heap &heap) : heap_(heap) {
    if constexpr (kThreads && !kTraced) heap_.lock().lock();
  }
  ~HeapLock() {
    if constexpr (kThreads && !kTraced) heap_.lock().unlock();
  }
  HeapLock(const HeapLock &) = delete;
  HeapLock &operator=(const HeapLock &) = delete;

 private:
  const Heap &heap_;
};

}  // namespace heapglass
