// The events of a build with probes, for tests that read them.
#pragma once

#include <heapglass/heapglass.h>

#include <utility>
#include <vector>

#include "trace/ring.hpp"

#if HG_TRACE

namespace heapglass_test {

// Everything written since begin(), through the lossless ring. One a program at a time.
struct EventRecording {
  static inline std::vector<hg_event> events;

  static void take(hg_ring *ring) {
    for (; ring->tail_low != ring->head_low; ++ring->tail_low) {
      events.push_back(heapglass::trace::g_records[ring->tail_low & (ring->capacity - 1)]);
    }
  }
  static void begin() {
    hg_ring *const ring = hg_trace_ring();
    ring->tail_low = ring->head_low;
    events.clear();
    hg_set_drain_hook(take);
    hg_trace_start(1);
  }
  static std::vector<hg_event> read() {
    take(hg_trace_ring());
    return std::exchange(events, {});
  }
  static void end() {
    hg_trace_stop();
    hg_set_drain_hook(nullptr);
  }
};

}  // namespace heapglass_test

#endif
