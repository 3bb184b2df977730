// The event ring: probes write into it, and a reader outside the module sees it.
//
// <heapglass/event.h> has the layout and the rules event.R1 to event.R4. There is one writer. It calls the reader only in
// lossless mode when the ring is full. Writing a record stores four words and moves a pointer. Nothing here reads the heap.
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

// ring.R1  g_next points to the next record. At g_stop the writer takes its slow path: the records end there, the ring is full
//     (lossless), or recording is off. ring() updates the head that readers see, and so does each call of the drain hook.
extern hg_event *g_next;
extern hg_event *g_stop;
extern std::uint64_t g_lap;  // the number of the event in the first slot; head is g_lap + (g_next - g_records)
hg_event *pass_stop();  // the record to write; nullptr: write nothing

// Whether a reader asked for a snapshot before the next operation (event.R5).
inline bool snapshot_due() { return g_ring.snapshot_due != 0; }

// Converts a probe's argument: pointers become offsets, sizes keep their low 32 bits.
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

hg_ring *ring();  // updates head; nullptr in a build without probes
void start(std::uint32_t mode);
void stop();
void set_drain_hook(hg_drain_hook hook);
void drain();          // empties the ring; a full lossless ring calls it by itself
void go_on();          // where the ring's fields say, which a host wrote back: the next record has the number head. pre: nothing is unread
void note_lost();      // writes events_lost: the number of events since stop()
void note_snapshot();  // the next record is snapshot_begun
void note_snapshot_end();

// In its scope no event is lost, whatever the mode: a snapshot with gaps is useless.
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
