// The cache of a program with one thread, and when it is given back.
//
//   allocate -> list empty -> [carved enough? look] -> the heap cuts a chunk
//                                  |
//                                  +-> cached bytes > working set + share: flush
//
//  malloc.L1  Nothing is counted when a block is taken or freed. What is counted is what malloc carves: chunks that the heap
//             has to cut because a list was empty.
//  malloc.L2  Each time a share (1/32) of the heap was carved for lists, malloc looks at its cache. If the cache has grown by more than a
//             share over the working set, it holds sizes that the program no longer asks for: it is flushed.
//  malloc.L3  The working set is what the last looks found cached, counted no further than the limit of malloc.L2. It fades by
//             a quarter at each look that finds less. So a program in a steady state is flushed rarely (random sizes: once in
//             thousands of calls), and one that changes its sizes is flushed at each change.
//  malloc.L4  Before linear memory grows the cache is flushed as well, if a share was carved since the last flush. A flush walks
//             over the heap: so it costs O(1) for each byte carved, however small the steps of growth.
//  malloc.L5  A chunk whose neighbour before it is free goes to the heap, which joins both; unless its list is empty, so that
//             malloc and free in turn stay quick wherever the chunk lies.
#pragma once

#include "heap/heap.hpp"
#include "malloc/cache_lists.hpp"

namespace heapglass {

class SoloCache : public CacheLists {
 public:
  [[gnu::always_inline]] bool push(void *mem) {
    const Word head = chunk_of(mem)->head;
    constexpr Word kNotNow = kPrevInUse | ~(kListedBytes - 1);  // malloc.L5, malloc.S4
    if (__builtin_expect(((head ^ kPrevInUse) & kNotNow) != 0, 0)) return false;
    put(mem, head);
    return true;
  }
  bool push_slow(void *mem, Heap &) {
    const Word head = chunk_of(mem)->head;
    if (head >= kListedBytes || lists[class_of_head(head)] != nullptr) return false;
    put(mem, head);
    return true;
  }
  void *fetch(unsigned, Heap &) { return nullptr; }

  void before_carving(Heap &heap, Word bytes) {
    carved_since_flush_ += bytes;
    if (bytes >= kListedBytes) return;
    if (bytes <= until_look_) {
      until_look_ -= bytes;
    } else {
      look(heap);
    }
  }
  bool before_growth(Heap &heap);
  Word flush(Heap &heap);
  Word bytes() const { return bytes_up_to(~Word{0}); }  // O(cached chunks)

 private:
  [[gnu::noinline]] void look(Heap &heap);
  Word bytes_up_to(Word limit) const;

  Word until_look_;  // bytes that may be carved before the next look
  Word carved_since_flush_;
  Word working_set_;  // bytes: malloc.L3
};

extern SoloCache g_solo_cache;

}  // namespace heapglass
