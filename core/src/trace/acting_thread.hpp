// Who acts, told to the trace when it changes; and, in builds with threads and probes, the one lock that keeps the trace
// one story. The event belongs to no heap: its heap is that of the operation which follows.
#pragma once

#include "platform/threads.hpp"
#include "trace/probes.hpp"

namespace heapglass::trace {

#if HG_THREADS && HG_TRACE
extern LockOfThread g_everything;
#endif

#if HG_TRACE
extern std::uint32_t g_acting_thread;

// pre: with threads, g_everything is held
inline void note_thread(std::uint32_t heap) {
  const std::uint32_t number = thread_number();
  if (number == g_acting_thread) return;
  HG_PROBE(thread_changed, heap, 0, number, g_acting_thread, 0);
  g_acting_thread = number;
}
#else
inline void note_thread(std::uint32_t) {}
#endif

}  // namespace heapglass::trace
