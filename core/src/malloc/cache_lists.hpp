// The lists of a cache, one for each size class, and what every cache does with them. A cache is one of
//
//   SoloCache     the program has one thread                                          solo_cache.hpp
//   ThreadCache   each thread has one; full ones hand over to central lists           thread_cache.hpp
//   PlayedCache   builds with probes and one thread, where threads may be played      played_cache.hpp
//
// and has these functions, which malloc.hpp calls:
//
//   pop(k)                       a chunk of the class, nullptr when the list is empty        fast paths
//   push(mem)                    false: not for this cache, or not now
//   fetch(k, heap)               a chunk of the class from elsewhere, nullptr: none          slow paths, no lock is held
//   push_slow(mem, heap)         what push refused; false: the chunk is for the heap
//   before_carving(heap, bytes)  a chunk is about to be cut from the heap                    the heap's lock is held
//   before_growth(heap)          linear memory is about to grow; whether chunks went back    "
//   flush(heap)                  every cached chunk it can reach becomes free; their bytes   "
//   bytes()                      of chunks cached by all threads
#pragma once

#include "malloc/cached_chunk.hpp"
#include "malloc/size_classes.hpp"

namespace heapglass {

// A share of the heap, 1/kShare: what may be carved before malloc thinks about its cache again.
inline constexpr Word kShare = 64;

struct CacheLists {
  [[gnu::always_inline]] void *pop(unsigned size_class) {
    void *const mem = lists[size_class];
    if (__builtin_expect(mem == nullptr, 0)) return nullptr;
    lists[size_class] = next_cached(mem);
    if constexpr (kMarksCached) chunk_of(mem)->head ^= kCachedFlip;
    return mem;
  }
  // pre: head is the chunk's header word, below kListedBytes
  [[gnu::always_inline]] void put(void *mem, Word head) {
    void *&list = lists[class_of_head(head)];
    set_next_cached(mem, list);
    list = mem;
    if constexpr (kMarksCached) chunk_of(mem)->head = head ^ kCachedFlip;
  }

  void *first(unsigned size_class) const { return lists[size_class]; }

  void *lists[kLists];
};

}  // namespace heapglass
