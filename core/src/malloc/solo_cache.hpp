// The cache of a program with one thread, and when chunks go back from it to the heap.
//
//   free ──> lists ──a share was carved──> old_ ──another share was carved──> the heap, joined with neighbours
//              ^                             |
//   malloc <───+──── a few, when empty ──────+
//
//  malloc.L1  Nothing is counted when a block is taken from a list or put on it. What is counted is what malloc carves:
//             chunks that the heap has to cut because a list was empty.
//  malloc.L2  Each time a share of the heap was carved, the cache ages: the chunks of the old lists go back to the heap, and the
//             others become old. So a chunk that goes back was not requested while a share was carved. A program in a steady
//             state carves nothing, and nothing ages.
//  malloc.L3  An empty list is filled from its old one, a few chunks at a time. An old list that filled another since the cache
//             aged last is wanted: of it only about a 32nd of the carved bytes goes back. So what is requested stays, and a
//             list that is requested rarely and holds much does end.
//  malloc.L4  A chunk goes back to the heap at most once for each time it was freed. So caching costs O(1) more than freeing at
//             once, whatever the program does.
//  malloc.L5  Before linear memory grows all cached chunks go back, if a share was carved since the last time. With no such
//             condition, growth by small steps would keep the cache empty.
//  malloc.L6  A chunk whose neighbour before it is free goes to the heap, which joins both; unless its list is empty, so that
//             malloc and free in turn stay quick wherever the chunk lies.
#pragma once

#include "heap/heap.hpp"
#include "malloc/cache_guard.hpp"
#include "malloc/cache_lists.hpp"
#include "malloc/magazines.hpp"
#include "malloc/waiting_chunk.hpp"

namespace heapglass {

class SoloCache : public CacheLists {
 public:
  [[gnu::always_inline]] void *pop_small(unsigned slab_class) {
    if constexpr (!kSlabs) return nullptr;
    void *const mem = magazines_.pop(slab_class);
    if (kTraced && mem != nullptr) is_slab_block(mem) ? unmark_waiting(mem) : unmark_cached(chunk_of(mem));
    return mem != nullptr ? mem : g_slabs.pop(slab_class);
  }
  [[gnu::always_inline]] void push_small(unsigned slab_class, void *mem) {
    if constexpr (!kSlabs) return;
    if constexpr (!kMagazines) return g_slabs.push(slab_class, mem);
    mark_waiting(mem);
    if (__builtin_expect(!magazines_.push(slab_class, mem), 0)) g_slabs.push(slab_class, mem);
  }
  // Whether a block for such a request is at hand.
  bool offers(Word request) const {
    if (kMagazines && request <= kMaxSlabRequest) return !magazines_.is_empty(slab_class_for(request));
    return first(class_for_request(request)) != nullptr;
  }
  // A chunk of the class's lists, and some more for its magazine (magazines.G1); nullptr: they are empty.
  void *pop_chunk(unsigned slab_class, unsigned size_class, Heap &);
  [[gnu::always_inline]] bool push(void *mem) {
    if constexpr (kHardened) {
      const Word head = quick_head(chunk_of(mem));
      if (__builtin_expect(!Hardened::is_plain_block(chunk_of(mem), head), 0)) return false;
      put(mem, head);
      return true;
    }
    const Word head = chunk_of(mem)->head;
    constexpr Word kNotNow = kPrevInUse | ~(kListedBytes - 1);  // malloc.L6, malloc.S4
    if (__builtin_expect(((head ^ kPrevInUse) & kNotNow) != 0, 0)) return false;
    keep(mem, head);
    return true;
  }
  bool push_slow(void *mem, Heap &heap) {
    const Word head = chunk_of(mem)->head;
    if (head >= kListedBytes) return push_large(mem, heap);
    if (!takes_now(head)) return false;
    CacheGuard::check_pushed(heap, mem);
    keep(mem, head);
    return true;
  }
  void begin() {
    order.begin();
    magazines_.open();
  }
  void *fetch(unsigned size_class, Heap &);
  bool uses_slabs(Heap &) const { return kSlabs; }
  Slabs &slabs() { return g_slabs; }
  // Whether the class's current slab has a block now.
  bool refill_slab(unsigned slab_class, Heap &) {
    if constexpr (!kSlabs) return false;
    if (!g_slabs.refill(slab_class)) return false;
    magazines_.grow(slab_class);  // magazines.G5
    return true;
  }
  void *fetch_large(Word size) { return waiting_.take(size); }
  // What waits, or what before_carving and the heap would give from top; nullptr: neither serves without more.
  void *take_large(Heap &heap, Word size, Word request) {
    if (waiting_.bytes() != 0) return waiting_.take(size);
    Chunk *const c = heap.take_large_from_top(size, request);
    if (c == nullptr) return nullptr;
    carved_since_flush_ += size;
    return mem_of(c);
  }
  Word before_heap(Heap &heap) { return waiting_.release(heap); }  // the bytes of what waited

  [[gnu::noinline]] void before_carving(Heap &heap, Word bytes) {
    before_heap(heap);
    carved_since_flush_ += bytes;
    if (bytes >= kListedBytes) return;  // no list would have had it
    if (bytes <= until_aging_) {
      until_aging_ -= bytes;
    } else {
      age_now(heap);
    }
  }
  bool before_growth(Heap &heap);
  Word flush(Heap &heap);
  Word bytes() const;  // O(cached chunks)
  // Each cached chunk once; nullptr after the last. cursor: two words, 0 at first: {lists done, chunk}. (cached_pages.cpp)
  static constexpr Word kAllLists = 2 * kHeads;  // and the chunk that waits comes behind them
  const void *next_of_all(Word *cursor) const {
    const void *mem = cursor[1] != 0 ? next_cached(reinterpret_cast<const void *>(cursor[1])) : nullptr;
    while (mem == nullptr && cursor[0] < kAllLists) {
      const Word list = cursor[0]++;
      mem = list < kHeads ? lists[list] : old_[list - kHeads];
    }
    if (mem == nullptr && cursor[0] == kAllLists) {
      ++cursor[0];
      mem = waiting_.mem();
    }
    cursor[1] = address_of(mem);
    return mem;
  }

 private:
  // In its magazine (magazines.G4), or on its list.
  [[gnu::always_inline]] void keep(void *mem, Word head) {
    const unsigned size_class = class_of_head(head);
    if (kMagazines && size_class < Magazines::kClasses - 1 && magazines_.push(size_class, mem)) {
      if constexpr (kMarksCached) mark_cached(chunk_of(mem), head);
    } else {
      put(mem, head);
    }
  }
  [[gnu::noinline]] static void put_in_slab(unsigned slab_class, void *mem);
  void unload();
  [[gnu::noinline]] bool refill(unsigned size_class);
  [[gnu::noinline]] void age_now(Heap &heap);
  Word age(Heap &heap, Word from_wanted);
  bool push_large(void *mem, Heap &heap) {
    if (!WaitingChunk::may_wait(mem)) return false;
    waiting_.release(heap);
    if (!WaitingChunk::may_wait(mem)) return false;  // what waited lay before it
    waiting_.wait(mem);
    return true;
  }

  // malloc.L6. A hardened push also refuses what it cannot prove at once.
  bool takes_now(Word head) const {
    return first(class_of_head(head)) == nullptr || (kHardened && (head & kPrevInUse) != 0);
  }

  bool wanted_[kHeads];  // of each old list, malloc.L3
  Word until_aging_;  // bytes that may be carved before
  Word carved_since_flush_;
  void *old_[kHeads];
  WaitingChunk waiting_;
  [[no_unique_address]] SmallBlocks magazines_;
};

extern SoloCache g_solo_cache;

}  // namespace heapglass
