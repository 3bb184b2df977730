#include "trace/ring.hpp"

#include "trace/probes.hpp"

namespace heapglass::trace {

#if HG_TRACE

#if defined(__wasm__)
// These functions empty a full ring when no hook is set. Both are weak: a program that links neither has no import to satisfy, and
// records nothing.
//
//   abi/wasm_recorder.cpp   in the malloc archives, linked by --ldflags: the program's own recorder. At the first event it also
//                           returns the mode of the recording, so that no event is missing.
//   abi/wasm_drain.cpp      in modules made for JavaScript: the import heapglass.drain
#define HG_HAS_RECORDER !HG_PLACED  // position-independent code would import every weak name
extern "C" {
__attribute__((weak)) std::uint32_t hg_recorder_begin(void);  // the mode; any other number: do not record yet
__attribute__((weak)) void hg_recorder_drain(hg_ring *ring);
__attribute__((weak)) void hg_drain_by_import(void);
}
#endif

namespace {
hg_drain_hook g_drain = nullptr;
constexpr std::uint32_t kLossless = 1;
}  // namespace

alignas(16) hg_event g_records[kRingRecords];
hg_ring g_ring = {HG_TRACE_VERSION, kRingRecords, 0, 0, 0, 0, 0, 0, 0, static_cast<std::uint32_t>(kWord), 0, 0, 0, 0, kRingRecords};

hg_event *g_next = g_records;
hg_event *g_stop = g_records;
std::uint64_t g_lap = 0;

namespace {

std::uint64_t g_skipped = 0;  // events that were not written, because the ring was not enabled
bool g_asked = false;         // whether ask_recorder() ran

std::uint64_t head_now() { return g_lap + static_cast<std::uint64_t>(g_next - g_records); }

void show_head() {
  const std::uint64_t head = head_now();
  g_ring.records = offset_of(g_records);
  g_ring.head_low = static_cast<std::uint32_t>(head);
  g_ring.head_high = static_cast<std::uint32_t>(head >> 32);
}

std::uint32_t unread() { return g_ring.head_low - g_ring.tail_low; }  // pre: show_head()

// Runs at the first event. A program that called start() before has its own reader.
void ask_recorder() {
  g_asked = true;
#if defined(__wasm__) && HG_HAS_RECORDER
  if (g_ring.enabled != 0 || hg_recorder_begin == nullptr) return;
  const std::uint32_t mode = hg_recorder_begin();
  if (mode <= kLossless) start(mode);
#endif
}

}  // namespace

void drain() {
  show_head();
  if (g_drain != nullptr) {
    g_drain(&g_ring);
    return;
  }
#if defined(__wasm__)
#if HG_HAS_RECORDER
  if (hg_recorder_drain != nullptr) {
    hg_recorder_drain(&g_ring);
    return;
  }
#endif
  if (hg_drain_by_import != nullptr) hg_drain_by_import();
#endif
  // Without a reader the ring overwrites its oldest events. The loss shows in head - tail (event.R2).
}

hg_event *pass_stop() {
  if (!g_asked) ask_recorder();
  if (g_ring.enabled == 0) {
    ++g_skipped;
    return nullptr;
  }
  show_head();
  if (g_next == g_records + kRingRecords) {
    g_lap += kRingRecords;
    g_next = g_records;
  }
  std::uint32_t space = static_cast<std::uint32_t>(g_records + kRingRecords - g_next);
  if (g_ring.mode == kLossless) {
    if (unread() >= g_ring.batch) drain();
    const std::uint32_t until_full = unread() < g_ring.batch ? g_ring.batch - unread() : 1;
    if (until_full < space) space = until_full;
  }
  g_stop = g_next + space;
  return g_next;
}

hg_ring *ring() {
  show_head();
  return &g_ring;
}

void start(std::uint32_t mode) {
  g_ring.mode = mode;
  g_ring.enabled = 1;
  g_stop = g_next;
}

void stop() {
  g_asked = true;
  g_ring.enabled = 0;
  g_stop = g_next;
}

void go_on() {
  const std::uint64_t head = g_ring.head_low | static_cast<std::uint64_t>(g_ring.head_high) << 32;
  const std::uint64_t in_lap = head % kRingRecords;
  g_lap = head - in_lap;
  g_next = g_records + in_lap;
  g_stop = g_next;
}

void note_lost() {
  constexpr std::uint64_t kMost = ~std::uint32_t{0};  // what one record can say
  for (; g_skipped > kMost; g_skipped -= kMost) {
    HG_PROBE(events_lost, 0, 0, kMost, 0, 0);
  }
  HG_PROBE(events_lost, 0, 0, g_skipped, 0, 0);
  g_skipped = 0;
}

void note_snapshot_end() { g_ring.snapshot_records = static_cast<std::uint32_t>(head_now()) - g_ring.snapshot_low; }

void note_snapshot() {
  const std::uint64_t head = head_now();
  g_ring.snapshot_low = static_cast<std::uint32_t>(head);
  g_ring.snapshot_high = static_cast<std::uint32_t>(head >> 32);
  g_ring.snapshot_due = 0;
}

WithoutLoss::WithoutLoss() : mode_(g_ring.mode) {
  g_ring.mode = kLossless;
  g_stop = g_next;
}

WithoutLoss::~WithoutLoss() {
  g_ring.mode = mode_;
  g_stop = g_next;
}

void set_drain_hook(hg_drain_hook hook) { g_drain = hook; }

#else

hg_ring *ring() { return nullptr; }
void start(std::uint32_t) {}
void stop() {}
void set_drain_hook(hg_drain_hook) {}
void drain() {}
void go_on() {}
void note_lost() {}
void note_snapshot() {}
void note_snapshot_end() {}
WithoutLoss::WithoutLoss() {}
WithoutLoss::~WithoutLoss() {}

#endif

}  // namespace heapglass::trace
