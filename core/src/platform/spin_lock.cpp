// Waiting for a spin lock: rules lock.K3 and lock.K4 of spin_lock.hpp.
#include "platform/spin_lock.hpp"

#if HG_THREADS

#if HG_PLACED
// A module that the host places asks the host, which made the thread.
extern "C" __attribute__((import_module("heapglass"), import_name("may_wait"))) int hg_host_may_wait(void);
#elif defined(__wasm__)
// Emscripten's (system/lib/pthread/emscripten_thread_state.S): what its own futex asks before it waits. Each thread's
// JavaScript sets it: 0 on a page's main thread and in an AudioWorklet. Not linked, and so null, without -pthread.
extern "C" __attribute__((weak)) int _emscripten_thread_supports_atomics_wait(void);
#else
#include <sched.h>
#endif

namespace heapglass {

namespace {
constexpr unsigned kSpins = 256;

#if HG_PLACED
bool may_wait() { return hg_host_may_wait() != 0; }
#elif defined(__wasm__)
bool may_wait() {
  return _emscripten_thread_supports_atomics_wait != nullptr && _emscripten_thread_supports_atomics_wait() != 0;
}
#endif

void let_others_run(std::uint32_t *word) {
#if defined(__wasm__)
  constexpr long long kNanoseconds = 50'000;
  if (!may_wait()) return;
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int *>(word), 1, kNanoseconds);
#else
  static_cast<void>(word);
  sched_yield();
#endif
}
}  // namespace

void wait_for(std::uint32_t *word) {
  for (unsigned spins = 0; __atomic_load_n(word, __ATOMIC_RELAXED) != 0; ++spins) {
    if (spins % kSpins == kSpins - 1) let_others_run(word);
  }
}

}  // namespace heapglass

#endif
