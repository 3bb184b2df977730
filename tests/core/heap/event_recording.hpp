// The events of a build with probes, for tests that read them.
#pragma once

#include <gtest/gtest.h>
#include <heapglass/heapglass.h>

#include <string>
#include <utility>
#include <vector>

#include "support/event_words.hpp"
#include "trace/ring.hpp"

#if HG_TRACE

namespace heapglass_test {

inline std::vector<hg_walk_record> walk_of(const hg_heap *heap) {
  std::vector<hg_walk_record> records;
  hg_walk_record part[7];
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  while (const std::size_t n = hg_walk_next(&walk, part, 7)) records.insert(records.end(), part, part + n);
  return records;
}

// Everything written since begin(), through the lossless ring; what has no meaning in an event is 0. One a program at a time.
struct EventRecording {
  static inline std::vector<hg_event> events;

  static void take(hg_ring *ring) {
    for (; ring->tail_low != ring->head_low; ++ring->tail_low) {
      const hg_event &e = heapglass::trace::g_records[ring->tail_low & (ring->capacity - 1)];
      if ((e.head & HG_EVENT_WALK) == 0) {
        EXPECT_EQ(word_out_of_place(e), "");
      }
      events.push_back(e);
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

// "" or what is wrong with the frames: each op_begun has its op_ended, and they nest.
inline std::string broken_frame(const std::vector<hg_event> &events) {
  std::vector<std::uint32_t> open;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::uint32_t kind = events[i].head & 0xff, operation = events[i].head >> 16;
    if (kind == HG_EVENT_op_begun) open.push_back(operation);
    if (kind != HG_EVENT_op_ended) continue;
    if (open.empty()) return "operation " + std::to_string(operation) + " ended and had not begun, event " + std::to_string(i);
    if (open.back() != operation) {
      return "operation " + std::to_string(open.back()) + " has no end, event " + std::to_string(i) + " ends " + std::to_string(operation);
    }
    open.pop_back();
  }
  return open.empty() ? "" : "operation " + std::to_string(open.back()) + " has no end";
}

}  // namespace heapglass_test

#endif
