// DE1 (the document's table): each thread allocates and frees blocks of 128 bytes, a pair at a time, as fast as it can; 1, 2,
// 4 and 8 threads at the same time.
//
//   small (thread caches)  hg_small_allocate and hg_small_deallocate
//   small, inlined         the same with the class known at compile time: <heapglass/small.hpp>
//   locked heap            one hg_heap, which every thread locks
//   locked pool            one segregated hg_pool of one heap: what the document calls fast_pool_allocator
//   malloc                 the C library's; in wasm the one without threads, under a lock here
//
// The clock runs from the moment when the last thread is there to the moment when the last one is done; pair_ns is that
// time for one pair of one thread. A block's first and last byte are written and read in every way alike.
//
// Without threads (modules that trace) the host runs one thread's part after another; each plays its thread.
#include <heapglass/small.hpp>

#include <cstdlib>

#include "experiments/experiment.h"
#include "experiments/program.hpp"

#if defined(HG_THREADS) && HG_THREADS && !defined(__wasm__)
#include <sched.h>
#endif

namespace experiments {
namespace {

constexpr uint32_t kBytes = 128;
constexpr uint32_t kPairs = 1'000'000;

enum Way : uint32_t { kSmall, kInlined, kLockedHeap, kLockedPool, kMalloc, kWays };
constexpr const char *kNames[kWays] = {"small (thread caches)", "small, inlined", "locked heap", "locked pool", "malloc"};
constexpr uint32_t kThreads[] = {1, 2, 4, 8};
constexpr uint32_t kThreadRows = sizeof kThreads / sizeof kThreads[0];

#define HG_DE1_ROWS(way)                                                                                         \
  {kNames[way], kPairs, kBytes, kThreads[0]}, {kNames[way], kPairs, kBytes, kThreads[1]},                       \
      {kNames[way], kPairs, kBytes, kThreads[2]}, { kNames[way], kPairs, kBytes, kThreads[3] }
constexpr Row kDe1Rows[] = {HG_DE1_ROWS(kSmall), HG_DE1_ROWS(kInlined), HG_DE1_ROWS(kLockedHeap),
                            HG_DE1_ROWS(kLockedPool), HG_DE1_ROWS(kMalloc)};
#undef HG_DE1_ROWS
static_assert(sizeof kDe1Rows / sizeof kDe1Rows[0] == kWays * kThreadRows);

// Of the row that runs.
struct Run {
  Way way;
  uint32_t pairs;
  uint32_t threads;
  hg_heap *heap;
  hg_pool *pool;
  uint32_t arrived;
  uint32_t done;
  uint32_t errors;
  double begin;
  double end;
};
Run g_de1;

// ---- the threads meet ----

#if defined(HG_THREADS) && HG_THREADS
// Sleeps rather than spins: those who are not here yet need the processor.
void wait_for_all() {
  for (;;) {
    const uint32_t arrived = __atomic_load_n(&g_de1.arrived, __ATOMIC_ACQUIRE);
    if (arrived > g_de1.threads) return;
#if defined(__wasm__)
    __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int *>(&g_de1.arrived), static_cast<int>(arrived), 1'000'000);
#else
    sched_yield();
#endif
  }
}

// The last one starts the clock, and then all: by one more than there are threads.
void barrier() {
  if (__atomic_add_fetch(&g_de1.arrived, 1u, __ATOMIC_ACQ_REL) == g_de1.threads) {
    g_de1.begin = experiment_now();
    __atomic_add_fetch(&g_de1.arrived, 1u, __ATOMIC_ACQ_REL);
#if defined(__wasm__)
    __builtin_wasm_memory_atomic_notify(reinterpret_cast<int *>(&g_de1.arrived), g_de1.threads);
#endif
  }
  wait_for_all();
}

void depart() {
  if (__atomic_add_fetch(&g_de1.done, 1u, __ATOMIC_ACQ_REL) == g_de1.threads) g_de1.end = experiment_now();
}
#else
void barrier() {
  if (g_de1.arrived++ == 0) g_de1.begin = experiment_now();
}
void depart() { g_de1.end = experiment_now(); }
#endif

// ---- the ways ----

struct Small {
  static void *allocate() { return hg_small_allocate(kBytes); }
  static void deallocate(void *mem) { hg_small_deallocate(mem); }
};
struct Inlined {
  static void *allocate() { return heapglass::small_allocate_bytes(kBytes); }
  static void deallocate(void *mem) { heapglass::small_deallocate_bytes(mem, kBytes); }
};
struct LockedHeap {
  static void *allocate() { return hg_heap_allocate(g_de1.heap, kBytes); }
  static void deallocate(void *mem) { hg_heap_deallocate(g_de1.heap, mem); }
};
struct LockedPool {
  static void *allocate() { return hg_pool_allocate(g_de1.pool); }
  static void deallocate(void *mem) { hg_pool_deallocate(g_de1.pool, mem); }
};

#if defined(__wasm__) && defined(HG_THREADS) && HG_THREADS
// Waits as heapglass's own locks do: 256 looks, then a timed sleep.
class MallocLock {
 public:
  MallocLock() {
    while (__atomic_exchange_n(&g_held, 1u, __ATOMIC_ACQUIRE) != 0) {
      for (uint32_t looks = 1; __atomic_load_n(&g_held, __ATOMIC_RELAXED) != 0; ++looks) {
        if (looks % 256 == 0) __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int *>(&g_held), 1, 50'000);
      }
    }
  }
  ~MallocLock() { __atomic_store_n(&g_held, 0u, __ATOMIC_RELEASE); }
  MallocLock(const MallocLock &) = delete;
  MallocLock &operator=(const MallocLock &) = delete;

 private:
  static uint32_t g_held;
};
uint32_t MallocLock::g_held = 0;
#else
struct MallocLock {
  ~MallocLock() {}
};
#endif
struct Malloc {
  static void *allocate() {
    const MallocLock locked;
    return std::malloc(kBytes);
  }
  static void deallocate(void *mem) {
    const MallocLock locked;
    std::free(mem);
  }
};

template <class From>
uint32_t run_pairs(uint32_t pairs, unsigned char mine) {
  uint32_t errors = 0;
  for (uint32_t i = 0; i < pairs; ++i) {
    unsigned char *const mem = static_cast<unsigned char *>(From::allocate());
    if (mem == nullptr) return errors + 1;
    mem[0] = mine;
    mem[kBytes - 1] = static_cast<unsigned char>(i);
    keep(mem);
    errors += mem[0] != mine || mem[kBytes - 1] != static_cast<unsigned char>(i);
    From::deallocate(mem);
  }
  return errors;
}

uint32_t run_way(unsigned char mine) {
  switch (g_de1.way) {
    case kSmall: return run_pairs<Small>(g_de1.pairs, mine);
    case kInlined: return run_pairs<Inlined>(g_de1.pairs, mine);
    case kLockedHeap: return run_pairs<LockedHeap>(g_de1.pairs, mine);
    case kLockedPool: return run_pairs<LockedPool>(g_de1.pairs, mine);
    default: return run_pairs<Malloc>(g_de1.pairs, mine);
  }
}

// ---- the experiment ----

bool begin_de1(uint32_t row, uint32_t pairs) {
  g_de1 = Run{};
  g_de1.way = static_cast<Way>(row / kThreadRows);
  g_de1.pairs = pairs;
  g_de1.threads = kDe1Rows[row].threads;
  if (g_de1.way == kLockedHeap || g_de1.way == kLockedPool) {
    g_de1.heap = hg_heap_create();
    if (g_de1.heap == nullptr) return false;
  }
  if (g_de1.way == kLockedPool) {
    const hg_pool_options options = {1 /* segregated */, kBytes, 256, 0, 0};
    g_de1.pool = hg_pool_create(g_de1.heap, &options);
    if (g_de1.pool == nullptr) return false;
  }
  return true;
}

void thread_de1(uint32_t thread) {
#if !(defined(HG_THREADS) && HG_THREADS)
  hg_small_play_thread(thread);
#endif
  barrier();
  const uint32_t errors = run_way(static_cast<unsigned char>(thread));
  depart();
  __atomic_add_fetch(&g_de1.errors, errors, __ATOMIC_RELAXED);
  hg_small_flush();  // the host's threads end without saying so
}

// What the way's allocator still has in use when everything was given back.
double bytes_left() {
  if (g_de1.heap != nullptr) {
    if (g_de1.pool != nullptr) hg_pool_destroy(g_de1.pool);
    hg_heap_stats stats;
    hg_heap_get_stats(g_de1.heap, &stats);
    hg_heap_destroy(g_de1.heap);
    return static_cast<double>(stats.in_use);
  }
  if (g_de1.way == kMalloc) return 0;  // each thread freed what it took, or counted an error
  hg_small_squeeze();
  hg_small_stats stats;
  hg_small_get_stats(&stats);
  return static_cast<double>(stats.in_use + stats.cached + stats.span_bytes);
}

bool end_de1() {
#if !(defined(HG_THREADS) && HG_THREADS)
  hg_small_play_thread(1);
#endif
  const double wall = g_de1.end - g_de1.begin;
  experiment_figure("wall_ms", wall);
  experiment_figure("pair_ns", wall * 1e6 / g_de1.pairs);
  experiment_figure("pairs_per_thread", g_de1.pairs);
  experiment_figure("errors", g_de1.errors);
  experiment_figure("bytes_left", bytes_left());
  return true;
}

}  // namespace

extern const Program kDe1;
const Program kDe1 = {HG_EXPERIMENT('D', 1), "DE1", kDe1Rows, kWays * kThreadRows, begin_de1, thread_de1, end_de1};

}  // namespace experiments
