// The cache of quick lists: one a thread (one in all in builds without threads), and its fast paths.
//
//   lists[n] -> mem -> mem -> ... -> nullptr     chunks freed, still marked in use in their headers, so that nothing joins
//                                                them; the first word of the payload links to the next
//
//  C1  A chunk on a list belongs to nobody else; its header is right, and P of its neighbours counts it as in use.
//  C2  Each thread changes its own cache only. Who frees a chunk has it in his cache, whoever took it.
//  C3  With threads: room is what the cache may still take, in bytes of chunks. When a chunk has no room, the cache hands
//      everything to the central lists first (central.hpp). What is fetched from there may take room below 0.
//  C4  All zero bits is an empty cache; with threads one that is not registered yet, whose room lets nothing in.
//  C5  Without threads, what can be joined is worth more than a quick answer: a chunk whose neighbour before is free goes to the
//      heap, unless its list is empty (so a pair of calls stays quick wherever it falls). One of more than kExactUnits waits
//      only when the last such request was for about its size, and while no neighbour of it is free: large holes that wait
//      drive others into the small ones, and a block that grew to the end of the heap becomes top again. With threads what
//      is larger than kCachedMax goes to the heap.
//  C6  Without threads and probes a waiting chunk has B without C in its header: so a walk finds them all (F1).
//  C7  A cache ends with its thread: it is empty then, has no room, and what the thread still calls goes to the heap.
//
// Nothing is counted without threads: what the lists hold is bounded by what the heap would else have to grow for (F1).
#pragma once

#include "base/address.hpp"
#include "front/quick_lists.hpp"
#include "platform/spin_lock.hpp"
#include "trace/ring.hpp"

namespace heapglass {

inline constexpr std::intptr_t kCacheBytes = 256 * 1024;
inline constexpr Word kCachedMax = 32 * 1024;  // with threads, larger chunks go to the heap at once

enum class CacheState : std::uint32_t { kNew, kRegistered, kEnded, kKept };  // C4, C7; kKept: thread_variables.hpp

struct QuickCache {
  void *lists[kLists];
  std::intptr_t room;
  Word large;        // bytes on the lists of more than one size; not counted without threads (has_large)
  Word hot;          // the last request for those: C5
  QuickCache *next;  // the other registered ones (cache.cpp)
  CacheState state;
};

#if HG_THREADS
#if defined(__wasm__) && !defined(__PIC__)
#define HG_FRONT_TLS __attribute__((tls_model("local-exec")))  // at a constant from the thread's base
#else
#define HG_FRONT_TLS
#endif
extern __thread QuickCache t_quick_cache HG_FRONT_TLS;  // __thread: never constructed, so never asked for by a call
inline QuickCache &quick_cache() { return t_quick_cache; }
inline bool caches_are_shared() { return true; }
#else
extern QuickCache g_quick_cache;
inline QuickCache &quick_cache() { return g_quick_cache; }
// Threads are played (hg_malloc_play_thread).
#if HG_TRACE
extern bool g_playing_threads;
inline bool caches_are_shared() { return g_playing_threads; }
#else
inline bool caches_are_shared() { return false; }
#endif
#endif

// Some threads of Emscripten allocate before they have thread-local variables (tls base 0), which must not be used then.
inline bool has_quick_cache() {
#if HG_THREADS && defined(__wasm__)
  return __builtin_wasm_tls_base() != nullptr;
#else
  return true;
#endif
}

inline void *link_of_held(const void *mem) { return *static_cast<void *const *>(mem); }
inline void set_link_of_held(void *mem, void *next) { *static_cast<void **>(mem) = next; }

// Waiting chunks are marked in their headers where only one thread writes headers; so all of them can be found by a walk.
inline constexpr bool kMarksWaiting = !kThreads && !trace::kTraced;
inline void flip_waiting(void *mem) {
  if constexpr (kMarksWaiting) heapglass::flip_waiting(chunk_of(mem));
}

// The list a chunk waits on. Without threads only large chunks of about one size wait at a time (C5): one list is enough.
constexpr unsigned waiting_list(Word units) {
  return kMarksWaiting && units >= kExactUnits ? static_cast<unsigned>(kExactUnits) : list_of_units(units);
}

inline bool has_large(const QuickCache &cache) { return kMarksWaiting ? cache.lists[kExactUnits] != nullptr : cache.large != 0; }

// Size of a chunk that belongs to the caller. With threads another one may be changing P in the same word meanwhile, under
// the heap's lock; the size it leaves alone.
inline Word held_size(const void *mem) { return read_head(chunk_of(mem)) & ~kFlags; }

// nullptr: the list is empty, or the request is not for these lists.
[[gnu::always_inline]] inline void *take_quick(Word request) {
  if (request > kRoundedMax || !has_quick_cache()) return nullptr;
  QuickCache &cache = quick_cache();
  const Word units = units_for(request);
  void *const mem = cache.lists[units];
  if (mem == nullptr) return nullptr;
  cache.lists[units] = link_of_held(mem);
  flip_waiting(mem);
  if constexpr (kThreads) cache.room += static_cast<std::intptr_t>(units * kAlign);
  return mem;
}

// Whether take_quick would give a chunk that happens to be aligned, as the one is that was freed last.
[[gnu::always_inline]] inline bool next_is_aligned(Word alignment, Word request) {
  if (!has_quick_cache()) return false;
  const void *const first = quick_cache().lists[units_for(request)];
  return first != nullptr && (address_of(first) & (alignment - 1)) == 0 && is_power_of_two(alignment);
}

// C5: whether a chunk of one size is worth more joined; first: of its list.
[[gnu::always_inline]] inline bool is_joined(Word head, void *const &first) {
  return __builtin_expect((head & kPrevInUse) == 0, 0) && first != nullptr;
}

// False: the chunk is too large, or there is no room, or it is to be joined.  pre: mem is not nullptr
[[gnu::always_inline]] inline bool give_quick(void *mem) {
  Chunk *const c = chunk_of(mem);
  const Word head = read_head(c);
  if (head >= kExactUnits * kAlign || !has_quick_cache()) return false;
  QuickCache &cache = quick_cache();
  void *&list = cache.lists[head / kAlign];
  if constexpr (kThreads) {
    const std::intptr_t room = cache.room - static_cast<std::intptr_t>(head & ~kFlags);
    if (room < 0) return false;
    cache.room = room;
  } else if (is_joined(head, list)) {
    return false;
  }
  if constexpr (kMarksWaiting) c->head = head ^ kWaitingFlip;
  set_link_of_held(mem, list);
  list = mem;
  return true;
}

// What take_quick could not: lists of larger chunks; that of a unit more; with threads the central list. nullptr: none has
// any. Neither locks the heap. In builds with probes they are all there is, and write the events of heap `id`.
// pre: request is rounded
void *take_cached(Word request, std::uint32_t id);
// What give_quick could not. False: the chunk is for the heap.
bool give_cached(void *mem, std::uint32_t id);

// Everything to the central lists.
void hand_over(QuickCache &cache, std::uint32_t id);
// C7 for the calling thread.
void end_cache(std::uint32_t id);
#if HG_THREADS
void end_thread_cache();  // the same at a thread's end, holding what a public function holds (abi/malloc_abi.cpp)
#endif
#if HG_TRACE && !HG_THREADS
// The cache moves, and the table of registered ones follows.
void move_cache(QuickCache &from, QuickCache &to);
#endif
Word bytes_of_chain(const void *mem);
// Bytes on the quick lists of all threads, and on the central lists.
Word cached_bytes();

}  // namespace heapglass
