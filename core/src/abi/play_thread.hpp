// Acting as one of several threads in a build without threads: every cache changes with the number, whichever function asked.
#pragma once

#include "front/front.hpp"
#include "small/small.hpp"
#include "trace/acting_thread.hpp"

#if !HG_THREADS

namespace heapglass {

// 1 .. kPlayedThreads; others: nothing.
inline void play_thread(Heap &heap, std::uint32_t number) {
  if (number == 0 || number > kPlayedThreads) return;
  front_share_caches(heap);
  if (number == thread_number()) return;
  small_play_thread(number);
  front_play_thread(number);
  play_thread_number(number);
  trace::note_thread(heap.id());
}

}  // namespace heapglass

#endif
