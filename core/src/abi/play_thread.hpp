// Plays one of several threads in a build without threads. All caches change with the number, whichever function changes it.
#pragma once

#include "malloc/malloc.hpp"
#include "small/small.hpp"
#include "trace/acting_thread.hpp"

#if !HG_THREADS

namespace heapglass {

// 1 .. kPlayedThreads; others: nothing. Without probes malloc has one cache for all.
inline void play_thread(Heap &heap, std::uint32_t number) {
  if (number == 0 || number > kPlayedThreads) return;
#if HG_TRACE
  my_cache().play(number, heap);
#endif
  if (number == thread_number()) return;
  small_play_thread(number);
  play_thread_number(number);
  trace::note_thread(heap.id());
}

}  // namespace heapglass

#endif
