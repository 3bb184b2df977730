// How far linear memory reaches, as the calling thread sees it.
//
//   | all threads see it | only the thread that grew it |
//                        ^                              ^
//             memory.size of the others            g_pages_known
//
//  memory.V1  With threads, an engine may renew a thread's view of memory late: V8 does so at the thread's next call or turn of a
//      loop after the growth, and within a function that calls nothing not at all. Until then its memory.size is too small, and
//      memory.copy, memory.fill and atomic accesses trap in the new part; a load or a store does not. memory.grow(0) renews the
//      view at once (tests/link/programs/grown_memory.cpp).
//  memory.V2  g_pages_known is never above the real size, and at least what this allocator's last growth left.
//  memory.V3  memory_pages() is at least g_pages_known. After see_grown_memory() the thread's view is, too. Whoever takes a lock
//      calls it (lock.K6), so callers may copy into the block that they get.
#pragma once

#include "base/bits.hpp"
#include "base/build.hpp"

namespace heapglass {

#if defined(__wasm__) && HG_THREADS

inline std::uint32_t g_pages_known = 0;

[[gnu::noinline]] inline Word renewed_memory_pages() { return __builtin_wasm_memory_grow(0, 0); }

inline Word memory_pages() {
  const Word seen = __builtin_wasm_memory_size(0);
  if (__builtin_expect(seen >= __atomic_load_n(&g_pages_known, __ATOMIC_RELAXED), 1)) return seen;
  return renewed_memory_pages();
}

inline void see_grown_memory() { static_cast<void>(memory_pages()); }

// pre: this thread has just grown memory, so its own view is new
inline void note_memory_grown() {
  const std::uint32_t pages = __builtin_wasm_memory_size(0);
  if (pages > __atomic_load_n(&g_pages_known, __ATOMIC_RELAXED)) __atomic_store_n(&g_pages_known, pages, __ATOMIC_RELAXED);
}

#else

#if defined(__wasm__)
inline Word memory_pages() { return __builtin_wasm_memory_size(0); }
#endif
inline void see_grown_memory() {}
inline void note_memory_grown() {}

#endif

}  // namespace heapglass
