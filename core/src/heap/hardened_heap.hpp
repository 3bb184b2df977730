// What a hardened build checks when the heap takes a chunk back, or finds one. malloc/hardened.hpp states the rules.
//
// Each check is O(1); only the report of a foreign pointer takes O(segments). The key proves the words that are read, so no address
// is compared with the bounds of the heap: a damaged link or size may also end the program by an access outside memory. The checked
// build (heap/guard.hpp) also says what is wrong; these checks only end the program.
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

struct HardenedHeap {
  // mem is a block in use: its header and the header behind it agree. The foot before it is not read: see check_before.
  // pre: with threads, the heap's lock is held
  static void check_in_use(const Heap &heap, const void *mem) {
    if (__builtin_expect(!looks_in_use(mem), 0)) prove_in_use(heap, mem);
  }
  // Not 0: there are heaps beside the default one (malloc.P13).
  [[gnu::always_inline]] static Word others() { return seen(others_); }
  static void count_other([[maybe_unused]] Word more) {
    if constexpr (kHardened) __atomic_fetch_add(&others_, more, __ATOMIC_RELAXED);
  }
  // False: unknown. Needs no lock: the header of a block in use, and P behind it, change by whole words only.
  [[gnu::noinline]] static bool looks_in_use(const void *mem) {
    const Chunk *const c = chunk_of(mem);
    const Word head = quick_head(c);
    const Word behind = quick_head(chunk_at(c, head & kNear & ~kFlags));
    const Word wrong = ((head ^ kInUse) & ((~kNear | kFlags) & ~kPrevInUse)) | ((behind ^ kPrevInUse) & (~kNear | kPrevInUse));
    return (wrong | others()) == 0;
  }
  // malloc.P11: mem is malloc's own from now on, or no longer, which proves that it is in use.
  [[gnu::noinline]] static void set_own(void *mem);
  [[gnu::noinline]] static void clear_own(const Heap &heap, void *mem);
  // The same of a block of whatever heap, as well as the headers alone can say it.
  [[gnu::noinline]] static void check_elsewhere(const void *mem);
  // c is a free chunk: its header, its foot and the header behind it agree.
  [[gnu::noinline]] static void check_free(const Heap &heap, const Chunk *c);
  // The chunk before c, which c's header calls free, ends where c begins.
  [[gnu::noinline]] static void check_before(const Heap &heap, const Chunk *c);
  // A walk over a bin comes to c: it is free, and only the first chunk has none before it.
  [[gnu::noinline]] static void check_listed(const Heap &heap, const Chunk *c, bool is_first);
  // A walk over the segment comes to c: it ends inside, and the header behind it says the same of it. So the walk ends, and shows no other size.
  [[gnu::noinline]] static void check_walked(const Segment *segment, const Chunk *c);
  // The segment's size leads to a sentinel, and the next segment lies behind it.
  [[gnu::noinline]] static void check_segment(const Segment *segment);

 private:
  static inline Word others_ = 0;
  static constexpr Word kNear = 64 * 1024 - 1;  // for sizes up to here the header behind is read at once
  [[gnu::noinline]] static void prove_in_use(const Heap &heap, const void *mem);
  static bool is_behind_free(const Heap &heap, const Chunk *next);
  [[gnu::always_inline]] static bool is_header(const Heap &heap, const Chunk *c, Word head);
};

}  // namespace heapglass
