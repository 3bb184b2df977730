// The checked build's eyes: what a caller gives, and what the heap finds, is proved before it is used. In other builds
// every function here is empty.
//
// The proofs on the way are O(segments); only when one fails is the segment walked to say what exactly is wrong.
//
//  Patterns, so that stale and unset bytes show: 0xa5 new payload, 0xdd freed payload.
#pragma once

#include "base/failure.hpp"
#include "heap/hardened_heap.hpp"
#include "heap/heap.hpp"

namespace heapglass {

struct Guard {
  // mem is a chunk in use of this heap, with header and tags intact, and its owner's; else fails with a kind of HG_FAILURES.
  static void check_in_use(const Heap &heap, const void *mem) {
    if constexpr (kChecked) {
      prove_in_use(heap, mem);
      prove_not_cached(heap, mem);
    }
    if constexpr (kHardened) HardenedHeap::check_in_use(heap, mem);
  }
  // The same of a cached chunk.
  static void check_cached(const Heap &heap, const void *mem) {
    if constexpr (kChecked) prove_in_use(heap, mem);
  }
  // c is a free chunk of this heap: header, foot and neighbour agree.
  static void check_free(const Heap &heap, const Chunk *c) {
    if constexpr (kChecked) prove_free(heap, c);
    if constexpr (kHardened) HardenedHeap::check_free(heap, c);
  }
  // The bin links of c lead to chunks that lead back.
  static void check_links(const Heap &heap, const Chunk *c) {
    if constexpr (kChecked) prove_links(heap, c);
    if constexpr (kHardened) HardenedHeap::check_links(heap, c);
  }
  static void fill_new(Chunk *c) {
    if constexpr (kChecked) __builtin_memset(mem_of(c), 0xa5, heapglass::usable_size(c));
  }
  // Also clears C, so that the stale header inside a larger free chunk tells a double free.
  static void fill_freed(Chunk *c, Word size) {
    if constexpr (kChecked) {
      __builtin_memset(mem_of(c), 0xdd, size - kWord);
      c->head &= ~(kInUse | kBlockMark);
    }
    if constexpr (kHardened) c->head &= ~kInUse;  // malloc.P5
  }

 private:
  static const Segment *segment_of(const Heap &heap, const void *at);
  static bool looks_in_use(const Segment *segment, const Chunk *c);
  static void prove_in_use(const Heap &heap, const void *mem);
  static void prove_not_cached(const Heap &heap, const void *mem);
  static void prove_free(const Heap &heap, const Chunk *c);
  static void prove_links(const Heap &heap, const Chunk *c);
  static bool may_lead_back(const Heap &heap, const Chunk *c);
  [[noreturn]] static void tell(const Segment *segment, const void *mem);
};

}  // namespace heapglass
