// The number of the calling thread: 1, 2, ... in the order of first calls, never used twice. Always 1 in builds without
// threads, except that deterministic tests and stories play other numbers.
//
//   __tls_base of thread 1 -> | t_number | ... |      wasm: an object's address is the thread's base plus a constant
//   __tls_base 0                                      the thread has no objects yet: a write would go to address 0 + constant
//
//  platform.T1  A thread without objects of its own gets a new number at each call, and nothing is written.
//  platform.T2  A number identifies the acting thread and nothing else. It does not say what the thread may do: any thread can be
//               the first caller of malloc.
#pragma once

#include "base/bits.hpp"
#include "platform/spin_lock.hpp"

namespace heapglass {

// Whether the calling thread has thread-local objects. Some Emscripten threads allocate before they do.
[[gnu::always_inline]] inline bool has_thread_locals() {
#if HG_THREADS && defined(__wasm__)
  return __builtin_wasm_tls_base() != nullptr;
#else
  return true;
#endif
}

#if HG_THREADS
std::uint32_t thread_number();

// A lock that its holder may take again, without effect: printing while it is held may call malloc.
//
//  platform.T3  holder_ is the address of the holder's own objects while the lock is held, otherwise nullptr. A thread without
//               objects of its own is no holder, and may not take the lock again.
class LockOfThread {
 public:
  // Returns false when the thread holds the lock already. It must not unlock it for this call.
  bool lock() {
    const void *const thread = objects_of_thread();
    if (thread != nullptr && __atomic_load_n(&holder_, __ATOMIC_RELAXED) == thread) return false;
    lock_.lock();
    __atomic_store_n(&holder_, thread, __ATOMIC_RELAXED);
    return true;
  }
  bool try_lock_for(unsigned reads) { return lock_.try_lock_for(reads); }  // pre: the thread does not hold it, and calls nothing under it
  void unlock() {
    __atomic_store_n(&holder_, nullptr, __ATOMIC_RELAXED);
    lock_.unlock();
  }

 private:
  static const void *objects_of_thread() {
#if defined(__wasm__)
    return __builtin_wasm_tls_base();
#else
    return __builtin_thread_pointer();
#endif
  }
  SpinLock lock_;
  const void *holder_ = nullptr;
};
#else
extern std::uint32_t g_played_thread;

inline constexpr std::uint32_t kPlayedThreads = 16;  // numbers from 1
inline std::uint32_t thread_number() { return g_played_thread; }
inline void play_thread_number(std::uint32_t number) { g_played_thread = number; }
#endif

}  // namespace heapglass
