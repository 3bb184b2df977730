// The checked build's eyes on malloc: what a caller gives back, and what a list gives out, is proved first. Functions are
// empty in other builds.
#pragma once

#include "base/failure.hpp"
#include "heap/hardened_heap.hpp"
#include "heap/heap.hpp"
#include "malloc/hardened.hpp"

namespace heapglass {

struct CacheGuard {
  // mem is a chunk in use of the heap, and not cached.
  static void check_returned(const Heap &heap, const void *mem) {
    if constexpr (kChecked) prove_returned(heap, mem);
    check_pushed(heap, mem);
  }
  // The same, where only a hardened build does not know it yet.  pre: the heap's lock is not held
  [[gnu::always_inline]] static void check_pushed(const Heap &heap, const void *mem) {
    if constexpr (kHardened) {
      if (__builtin_expect(!HardenedHeap::looks_in_use(mem), 0)) prove_pushed(heap, mem);
    }
  }
  // The same.  pre: the heap's lock is held: what another thread frees meanwhile is seen
  [[gnu::always_inline]] static void check_released(const Heap &heap, const void *mem) {
    if constexpr (kHardened) HardenedHeap::check_in_use(heap, mem);
  }
  // mem is a cached chunk, as it was when it was given back, and its link leads to another.
  static void check_cached(const Heap &heap, const void *mem) {
    if constexpr (kChecked) prove_cached(heap, mem);
    if constexpr (kHardened) Hardened::check_cached(mem);
  }
  // The same, where only a hardened build does not know it yet.
  [[gnu::always_inline]] static void check_linked(const void *mem) {
    if constexpr (kHardened) Hardened::check_cached(mem);
  }
  // The same, of a chunk just taken from its list.
  static void check_taken(const Heap &heap, const void *mem) {
    if constexpr (kChecked) prove_cached(heap, mem);
  }
  // mem, to which a list of `from` led that now moves to another, is a cached chunk of `from`. So it was not visited before.
  static void check_moved(const Heap &heap, const void *mem, std::uint32_t from) {
    if constexpr (kChecked) prove_moved(heap, mem, from);
  }
  // A batch led to next, as the first of its central list (malloc.C4); nullptr: it was the last one.
  static void check_next_batch(const Heap &heap, const void *batch, const void *next) {
    if constexpr (kChecked) prove_next_batch(heap, batch, next);
  }
  static void fill_freed(void *mem) {
    if constexpr (kChecked) __builtin_memset(mem, 0xdd, Heap::usable_size(mem));
  }
  // A batch that leaves a central list: the word that led to the next batch is freed memory again (malloc.C4).
  static void fill_next_batch(void *word) {
    if constexpr (kChecked) __builtin_memset(word, 0xdd, kWord);
    if constexpr (kHardened) __builtin_memset(word, 0, kWord);  // malloc.P7
  }
  static void fill_new(void *mem) {
    if constexpr (kChecked) __builtin_memset(mem, 0xa5, Heap::usable_size(mem));
  }

 private:
  [[gnu::noinline]] static void prove_pushed(const Heap &heap, const void *mem);
  static void prove_returned(const Heap &heap, const void *mem);
  static void prove_cached(const Heap &heap, const void *mem);
  static void prove_moved(const Heap &heap, const void *mem, std::uint32_t from);
  static void prove_next_batch(const Heap &heap, const void *batch, const void *next);
};

}  // namespace heapglass
