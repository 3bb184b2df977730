#include "trace/ring.hpp"

namespace heapglass::trace {

#if HG_TRACE

#if defined(__wasm__)
// Defined by abi/wasm_drain.cpp, hence only in modules made for JavaScript: a C program that links the archive has no
// import to satisfy.
extern "C" __attribute__((weak)) void hg_drain_by_import(void);
#endif

namespace {
hg_drain_hook g_drain = nullptr;
}

alignas(16) hg_event g_records[kRingRecords];
hg_ring g_ring = {HG_TRACE_VERSION, kRingRecords, 0, 0, 0, 0, 0, 0, 0, static_cast<std::uint32_t>(kWord)};

hg_event *g_next = g_records;
hg_event *g_stop = g_records;

namespace {

std::uint64_t g_lap = 0;  // the number of the event in the first slot

void show_head() {
  const std::uint64_t head = g_lap + static_cast<std::uint64_t>(g_next - g_records);
  g_ring.head_low = static_cast<std::uint32_t>(head);
  g_ring.head_high = static_cast<std::uint32_t>(head >> 32);
}

std::uint32_t unread() { return g_ring.head_low - g_ring.tail_low; }  // pre: show_head()

void drain() {
  if (g_drain != nullptr) {
    g_drain(&g_ring);
    return;
  }
#if defined(__wasm__)
  if (hg_drain_by_import != nullptr) hg_drain_by_import();
#endif
  // Nobody took anything: overwriting is the only way left; the reader sees the loss in head - tail (event.R2).
}

}  // namespace

hg_event *pass_stop() {
  if (g_ring.enabled == 0) return nullptr;
  show_head();
  if (g_next == g_records + kRingRecords) {
    g_lap += kRingRecords;
    g_next = g_records;
  }
  std::uint32_t room = static_cast<std::uint32_t>(g_records + kRingRecords - g_next);
  if (g_ring.mode == 1) {
    if (unread() >= kRingRecords) drain();
    const std::uint32_t until_full = unread() < kRingRecords ? kRingRecords - unread() : 1;
    if (until_full < room) room = until_full;
  }
  g_stop = g_next + room;
  return g_next;
}

hg_ring *ring() {
  g_ring.records = offset_of(g_records);
  show_head();
  return &g_ring;
}

void start(std::uint32_t mode) {
  g_ring.mode = mode;
  g_ring.enabled = 1;
  g_stop = g_next;
}

void stop() {
  g_ring.enabled = 0;
  g_stop = g_next;
}
void set_drain_hook(hg_drain_hook hook) { g_drain = hook; }

#else

hg_ring *ring() { return nullptr; }
void start(std::uint32_t) {}
void stop() {}
void set_drain_hook(hg_drain_hook) {}

#endif

}  // namespace heapglass::trace
