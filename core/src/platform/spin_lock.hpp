// A lock for a few instructions' work, in builds with threads (HG_THREADS=1); an empty class that costs nothing in others.
//
//  lock.K1  word: 0 free, 1 held. acquire and release order memory as a mutex does.
//  lock.K2  A waiter reads until the word is 0 and only then tries to take it, so that waiting writes nothing.
//  lock.K3  A waiter spins. Every kSpins reads it lets others run, where that is known to be allowed:
//        native                       sched_yield
//        wasm, the host allows waits  a timed wait on the word; release need not wake it
//        wasm, otherwise              nothing: it goes on reading
//  lock.K4  In wasm a wait traps on the main thread of a page and in an AudioWorklet, and no instruction asks beforehand. So a thread
//      waits only where Emscripten's thread state (in a placed module: the host) says that it may. Without an answer it spins: Wasm Workers without -pthread,
//      threads of another loader, a thread that has only begun.
//  lock.K5  A holder that tells a failure or a lack of memory waits for the main thread, which writes the line. If that one waits for
//      the lock, it does so while it waits; and where the holder has failed, every waiter traps (failure.T1, failure.T2).
//
// Nothing else on a locked path calls out of the allocator, so a holder that runs releases the lock within microseconds. A
// thread that is destroyed from outside while it holds a lock (Worker.terminate() in the middle of malloc) never does.
#pragma once

#include "base/bits.hpp"
#include "base/build.hpp"

namespace heapglass {

#if HG_THREADS

void wait_for(std::uint32_t *word);  // spin_lock.cpp

class SpinLock {
 public:
  void lock() {
    if (!__atomic_exchange_n(&word_, 1u, __ATOMIC_ACQUIRE)) return;
    lock_slow();
  }
  // False: held during so many reads.
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
  [[gnu::noinline]] void lock_slow() {
    do {
      wait_for(&word_);
    } while (__atomic_exchange_n(&word_, 1u, __ATOMIC_ACQUIRE));
  }
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
