// Several threads' caches in a build with probes and without threads: for deterministic stories and tests. The one cache is
// the acting thread's; those of the others wait here, registered like it.
#include "front/front.hpp"
#include "platform/threads.hpp"

#if !HG_THREADS

namespace heapglass {

#if HG_TRACE

namespace {

QuickCache g_played_quick_caches[kPlayedThreads + 1];  // by number; the acting thread's is not in use

}  // namespace

void front_share_caches(Heap &heap) {
  if (g_playing_threads) return;
  if (cached_bytes() + room_bytes() != 0) flush_front(heap);  // nothing was counted until now
  g_playing_threads = true;
}

void front_play_thread(std::uint32_t number) {
  move_cache(quick_cache(), g_played_quick_caches[thread_number()]);
  move_cache(g_played_quick_caches[number], quick_cache());
}

#else

void front_share_caches(Heap &) {}
void front_play_thread(std::uint32_t) {}

#endif

}  // namespace heapglass

#endif
