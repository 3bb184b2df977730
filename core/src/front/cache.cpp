// See cache.hpp.
#include "front/cache.hpp"

#include "front/central.hpp"
#include "front/held.hpp"
#include "heap/heap.hpp"
#include "platform/thread_exit.hpp"
#include "trace/probes.hpp"

namespace heapglass {

#if HG_THREADS
__thread QuickCache t_quick_cache HG_FRONT_TLS;
#else
QuickCache g_quick_cache;
#if HG_TRACE
bool g_playing_threads = false;
#endif
#endif

namespace {

QuickCache *g_quick_caches = nullptr;
SpinLock g_quick_caches_lock;

// False: the cache has ended.
bool register_cache(QuickCache &cache) {
  if (cache.state != CacheState::kNew) return cache.state == CacheState::kRegistered;
  cache.state = CacheState::kRegistered;
  cache.room += kCacheBytes;
  const Hold hold(g_quick_caches_lock);
  cache.next = g_quick_caches;
  g_quick_caches = &cache;
#if HG_THREADS
  at_thread_end(end_thread_cache);
#endif
  return true;
}

void *take_from(QuickCache &cache, unsigned list) {
  void *const mem = cache.lists[list];
  if (mem == nullptr) return nullptr;
  cache.lists[list] = link_of_held(mem);
  flip_waiting(mem);
  if (!kMarksWaiting && list >= kExactUnits) cache.large -= held_size(mem);
  if (caches_are_shared()) cache.room += static_cast<std::intptr_t>(held_size(mem));
  return mem;
}

// The request's own list, and the next one, whose chunks have the unit that was too small to be cut off; unless that is 1/32
// or more of the size, or the next list is not one of a single size.
void *take_near(QuickCache &cache, unsigned list) {
  void *const mem = take_from(cache, list);
  const bool next_too = list >= 2 * kStepsOfPower && list + 1 < kExactUnits;
  return mem == nullptr && next_too ? take_from(cache, list + 1) : mem;
}

void *take_large(QuickCache &cache, Word request) {
  const Word size = chunk_size_for(request);
  const unsigned list = waiting_list(size / kAlign);
  cache.hot = request;
  const void *const first = cache.lists[list];
  if (first != nullptr && held_size(first) >= size && held_size(first) - size <= size / kStepsOfPower) return take_from(cache, list);
  return !kMarksWaiting && list + 1 < kLists ? take_from(cache, list + 1) : nullptr;
}

void note_moves(std::uint32_t id, unsigned list, void *first, std::uint32_t from, std::uint32_t to) {
  if constexpr (trace::kTraced) {
    for (void *mem = first; mem != nullptr; mem = link_of_held(mem)) {
      mark_held(mem, to);
      HG_PROBE(held_moved, id, list, chunk_of(mem), from, to);
    }
  }
}

// pre: the list is empty
void *take_central(QuickCache &cache, unsigned list, std::uint32_t id) {
  if (!register_cache(cache)) return nullptr;
  const Piece piece = fetch_central(list);
  if (piece.first == nullptr) return nullptr;
  note_moves(id, list, piece.first, kCentral, thread_number());
  cache.lists[list] = piece.first;
  if (list >= kExactUnits) cache.large += piece.bytes;
  cache.room -= static_cast<std::intptr_t>(piece.bytes);
  return take_from(cache, list);
}

// Between 15/16 and 17/16 of the last large request.
bool is_hot(const QuickCache &cache, Word size) {
  return size / kAlign <= kQuickMaxUnits && size / kStepsOfPower + size - cache.hot <= size / (kStepsOfPower / 2);
}

// C5: without threads, where its neighbours may be looked at.
bool is_for_heap(const QuickCache &cache, const void *mem, Word size) {
  if (caches_are_shared()) return size > kCachedMax;
  if (size / kAlign < kExactUnits) return is_joined(read_head(chunk_of(mem)), cache.lists[size / kAlign]);
  return Heap::has_free_neighbour(mem) || !is_hot(cache, size);
}

}  // namespace

void *take_cached(Word request, std::uint32_t id) {
  if (!has_quick_cache()) return nullptr;
  QuickCache &cache = quick_cache();
  if (request > kRoundedMax) return request <= kQuickMaxRequest ? take_large(cache, request) : nullptr;
  const unsigned list = list_of_rounded(request);
  if (caches_are_shared() && cache.lists[list] == nullptr) {
    if (void *const mem = take_central(cache, list, id)) return mem;
  }
  return take_near(cache, list);
}

bool give_cached(void *mem, std::uint32_t id) {
  const Word size = held_size(mem);
  if (!has_quick_cache()) return false;
  QuickCache &cache = quick_cache();
  if (is_for_heap(cache, mem, size)) return false;
  if (caches_are_shared()) {
    if (!register_cache(cache)) return false;
    if (cache.room < static_cast<std::intptr_t>(size)) hand_over(cache, id);
    cache.room -= static_cast<std::intptr_t>(size);
  }
  const unsigned list = waiting_list(size / kAlign);
  if (!kMarksWaiting && list >= kExactUnits) cache.large += size;
  flip_waiting(mem);
  set_link_of_held(mem, cache.lists[list]);
  cache.lists[list] = mem;
  return true;
}

void hand_over(QuickCache &cache, std::uint32_t id) {
  for (unsigned list = 0; list < kLists; ++list) {
    void *const first = cache.lists[list];
    if (first == nullptr) continue;
    note_moves(id, list, first, thread_number(), kCentral);
    cache.lists[list] = nullptr;
    cache.room += static_cast<std::intptr_t>(store_central(list, first));
  }
  cache.large = 0;
}

void end_cache(std::uint32_t id) {
  QuickCache &cache = quick_cache();
  if (cache.state != CacheState::kRegistered) return;
  hand_over(cache, id);
  const Hold hold(g_quick_caches_lock);
  QuickCache **link = &g_quick_caches;
  while (*link != &cache) link = &(*link)->next;
  *link = cache.next;
  cache = QuickCache{};
  cache.state = CacheState::kEnded;
}

#if HG_TRACE && !HG_THREADS
void move_cache(QuickCache &from, QuickCache &to) {
  to = from;
  if (from.state == CacheState::kRegistered) {
    QuickCache **link = &g_quick_caches;
    while (*link != &from) link = &(*link)->next;
    *link = &to;
  }
  from = QuickCache{};
}
#endif

Word bytes_of_chain(const void *mem) {
  Word bytes = 0;
  for (; mem != nullptr; mem = link_of_held(mem)) bytes += held_size(mem);
  return bytes;
}

Word cached_bytes() {
  Word bytes = 0;
  if (!caches_are_shared()) {
    for (const void *const list : quick_cache().lists) bytes += bytes_of_chain(list);
    return bytes;
  }
  const Hold hold(g_quick_caches_lock);
  for (QuickCache *cache = g_quick_caches; cache != nullptr; cache = cache->next) {
    bytes += static_cast<Word>(kCacheBytes - cache->room);
  }
  return bytes + central_bytes();
}

}  // namespace heapglass
