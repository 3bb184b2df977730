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

std::uint32_t g_limit = 0;

namespace {

void drain() {
  if (g_drain != nullptr) {
    g_drain(&g_ring);
    return;
  }
#if defined(__wasm__)
  if (hg_drain_by_import != nullptr) hg_drain_by_import();
#endif
  // Nobody took anything: overwriting is the only way left; the reader sees the loss in head - tail (R2).
}

}  // namespace

bool pass_limit() {
  if (g_ring.enabled == 0) return false;
  const std::uint32_t at = g_ring.head_low;
  const bool lossless = g_ring.mode == 1;
  if (lossless && at - g_ring.tail_low >= kRingRecords) drain();
  if (at == 0xffffffffu) ++g_ring.head_high;  // the caller writes head_low = 0
  const std::uint32_t next = at + 1;
  std::uint32_t room = 0xffffffffu - next;  // up to the record at which the low word wraps
  if (lossless) {
    const std::uint32_t unread = next - g_ring.tail_low;
    const std::uint32_t until_full = unread < kRingRecords ? kRingRecords - unread : 0;
    if (until_full < room) room = until_full;
  }
  g_limit = next + room;
  return true;
}

hg_ring *ring() {
  g_ring.records = offset_of(g_records);
  return &g_ring;
}

void start(std::uint32_t mode) {
  g_ring.mode = mode;
  g_ring.enabled = 1;
  g_limit = g_ring.head_low;
}

void stop() {
  g_ring.enabled = 0;
  g_limit = g_ring.head_low;
}
void set_drain_hook(hg_drain_hook hook) { g_drain = hook; }

#else

hg_ring *ring() { return nullptr; }
void start(std::uint32_t) {}
void stop() {}
void set_drain_hook(hg_drain_hook) {}

#endif

}  // namespace heapglass::trace
