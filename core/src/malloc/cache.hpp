// Which cache malloc has in this build, and what every cache can do.
//
//   SoloCache     the program has one thread                                          solo_cache.hpp
//   ThreadCache   each thread has one; full ones hand over to central lists           thread_cache.hpp
//   PlayedCache   builds with probes and one thread, where threads may be played      played_cache.hpp
//   NoCache       the profile `small`: everything goes to the heap
#pragma once

#include <concepts>

#include "malloc/played_cache.hpp"
#include "threads/thread_local.hpp"

namespace heapglass {

template <class C>
concept BlockCache = requires(C cache, const C &seen, void *mem, Heap &heap, Word bytes, unsigned size_class) {
  // Fast paths, no lock is held.
  { cache.pop(size_class) } -> std::same_as<void *>;  // a chunk of the class; nullptr: the list is empty
  { cache.push(mem) } -> std::same_as<bool>;          // false: not for this cache, or not now
  { cache.pop_small(size_class) } -> std::same_as<void *>;  // of the magazine or the current slab; nullptr: there is none
  { cache.push_small(size_class, mem) };                    // a block of a slab of that class
  // Slow paths, no lock is held.
  { seen.first(size_class) } -> std::same_as<void *>;        // what pop gives next, but in hardened builds
  { seen.offers(bytes) } -> std::same_as<bool>;               // whether a block for such a request is at hand
  { cache.fetch(size_class, heap) } -> std::same_as<void *>;  // a chunk for the class from elsewhere (malloc.S2); nullptr: none
  { cache.uses_slabs(heap) } -> std::same_as<bool>;           // small blocks come from slabs
  { cache.refill_slab(size_class, heap) } -> std::same_as<bool>;  // whether the class's current slab has a block now
  { cache.pop_chunk(size_class, size_class, heap) } -> std::same_as<void *>;  // as pop and then more, for a class of slabs; nullptr: none
  { cache.push_slow(mem, heap) } -> std::same_as<bool>;       // what push refused; false: the chunk is for the heap
  { cache.fetch_large(bytes) } -> std::same_as<void *>;       // the chunk that waits (malloc.W1); nullptr: it has another size
  // The heap's lock is held.
  { cache.before_heap(heap) } -> std::same_as<Word>;    // malloc asks the heap for something: the bytes of what waited and went back
  { cache.before_carving(heap, bytes) };                // a chunk is about to be cut from the heap
  { cache.before_growth(heap) } -> std::same_as<bool>;  // linear memory is about to grow: whether chunks went back
  { cache.flush(heap) } -> std::same_as<Word>;          // every cached chunk that it can reach becomes free: their bytes
  { cache.bytes() } -> std::same_as<Word>;              // of chunks cached by all threads
};

struct NoCache {
  void *pop(unsigned) { return nullptr; }
  bool push(void *) { return false; }
  void *first(unsigned) const { return nullptr; }
  bool offers(Word) const { return false; }
  void *fetch(unsigned, Heap &) { return nullptr; }
  bool push_slow(void *, Heap &) { return false; }
  bool uses_slabs(Heap &) const { return false; }
  bool refill_slab(unsigned, Heap &) { return false; }
  void *pop_small(unsigned) { return nullptr; }
  void *pop_chunk(unsigned, unsigned, Heap &) { return nullptr; }
  void push_small(unsigned, void *) {}
  void *fetch_large(Word) { return nullptr; }
  Word before_heap(Heap &) { return 0; }
  void before_carving(Heap &, Word) {}
  bool before_growth(Heap &) { return false; }
  Word flush(Heap &) { return 0; }
  Word bytes() const { return 0; }
};

static_assert(BlockCache<SoloCache> && BlockCache<ThreadCache> && BlockCache<PlayedCache> && BlockCache<NoCache>);

#if HG_MALLOC == 2
using Cache = NoCache;
inline NoCache g_no_cache;
inline Cache &own_cache() { return g_no_cache; }
#elif HG_THREADS
using Cache = ThreadCache;
[[gnu::always_inline]] inline Cache &own_cache() { return t_cache; }
#elif HG_TRACE
using Cache = PlayedCache;
inline Cache &own_cache() { return g_played_cache; }
#else
using Cache = SoloCache;
[[gnu::always_inline]] inline Cache &own_cache() { return g_solo_cache; }
#endif

// Whether the calling thread has variables of its own already (threads.L3), and so a cache. The fast paths ask before they use it.
[[gnu::always_inline]] inline bool has_own_cache() { return !kThreads || has_thread_locals(); }

// The calling thread's cache, or one that has ended (malloc.T9): whoever has that one uses the heap.
[[gnu::always_inline]] inline Cache &my_cache() {
#if HG_THREADS
  return has_thread_locals() ? t_cache : g_ended_cache;
#else
  return own_cache();
#endif
}

}  // namespace heapglass
