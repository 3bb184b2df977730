#include "trace/ring.hpp"

namespace heapglass::trace {

#if HG_TRACE

#if defined(__wasm__)
__attribute__((import_module("heapglass"), import_name("drain"))) void imported_drain();
#endif

namespace {
hg_drain_hook g_drain = nullptr;
}

alignas(16) hg_event g_records[kRingRecords];
hg_ring g_ring = {HG_TRACE_VERSION, kRingRecords, 0, 0, 0, 0, 0, 0, 0, static_cast<std::uint32_t>(kWord)};

void make_room() {
  if (g_drain != nullptr) {
    g_drain(&g_ring);
    return;
  }
#if defined(__wasm__)
  imported_drain();
#endif
  // Nobody took anything: overwriting is the only way left; the reader sees the loss in head - tail (R2).
}

hg_ring *ring() {
  g_ring.records = offset_of(g_records);
  return &g_ring;
}

void start(std::uint32_t mode) {
  g_ring.mode = mode;
  g_ring.enabled = 1;
}

void stop() { g_ring.enabled = 0; }
void set_drain_hook(hg_drain_hook hook) { g_drain = hook; }

#else

hg_ring *ring() { return nullptr; }
void start(std::uint32_t) {}
void stop() {}
void set_drain_hook(hg_drain_hook) {}

#endif

}  // namespace heapglass::trace
