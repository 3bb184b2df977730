// Records which thread acts, whenever that changes. In builds with threads and probes it also has the lock that keeps
// operations from overlapping in the trace. The event belongs to no heap; it names the heap of the operation that follows.
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
