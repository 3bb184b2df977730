// Waiting for a spin lock: lock.K3, K4, K5 and K7 of spin_lock.hpp.
#include "platform/spin_lock.hpp"

#if HG_THREADS

#include "base/failure.hpp"

#if HG_PLACED
// A placed module asks its host, which created the thread.
extern "C" __attribute__((import_module("heapglass"), import_name("may_wait"))) int hg_host_may_wait(void);
#elif defined(__wasm__)
// Emscripten's own futex asks this function before it waits (system/lib/pthread/emscripten_thread_state.S). Each thread's
// JavaScript sets the answer: 0 on a page's main thread and in an AudioWorklet. Without -pthread it is not linked, hence null.
extern "C" __attribute__((weak)) int _emscripten_thread_supports_atomics_wait(void);
// Runs the calls that other threads queued for the main thread, as Emscripten's own mutexes do. Null without -pthread, too.
extern "C" __attribute__((weak)) int emscripten_is_main_runtime_thread(void);
extern "C" __attribute__((weak)) void emscripten_main_thread_process_queued_calls(void);
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

// lock.K5
void serve_who_reports() {
#if defined(__wasm__) && !HG_PLACED
  if constexpr (kTraced || kHardened) {
    const bool main = emscripten_is_main_runtime_thread != nullptr && emscripten_is_main_runtime_thread() != 0;
    if (main && emscripten_main_thread_process_queued_calls != nullptr &&
        __atomic_load_n(&g_reporting, __ATOMIC_RELAXED) != 0) {
      emscripten_main_thread_process_queued_calls();
    }
    if (__atomic_load_n(&g_has_failed, __ATOMIC_RELAXED) != 0) __builtin_trap();
  }
#endif
}

#if defined(__wasm__)
void wait_shortly(std::uint32_t *word) {
  constexpr long long kNanoseconds = 50'000;
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int *>(word), 1, kNanoseconds);
}
#if HG_PLACED
[[gnu::noinline]] void call_wait(std::uint32_t *word) { wait_shortly(word); }  // position independent: no table
#else
void (*volatile g_wait_shortly)(std::uint32_t *word) = wait_shortly;  // lock.K7
void call_wait(std::uint32_t *word) { g_wait_shortly(word); }
#endif
#endif

void let_others_run(std::uint32_t *word) {
#if defined(__wasm__)
  if (may_wait()) call_wait(word);
#else
  static_cast<void>(word);
  sched_yield();
#endif
}

void wait_for(std::uint32_t *word) {
  for (unsigned spins = 0; __atomic_load_n(word, __ATOMIC_RELAXED) != 0; ++spins) {
    if (spins % kSpins != kSpins - 1) continue;
    if (is_failing()) return;
    serve_who_reports();
    let_others_run(word);
  }
}
}  // namespace

void SpinLock::lock_slow() {
  do {
    wait_for(&word_);
    if (is_failing()) return;
  } while (__atomic_exchange_n(&word_, 1u, __ATOMIC_ACQUIRE));
}

}  // namespace heapglass

#endif
