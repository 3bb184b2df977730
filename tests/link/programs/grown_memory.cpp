// Eight threads take turns at a lock. Who holds it looks how far memory reaches as it sees it, then grows memory by a page.
// Prints how often a thread saw less than the holder before it had left:
//
//   plain lock       without the allocator's help: what the engine does
//   after asking     the same turns, after memory_pages()
//   the allocator's  SpinLock, right after lock()
//
// and of how many turns a map of slabs in the page that the holder before had grown said something else than what it had written there.
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdio>

#include "platform/memory_view.hpp"
#include "platform/spin_lock.hpp"
#include "slab/slab_map.hpp"

namespace heapglass {

struct SlabsInspector {
  // The map lies at `at`, has so many entries, and says of `mem` that a slab of this class is there.
  static void lay(SlabMap &map, void *at, Word length, const void *mem, unsigned slab_class) {
    auto *const entries = at_offset<SlabMap::Entry>(at, SlabMap::kFront);
    *static_cast<Word *>(at) = length;
    entries[address_of(mem) / kSlabStep] = static_cast<SlabMap::Entry>(slab_class * kMaxSteps);
    __atomic_store_n(&map.entries_, entries, __ATOMIC_RELEASE);
  }
};

}  // namespace heapglass

namespace {

constexpr int kThreads = 8;
constexpr int kTurns = 1000;

std::uint32_t g_word;
heapglass::SpinLock g_lock;
std::uint32_t g_left;  // pages, under the lock
std::atomic<bool> g_begun;
std::atomic<int> g_plain, g_after_asking, g_allocators, g_map_failed;
heapglass::SlabMap g_map;  // of a heap that begins at 0

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

// free() asks the map without a lock, so the thread's view may be old.
void *take_turns_with_map(void *) {
  constexpr unsigned kClass = 5;
  constexpr heapglass::Word kEntries = 16'384;
  while (!g_begun) continue;
  for (int turn = 0; turn < kTurns; ++turn) {
    while (__atomic_exchange_n(&g_word, 1u, __ATOMIC_ACQUIRE)) {
      while (__atomic_load_n(&g_word, __ATOMIC_RELAXED)) continue;
    }
    if (g_map.class_at(&g_word) != (g_left == 0 ? 0 : kClass)) ++g_map_failed;
    grow();
    void *const page = reinterpret_cast<void *>((g_left - 1) * std::uintptr_t{65'536});
    heapglass::SlabsInspector::lay(g_map, page, kEntries, &g_word, kClass);
    __atomic_store_n(&g_word, 0u, __ATOMIC_RELEASE);
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
  g_left = 0;
  run(take_turns_with_map);
  std::printf("plain %d, after asking %d, the allocator's %d, map %d\n", g_plain.load(), g_after_asking.load(), g_allocators.load(), g_map_failed.load());
}
