// Several threads' caches in a build with probes and without threads: for deterministic stories and tests. The one cache is
// the acting thread's; those of the others wait here, registered like it.
#include "front/front.hpp"
#include "trace/acting_thread.hpp"

#if !HG_THREADS

namespace heapglass {

#if HG_TRACE

namespace {

QuickCache g_played_quick_caches[kPlayedCaches + 1];  // by number; the acting thread's is not in use

}  // namespace

void front_play_thread(Heap &heap, std::uint32_t number) {
  if (number == 0 || number > kPlayedCaches) return;
  if (!g_playing_threads) {
    flush_front(heap);  // nothing was counted until now
    g_playing_threads = true;
  }
  if (number == thread_number()) return;
  move_cache(quick_cache(), g_played_quick_caches[thread_number()]);
  play_thread_number(number);
  move_cache(g_played_quick_caches[number], quick_cache());
  trace::note_thread(heap.id());
}

#else

void front_play_thread(Heap &, std::uint32_t) {}

#endif

}  // namespace heapglass

#endif
