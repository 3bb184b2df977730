// The checked build proves every argument of a caller, and every chunk that the heap finds, before it uses them. In other builds
// all functions here are empty.
//
// These proofs are O(segments + chunks in a region of 4 KiB). Only after a failed proof is the segment walked, to report what
// exactly is wrong.
//
//  Patterns, so that stale and unset bytes show: 0xa5 new payload, 0xdd freed payload.
//
//  guard.F1  Between the links and the foot of a free chunk every byte is 0xdd, as its free (or its segment) left it.
//
//    | head | next | prev | dd dd dd dd dd dd dd dd dd dd | foot |
//
//  guard.F2  Where free chunks are joined, the words that were head, links or foot become 0xdd. Where a free chunk is cut, the new
//            words overwrite such bytes.
//  guard.F3  Only the bytes that leave a free chunk are proved, when they leave: O(bytes taken).
//  guard.F4  A caller's address is believed only when the headers lead there from a known start of a chunk (trace/chunk_starts.hpp).
//            What a program wrote inside its own blocks is never read as a header.
#pragma once

#include "base/failure.hpp"
#include "heap/hardened_heap.hpp"
#include "heap/heap.hpp"

namespace heapglass {

struct Guard {
  // Proves that mem is a chunk in use of this heap, with intact header and tags, and not cached; otherwise it fails with a kind of
  // HG_FAILURES.
  static void check_in_use(const Heap &heap, const void *mem) {
    if constexpr (kChecked) {
      prove_in_use(heap, mem);
      prove_of_program(mem);
    }
    if constexpr (kHardened) HardenedHeap::check_in_use(heap, mem);
  }
  // Proves the same for a cached chunk.
  static void check_cached(const Heap &heap, const void *mem) {
    if constexpr (kChecked) prove_in_use(heap, mem);
  }
  // c is a free chunk of this heap: header, foot and neighbour agree.
  static void check_free(const Heap &heap, const Chunk *c) {
    if constexpr (kChecked) prove_free(heap, c);
    if constexpr (kHardened) HardenedHeap::check_free(heap, c);
  }
  // The chunk before c is free, and ends where c begins.  pre: c's header says so
  static void check_before(const Heap &heap, const Chunk *c) {
    if constexpr (kChecked) prove_free(heap, prev_chunk(c));
    if constexpr (kHardened) HardenedHeap::check_before(heap, c);
  }
  // The bin links of c lead to chunks that lead back. (In a hardened build the bins prove it.)
  static void check_links(const Heap &heap, const Chunk *c) {
    if constexpr (kChecked) prove_links(heap, c);
  }
  // c, which is the first of a bin or follows another chunk of it, is free, and what it links to leads back. So a walk over a bin ends.
  static void check_listed([[maybe_unused]] const Heap &heap, [[maybe_unused]] const Chunk *c, [[maybe_unused]] bool is_first) {
    if constexpr (kHardened) HardenedHeap::check_listed(heap, c, is_first);
  }
  // The segment, to which the link of another one led, ends with a sentinel, and the next one lies behind it.
  static void check_segment([[maybe_unused]] const Segment *segment) {
    if constexpr (kHardened) HardenedHeap::check_segment(segment);
  }
  // The size of c, to which a walk of the segment came, does not lead out of the segment.
  static void check_walked(const Segment *segment, const Chunk *c) {
    if constexpr (kChecked) prove_walked(segment, c);
    if constexpr (kHardened) HardenedHeap::check_walked(segment, c);
  }
  static void fill_new(Chunk *c) {
    if constexpr (kChecked) __builtin_memset(mem_of(c), 0xa5, heapglass::usable_size(c));
  }
  // Also clears C, so that a double free shows in the header until c is joined with its neighbours.
  static void fill_freed(Chunk *c, Word size) {
    if constexpr (kChecked) {
      fill(c, kWord, size);
      c->head &= ~(kInUse | kBlockMark);
    }
  }
  // malloc.P5: the chunk c, in use or free, becomes the inside of a larger one.
  static void end_chunk(Chunk *c) { forget_words(c, kWord); }
  // Fills the bytes [from, end) of c, which become the inside of a free chunk. Always inline, and called with existing values: at
  // -Oz an empty call, or a call that only computes its argument, would stay.
  [[gnu::always_inline]] static void fill(Chunk *c, Word from, Word end) {
    if constexpr (kChecked) {
      if (from < end) __builtin_memset(at_offset<void>(c, from), kFreedByte, end - from);
    }
  }
  // The chunk behind c, when it is free.
  [[gnu::always_inline]] static void fill_next(Chunk *c) {
    if constexpr (kChecked) {
      Chunk *const next = next_chunk(c);
      if (!in_use(next)) fill(next, sizeof(Chunk), size_of(next) - kWord);
    }
  }
  // guard.F2: fills head and links of a chunk that was joined, and the foot before `next`.
  [[gnu::always_inline]] static void fill_head(Chunk *c) { fill(c, 0, sizeof(Chunk)); }
  [[gnu::always_inline]] static void fill_foot(Chunk *next) {
    if constexpr (kChecked) fill(reinterpret_cast<Chunk *>(address_of(next) - kWord), 0, kWord);
  }
  // guard.F3: proves that the bytes [from, end) of c, whole words inside a free chunk, are still filled. The range must not
  // contain head, links or foot.
  [[gnu::always_inline]] static void check_filled(const Chunk *c, Word from, Word end) {
    if constexpr (kChecked) prove_filled(c, from, end);
  }
  [[gnu::always_inline]] static void check_untouched(const Chunk *c, Word end) { check_filled(c, sizeof(Chunk), end); }
  // guard.F1: the first word of a free chunk that is no longer filled; nullptr: none.
  [[gnu::always_inline]] static const Word *first_changed(const Chunk *c) {
    if constexpr (!kChecked) return nullptr;
    return first_changed(c, sizeof(Chunk), size_of(c) - kWord);
  }

 private:
  static constexpr unsigned char kFreedByte = 0xdd;
  static const Word *first_changed(const Chunk *c, Word from, Word end);
  static void prove_filled(const Chunk *c, Word from, Word end);
  static const Segment *segment_of(const Heap &heap, const void *at);
  static bool looks_whole(const Chunk *c, const Chunk *end);
  static bool looks_in_use(const Segment *segment, const Chunk *c);
  static bool leads_to(const Chunk *from, const Chunk *c);
  static bool begins_at(const Segment *segment, const Chunk *c);
  static void prove_in_use(const Heap &heap, const void *mem);
  static void prove_of_program(const void *mem);
  static void prove_free(const Heap &heap, const Chunk *c);
  static void prove_walked(const Segment *segment, const Chunk *c);
  static void prove_links(const Heap &heap, const Chunk *c);
  static bool may_lead_back(const Heap &heap, const Chunk *c);
  [[noreturn]] static void report(const Segment *segment, const void *mem);
};

}  // namespace heapglass
