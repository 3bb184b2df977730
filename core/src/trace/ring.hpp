// The event ring: where probes write, in memory that a reader outside can see.
//
// Layout and rules R1-R4 are in <heapglass/event.h>. One writer. The allocator never calls the reader, except in
// lossless mode when the ring is full. A record is four words and a pointer; nothing here reads the heap.
#pragma once

#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <type_traits>

#include "base/address.hpp"
#include "base/build.hpp"

namespace heapglass::trace {

inline constexpr std::uint32_t kRingRecords = 16384;  // 256 KiB: stays in the second-level cache

#if HG_TRACE
extern hg_ring g_ring;
extern hg_event g_records[kRingRecords];

// ring.R1  The writer's place is a pointer, g_next. At g_stop it has to think: there the records end, the ring is full
//     (lossless), or nothing is to be written at all. What readers see of head is brought up to date by ring() and
//     before each call of the drain hook.
extern hg_event *g_next;
extern hg_event *g_stop;
extern std::uint64_t g_lap;  // the number of the event in the first slot; head is g_lap + (g_next - g_records)
hg_event *pass_stop();  // where to write; nullptr: nowhere

// Set by a reader: a snapshot is wanted before the next operation (event.R5).
inline bool snapshot_due() { return g_ring.snapshot_due != 0; }

// What a probe's argument becomes: pointers turn into offsets, sizes keep their low 32 bits.
inline std::uint32_t word_of(const void *at) { return offset_of(at); }
template <class T>
  requires(std::is_enum_v<T> || std::is_integral_v<T>)
inline std::uint32_t word_of(T n) {
  return static_cast<std::uint32_t>(n);
}
inline std::uint32_t word_of(decltype(nullptr)) { return 0; }

inline void write(std::uint32_t head, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  hg_event *at = g_next;
  if (at == g_stop) {
    at = pass_stop();
    if (at == nullptr) return;
  }
  *at = hg_event{head, a, b, c};
  g_next = at + 1;
}
#endif

hg_ring *ring();  // with head as it is now; nullptr in a build without probes
void start(std::uint32_t mode);
void stop();
void set_drain_hook(hg_drain_hook hook);
void drain();          // what a full lossless ring does by itself
void note_lost();      // events_lost: how many were not written since stop()
void note_snapshot();  // the next record is snapshot_begun
void note_snapshot_end();

// Nothing is lost in its scope, whatever the mode: a snapshot is whole or useless.
class WithoutLoss {
 public:
  WithoutLoss();
  ~WithoutLoss();
  WithoutLoss(const WithoutLoss &) = delete;
  WithoutLoss &operator=(const WithoutLoss &) = delete;

 private:
  [[maybe_unused]] std::uint32_t mode_ = 0;
};

}  // namespace heapglass::trace
