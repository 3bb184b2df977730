// See thread_end.hpp.
#include "threads/thread_end.hpp"

#if HG_THREADS

#include <pthread.h>

#include "platform/threads.hpp"

#if defined(__wasm__)
extern "C" {
__attribute__((weak)) int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
__attribute__((weak)) int pthread_setspecific(pthread_key_t key, const void *value);
// musl's: runs the destructors of a thread's keys. In programs with Wasm Workers only, keys are stubs without it.
__attribute__((weak)) void __pthread_tsd_run_dtors(void);
// Emscripten's: the pthread that runs here, to which pthread_setspecific writes; 0 in a Wasm Worker and an AudioWorklet.
__attribute__((weak)) std::uintptr_t __get_tp(void);
// Emscripten's: every program that can start a Wasm Worker has it. Other programs may have it, too.
__attribute__((weak)) void _emscripten_wasm_worker_initialize(void *stack, int size);
}
#endif

namespace heapglass {

namespace {

SpinLock g_end_key_lock;
pthread_key_t g_end_key;
bool g_end_key_made = false;
void (*g_last[kLastCalls])() = {};

void call_last(void *) {
  for (unsigned place = 0; place < kLastCalls; ++place) {
    void (*last)() = nullptr;
    {
      const Hold hold(g_end_key_lock);
      last = g_last[place];
    }
    if (last != nullptr) last();
  }
}

bool make_end_key(void (*last)()) {
  const Hold hold(g_end_key_lock);
  unsigned place = 0;
  while (place < kLastCalls && g_last[place] != nullptr && g_last[place] != last) ++place;
  if (place == kLastCalls) return false;
  g_last[place] = last;
  if (!g_end_key_made) g_end_key_made = pthread_key_create(&g_end_key, call_last) == 0;
  return g_end_key_made;
}

#if defined(__wasm__)
const void *g_main_thread = nullptr;  // the base of its objects

// Constructors run once, on the main thread. Emscripten's Wasm Workers give that thread another base by a constructor that
// runs before this one.
[[gnu::constructor]] void note_main_thread() { g_main_thread = __builtin_wasm_tls_base(); }

bool keys_have_destructors() { return __pthread_tsd_run_dtors != nullptr; }
bool has_wasm_workers() { return _emscripten_wasm_worker_initialize != nullptr; }
bool is_main_thread() { return g_main_thread != nullptr && g_main_thread == __builtin_wasm_tls_base(); }

bool is_pthread() {
  return pthread_key_create != nullptr && pthread_setspecific != nullptr && __get_tp != nullptr && __get_tp() != 0;
}
#endif

}  // namespace

bool at_thread_end(void (*last)()) {
#if defined(__wasm__)
  if (!keys_have_destructors()) return !has_wasm_workers() || is_main_thread();
  if (!is_pthread()) return false;
#endif
  // Any value but null makes the destructor run; it runs with the value already null again.
  return make_end_key(last) && pthread_setspecific(g_end_key, &g_end_key) == 0;
}

}  // namespace heapglass

#endif
