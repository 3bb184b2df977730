// The large chunk that was freed last. It waits until malloc asks the heap for something, and serves a request of its own size.
//
//   free(large) ──> waits ──malloc of the same size──> the program           no search, no joining
//                     └──malloc asks the heap for anything, or another large chunk is freed──> the heap, which joins it
//
//  malloc.W1  At most one chunk of each cache waits, and only one without a list (malloc.S4) whose neighbour before it is in use:
//             else a run that is freed from its beginning would be cut in two by its last block. With one thread none waits that lies
//             before top (malloc.M6).
//  malloc.W2  It goes back before malloc, on its thread, asks the heap for a chunk or to resize one. The heap asks for it (GrowthHook)
//             before it grows, and before a command of its own reallocates or expands a block. So with one thread each such request
//             finds the heap as if nothing had waited: waiting costs no memory, and hides no room. With threads it costs at most
//             what a cache may hold (malloc.T8). Other callers of the heap see it as they see any cached chunk.
//  malloc.W3  Hardened builds have none: there the order of reuse is not to be predicted.
#pragma once

#include "heap/heap.hpp"
#include "malloc/flush.hpp"

namespace heapglass {

class WaitingChunk {
 public:
  Word bytes() const { return !kHardened && mem_ != nullptr ? size_of_block(mem_) : 0; }

  const void *mem() const { return mem_; }  // nullptr: none waits
  // nullptr: it does not have this size.
  void *take(Word size) {
    void *const mem = mem_;
    if (kHardened || mem == nullptr || size_of_block(mem) - size >= kMinChunk) return nullptr;
    if constexpr (kMarksCached) unmark_cached(chunk_of(mem));
    mem_ = nullptr;
    return mem;
  }
  // What waited goes back to the heap; its bytes.  pre: the heap's lock is held
  Word release(Heap &heap) { return kHardened || mem_ == nullptr ? 0 : release_now(heap); }
  // pre: nothing waits, and may_wait(mem)
  void wait(void *mem) {
    set_next_cached(mem, nullptr);
    if constexpr (kMarksCached) mark_cached(chunk_of(mem), chunk_of(mem)->head);
    mem_ = mem;
  }
  // malloc.W1, malloc.W3.  pre: mem has no list
  static bool may_wait(const void *mem) { return !kHardened && (read_head(chunk_of(mem)) & kPrevInUse) != 0; }

 private:
  [[gnu::noinline]] Word release_now(Heap &heap) {
    return release_chain(heap, mem_);
  }

  void *mem_;
};

}  // namespace heapglass
