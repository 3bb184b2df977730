// What a public function holds while it works on a heap. Nothing in builds without threads.
//
//  locked.L1  Release: the lock of the heap. Two heaps never wait for each other, but for pages (platform/page_source).
//  locked.L2  With probes: one lock for everything, and thread_changed when another thread acts on a heap than last; so that the trace is
//      one story in which operations do not overlap. Its holder may take it again: while a failure or a lack of memory is told,
//      Emscripten may ask for a block to tell it with (failure.T1).
//  locked.L3  Order: locked.L2; then the lock of a size class; then the heap's; then the page source's. No public function calls another.
#pragma once

#include "heap/heap.hpp"
#include "trace/acting_thread.hpp"

namespace heapglass {

#if HG_THREADS && HG_TRACE

class Locked {
 public:
  explicit Locked(const Heap *heap) : mine_(trace::g_everything.lock()) {
    if (heap != nullptr) trace::note_thread(heap->id());
  }
  ~Locked() {
    if (mine_) trace::g_everything.unlock();
  }
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;

 private:
  const bool mine_;
};

#elif HG_THREADS

class Locked {
 public:
  explicit Locked(const Heap *heap) : heap_(heap) {
    if (heap_ != nullptr) heap_->lock().lock();
  }
  ~Locked() {
    if (heap_ != nullptr) heap_->lock().unlock();
  }
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;

 private:
  const Heap *const heap_;
};

#else

class Locked {
 public:
  explicit Locked(const Heap *) {}
  ~Locked() {}  // so that an object for its scope alone is not "unused"
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;
};

#endif

}  // namespace heapglass
