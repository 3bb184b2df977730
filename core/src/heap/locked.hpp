// The lock that a public function holds while it works on a heap. Empty in builds without threads.
//
//  locked.L1  Without probes: the lock of the heap. Two heaps wait for each other only when they acquire or release pages.
//  locked.L2  With probes: one lock for everything, so that operations do not overlap in the trace; and the event thread_changed
//      when another thread acts than before. The holder may take the lock again: while it prints a failure or a shortage,
//      Emscripten may allocate (failure.T1).
//  locked.L3  Order: locked.L2; then the lock of a size class; then the heap's; then the page source's. No public function calls
//      another.
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
  ~Locked() {}  // so that the compiler does not call the object unused
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;
};

#endif

}  // namespace heapglass
