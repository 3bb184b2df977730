// The event ring: where probes write, in memory that a reader outside can see.
//
// Layout and rules R1-R3 are in <heapglass/event.h>. One writer. The allocator never calls the reader, except in
// lossless mode when the ring is full. A record is one 16-byte store and a counter; nothing here reads the heap.
#pragma once

#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <type_traits>

#include "base/address.hpp"

#ifndef HG_TRACE
#define HG_TRACE 0
#endif

namespace heapglass::trace {

inline constexpr bool kTraced = HG_TRACE != 0;
inline constexpr std::uint32_t kRingRecords = 65536;  // 1 MiB

#if HG_TRACE
extern hg_ring g_ring;
extern hg_event g_records[kRingRecords];

// R4  head_low == g_limit is the only question a probe asks: there the ring is full (lossless), the low word of head
//     wraps with this record, or nothing is to be written at all.
extern std::uint32_t g_limit;
bool pass_limit();  // false: stopped, write nothing

// What a probe's argument becomes: pointers turn into offsets, sizes keep their low 32 bits.
inline std::uint32_t word_of(const void *at) { return offset_of(at); }
template <class T>
  requires(std::is_enum_v<T> || std::is_integral_v<T>)
inline std::uint32_t word_of(T n) {
  return static_cast<std::uint32_t>(n);
}
inline std::uint32_t word_of(decltype(nullptr)) { return 0; }

inline void write(std::uint32_t head, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t at = g_ring.head_low;
  if (at == g_limit && !pass_limit()) return;
  g_records[at & (kRingRecords - 1)] = hg_event{head, a, b, c};
  g_ring.head_low = at + 1;
}
#endif

hg_ring *ring();  // nullptr in a build without probes
void start(std::uint32_t mode);
void stop();
void set_drain_hook(hg_drain_hook hook);

}  // namespace heapglass::trace
