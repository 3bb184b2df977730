// Eight threads take turns at a lock. Who holds it looks how far memory reaches as it sees it, then grows memory by a page.
// Prints how often a thread saw less than the holder before it had left:
//
//   plain lock       without the allocator's help: what the engine does
//   after asking     the same turns, after memory_pages()
//   the allocator's  SpinLock, right after lock()
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdio>

#include "platform/memory_view.hpp"
#include "platform/spin_lock.hpp"

namespace {

constexpr int kThreads = 8;
constexpr int kTurns = 1000;

std::uint32_t g_word;
heapglass::SpinLock g_lock;
std::uint32_t g_left;  // pages, under the lock
std::atomic<bool> g_begun;
std::atomic<int> g_plain, g_after_asking, g_allocators;

bool sees_less() { return __builtin_wasm_memory_size(0) < g_left; }

void grow() {
  __builtin_wasm_memory_grow(0, 1);
  heapglass::note_memory_grown();
  g_left = __builtin_wasm_memory_size(0);
}

void *take_turns(void *) {
  while (!g_begun) continue;
  for (int turn = 0; turn < kTurns; ++turn) {
    while (__atomic_exchange_n(&g_word, 1u, __ATOMIC_ACQUIRE)) {
      while (__atomic_load_n(&g_word, __ATOMIC_RELAXED)) continue;
    }
    g_plain += sees_less();
    const heapglass::Word pages = heapglass::memory_pages();
    g_after_asking += pages < g_left || sees_less();
    grow();
    __atomic_store_n(&g_word, 0u, __ATOMIC_RELEASE);
  }
  return nullptr;
}

void *take_turns_at_spin_lock(void *) {
  while (!g_begun) continue;
  for (int turn = 0; turn < kTurns; ++turn) {
    const heapglass::Hold hold(g_lock);
    g_allocators += sees_less();
    grow();
  }
  return nullptr;
}

void run(void *(*work)(void *)) {
  pthread_t threads[kThreads];
  g_begun = false;
  for (pthread_t &thread : threads) pthread_create(&thread, nullptr, work, nullptr);
  g_begun = true;
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}

}  // namespace

int main() {
  run(take_turns);
  run(take_turns_at_spin_lock);
  std::printf("plain %d, after asking %d, the allocator's %d\n", g_plain.load(), g_after_asking.load(), g_allocators.load());
}
