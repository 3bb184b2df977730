// malloc and free: the fast paths. What they do not find, the slow paths in malloc.cpp do.
//
//   allocate    a small block: the class's magazine -> a bit of its slab -> another slab -> a new one
//               list of the request's class -> its old or central list -> next classes' lists -> the heap -> [flush] -> memory grows
//   deallocate  a block of a slab: its class's magazine -> its bit
//               list of the chunk's class -> [threads: hand over] -> the heap, which joins neighbours
//
//  malloc.M1  All of it works on the default heap. Every block is a chunk of that heap, and knows all of the heap's commands; but in most
//             builds small blocks lie in slabs (slab/slab.hpp), for which abi/slab_block.hpp answers.
//  malloc.M2  The fast paths lock nothing and call nothing. What touches the heap holds its lock, in builds with threads.
//  malloc.M3  With probes it is the same text, which then also writes events and, in the checked build, proves what callers
//             give back. The caller holds the lock that keeps the trace one story (heap/locked.hpp).
//  malloc.M4  The profile `small` (kLeastCode) has no cache: everything goes to the heap.
//  malloc.M5  Memory is out only when nothing is cached that this thread can flush: the cache goes to the heap, which looks again.
//  malloc.M6  What lies before top needs no search (docs/decisions/0028): a block without a list is cut from top when no hole serves,
//             joined with it when it is freed, and resized by moving the boundary between both.
#pragma once

#include <heapglass/malloc.h>

#include "heap/default_heap.hpp"
#include "malloc/cache.hpp"
#include "malloc/flush.hpp"
#include "malloc/heap_lock.hpp"
#include "slab/slabs.hpp"

namespace heapglass {

class Malloc {
 public:
  // nullptr when memory is out. With probes each call has made it before it took the lock of malloc.M3, under which none may be made.
  [[gnu::always_inline]] static Heap *heap() {
    if constexpr (kTraced) return Heap::default_heap_if_made();
    if constexpr (!kHardened) return default_heap();
    Heap *const made = Heap::default_heap_if_made();  // -Oz would call a function for this on each slow path
    return made != nullptr ? made : make_default_heap();
  }

  // What the fast path does not find. A caller that does more with the block gives a function of its own, which the fast path ends with: to
  // come back to it would cost the fast path a frame.
  struct Slow {
    static void *listed(Word request) { return allocate_slow(request); }
    static void *large(Word request) {
      if constexpr (kLargeShortcut) return allocate_large(request);
      return allocate_slow(request);
    }
  };

  template <class Otherwise = Slow>
  [[gnu::always_inline]] static void *allocate(Word request) {
    if (kSlabs && __builtin_expect(request <= kMaxSlabRequest, 1)) {
      void *const mem = has_own_cache() ? own_cache().pop_small(slab_class_for(request)) : nullptr;
      if (__builtin_expect(mem == nullptr, 0)) return Otherwise::listed(request);
      return kTraced ? reused(mem, request) : mem;
    }
    if (!kLeastCode && __builtin_expect(request <= kMaxListed, 1)) {
      void *const mem = has_own_cache() ? own_cache().pop(class_for_request(request)) : nullptr;
      if (__builtin_expect(mem != nullptr, 1)) return kTraced ? reused(mem, request) : mem;
      return Otherwise::listed(request);
    }
    return Otherwise::large(request);
  }

  [[gnu::always_inline]] static void deallocate(void *mem) {
    if (kTraced && (mem == nullptr || !about_to_free(mem))) return;
    if constexpr (kSlabs) {
      const unsigned slab_class = g_slab_map.class_at(mem);  // 0 of nullptr, too
      if (slab_class != 0) {
        my_cache().push_small(slab_class, mem);
        if constexpr (kTraced) cached(mem);
        return;
      }
    }
    if (mem == nullptr) return;
    if (has_own_cache() && __builtin_expect(own_cache().push(mem), 1)) {
      if constexpr (kTraced) cached(mem);
      return;
    }
    deallocate_slow(mem);
  }

  // The same out of line, for those that do more than that.
  [[gnu::noinline]] static void *allocate_called(Word request) { return allocate(request); }

  static void *reallocate(void *mem, Word request);
  static void *reallocate_in_place(void *mem, Word request);
  static void set_status(Heap &heap, std::uint32_t status);  // under the heap's lock
  static void *allocate_aligned(Word alignment, Word request);
  static Word flush();
  static Word usable_size(const void *mem);
  static void get_stats(hg_malloc_stats *stats);
#if HG_THREADS
  static void end_thread();  // what a thread does last
#endif

 private:
  // malloc.M6. With probes or threads the slow path alone: it gives the same chunks.
  static constexpr bool kLargeShortcut = kQuick && !kTraced && !kThreads;

  [[gnu::noinline]] static void *allocate_slow(Word request);
  [[gnu::noinline]] static void *allocate_large(Word request);
  [[gnu::noinline]] static void deallocate_slow(void *mem);
  [[gnu::noinline]] static void *allocate_in_slab(Heap &heap, Cache &cache, Word request);
  static void *ended(Heap *heap, void *mem);
  // Only in builds with probes.
  static void taken_from_list(Heap *heap, void *mem, Word request);
  static void *reused(void *mem, Word request);
  static bool about_to_free(void *mem);  // false: it stays (thread_block.hpp)
  static void cached(void *mem);
};

}  // namespace heapglass
