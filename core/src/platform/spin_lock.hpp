// A lock that is held for a few instructions, in builds with threads (HG_THREADS=1). In other builds the class is empty.
//
//  lock.K1  word: 0 free, 1 held. acquire and release order memory as a mutex does.
//  lock.K2  A waiter reads until the word is 0 and only then tries to take it, so waiting writes nothing.
//  lock.K3  A waiter spins. After every kSpins reads it lets other threads run, where it knows that it may:
//        native                       sched_yield
//        wasm, the host allows waits  a timed wait on the word; release need not wake it
//        wasm, otherwise              nothing: it keeps reading
//  lock.K4  In wasm a wait traps on the main thread of a page and in an AudioWorklet, and no instruction can ask beforehand. So a
//      thread waits only when Emscripten's thread state (in a placed module: the host) allows it. Where that is unknown it
//      spins: in Wasm Workers without -pthread, in threads of another loader, and in a thread that has only begun.
//  lock.K5  A holder that prints a failure or a shortage waits for the main thread, which writes the line. If the main thread waits
//      for this lock, it writes the line meanwhile. When the holder has failed, every waiter traps (failure.T1, failure.T2).
//  lock.K6  Who takes the lock sees all memory that the holders before it grew (memory.V3).
//  lock.K7  The instruction that waits stands in a function that does nothing else and that no optimizer can inline. Inlined into
//      malloc's own functions it breaks programs in Node 20 (V8 11.3): with V8's baseline compiler 22 of 22 runs of the workload
//      `large` on two threads died or hung, with its optimizing compiler none of 12 (tests/link/lock_waits.test.ts). A placed
//      module has no table to call it by: there it may be inlined into the loop of wait_for, which has shown no fault.
//
// No other code under a lock leaves the allocator, so a running holder releases the lock within microseconds. A thread that is
// destroyed from outside while it holds a lock (Worker.terminate() in the middle of malloc) never releases it.
#pragma once

#include "base/bits.hpp"
#include "base/build.hpp"
#include "platform/memory_view.hpp"

namespace heapglass {

#if HG_THREADS

class SpinLock {
 public:
  void lock() {
    if (__atomic_exchange_n(&word_, 1u, __ATOMIC_ACQUIRE)) lock_slow();
    see_grown_memory();
  }
  // Returns false when the lock was held during all `reads`.
  bool try_lock_for(unsigned reads) {
    while (__atomic_exchange_n(&word_, 1u, __ATOMIC_ACQUIRE)) {
      while (__atomic_load_n(&word_, __ATOMIC_RELAXED)) {
        if (reads-- == 0) return false;
      }
    }
    return true;
  }
  void unlock() { __atomic_store_n(&word_, 0u, __ATOMIC_RELEASE); }

 private:
  [[gnu::noinline]] void lock_slow();
  std::uint32_t word_ = 0;
};

#else

class SpinLock {
 public:
  void lock() {}
  void unlock() {}
};

#endif

// Holds a lock for a scope.
class Hold {
 public:
  explicit Hold(SpinLock &lock) : lock_(lock) { lock_.lock(); }
  ~Hold() { lock_.unlock(); }
  Hold(const Hold &) = delete;
  Hold &operator=(const Hold &) = delete;

 private:
  SpinLock &lock_;
};

}  // namespace heapglass
