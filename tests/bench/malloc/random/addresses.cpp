// Folds the addresses of all blocks of a program into one number, by which two builds of one allocator are compared:
// tests/tools/same_addresses.test.ts.
//
//   A1  bench_begin_addresses is called before the first block. It moves the break to a page boundary, so that what lies
//       below the heap, which differs by build, is nowhere in the number, and memory grows at the same moments.
//   A2  With -DBENCH_EVENTS events are recorded from there on. When the ring is full they are dropped.
#include <unistd.h>

#include <cstdint>

#if defined(BENCH_EVENTS)
#include <heapglass/event.h>
#include <heapglass/heapglass.h>
#endif

#define EXPORT extern "C" __attribute__((used, visibility("default")))

namespace {

constexpr std::uint32_t kPage = 65536, kFnvPrime = 16777619, kFnvBasis = 2166136261;

std::uintptr_t base;
std::uint32_t folded = kFnvBasis, count;

}  // namespace

void note_address(const void *mem) {
  folded = (folded ^ static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(mem) - base)) * kFnvPrime;
  ++count;
}

EXPORT std::uintptr_t bench_begin_addresses() {
#if defined(BENCH_EVENTS)
  hg_trace_start(0);
#endif
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  sbrk(static_cast<std::intptr_t>(-end & (kPage - 1)));
  base = reinterpret_cast<std::uintptr_t>(sbrk(0));
  return base;
}

EXPORT std::uint32_t bench_addresses() { return folded; }
EXPORT std::uint32_t bench_address_count() { return count; }

/// Events recorded so far.
EXPORT double bench_event_count() {
#if defined(BENCH_EVENTS)
  const hg_ring *const ring = hg_trace_ring();
  return ring->head_high * 4294967296.0 + ring->head_low;
#else
  return 0;
#endif
}
