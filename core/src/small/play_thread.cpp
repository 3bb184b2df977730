// Several threads' caches in a build without threads: for deterministic tests and stories. The one cache is the acting
// thread's; those of the others wait here, in the table of caches like it.
#include "platform/threads.hpp"
#include "small/small.hpp"
#include "small/thread_cache.hpp"

#if !HG_THREADS

namespace heapglass {

namespace {

ThreadCache g_played_caches[kPlayedThreads + 1];  // by number; the acting thread's is not in use

// The cache moves, and the table follows.
void move_cache(ThreadCache &from, ThreadCache &to) {
  to = from;
  if (from.registered != 0) {
    ThreadCache **link = &g_caches;
    while (*link != &from) link = &(*link)->next;
    *link = &to;
  }
  from = ThreadCache{};
}

}  // namespace

void small_play_thread(std::uint32_t number) {
  move_cache(thread_cache(), g_played_caches[thread_number()]);
  move_cache(g_played_caches[number], thread_cache());
}

}  // namespace heapglass

#endif
