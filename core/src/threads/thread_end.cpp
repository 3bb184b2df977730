// See thread_end.hpp.
#include "threads/thread_end.hpp"

#if HG_THREADS

#include <pthread.h>

#if defined(__wasm__)
extern "C" {
__attribute__((weak)) int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
__attribute__((weak)) int pthread_setspecific(pthread_key_t key, const void *value);
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

}  // namespace

bool at_thread_end(void (*last)()) {
#if defined(__wasm__)
  if (pthread_key_create == nullptr || pthread_setspecific == nullptr) return false;
#endif
  // Any value but null makes the destructor run; it runs with the value already null again.
  return make_end_key(last) && pthread_setspecific(g_end_key, &g_end_key) == 0;
}

}  // namespace heapglass

#endif
