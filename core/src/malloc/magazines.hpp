// Small blocks that were freed last, by class, in front of the slabs: what is asked for again soon touches no slab.
//
//   | space | first | ──> block ──> block ──> ...      one for each class: blocks of slabs, and of chunks of a class that has no slab yet
//
//  magazines.G1  malloc takes the block that came last. An empty magazine is loaded from a list of chunks only: to take the bit of a block
//                of the current slab is as quick.
//  magazines.G2  A block that finds its magazine full goes on to its slab (or to a list), so whole phases of blocks end there and none waits long.
//  magazines.G3  They are unloaded when the cache ages and when it is flushed.
//  magazines.G4  Class k has blocks of at least k * kAlign bytes: of slabs of that class, and of chunks of k + 1 units; but the last one has no
//                chunks, since larger requests, for which nobody looks here, have the same.
//  magazines.G5  It has kRounds blocks at most, and kGrowth more for each time that blocks had gone on to a slab and malloc came for them there. So
//                a program that builds and frees the same in turn soon has all of it here. Unloaded, it is small again: where malloc
//                carves, sizes change.
//  magazines.G6  All zero bits are closed magazines: nothing is in them, and they take nothing.
//
// Jeff Bonwick and Jonathan Adams, "Magazines and Vmem: Extending the Slab Allocator to Many CPUs and Arbitrary Resources" (2001), gave the name,
// and resize theirs, too.
#pragma once

#include <type_traits>

#include "malloc/cached_chunk.hpp"
#include "slab/slab.hpp"

namespace heapglass {

class Magazines {
 public:
  static constexpr unsigned kClasses = slab_class_for(kMaxSlabRequest) + 1;
  static constexpr Word kRounds = 15;
  static constexpr Word kGrowth = 16;

  // nullptr: it is empty
  [[gnu::always_inline]] void *pop(unsigned slab_class) {
    Magazine &m = of_[slab_class];
    void *const mem = m.first;
    if (__builtin_expect(mem == nullptr, 0)) return nullptr;
    m.first = next_cached(mem);
    ++m.space;
    return mem;
  }
  // False: it is full.
  [[gnu::always_inline]] bool push(unsigned slab_class, void *mem) {
    Magazine &m = of_[slab_class];
    const Word space = m.space;
    if (__builtin_expect(space == 0, 0)) return false;
    m.space = space - 1;
    set_next_cached(mem, m.first);
    m.first = mem;
    return true;
  }
  void grow(unsigned slab_class) { of_[slab_class].space += kGrowth; }

  // Each block, the newest of a class first; it may be taken for something else then.
  template <class Take>
  void each(Take take) const {
    for (const Magazine &m : of_) {
      for (void *mem = m.first; mem != nullptr;) {
        void *const next = next_cached(mem);
        take(mem);
        mem = next;
      }
    }
  }
  // The newest `count` blocks, while take takes them.
  template <class Take>
  void give(unsigned slab_class, Word count, Take take) {
    Magazine &m = of_[slab_class];
    while (count-- != 0 && m.first != nullptr) {
      void *const mem = m.first, *const next = next_cached(mem);
      if (!take(mem)) return;
      m.first = next;
      ++m.space;
    }
  }
  // Of a build or thread that has a cache: they are empty then.
  void open() {
    for (Magazine &m : of_) m = {kRounds, nullptr};
  }
  void close() {  // magazines.G6.  pre: they are empty
    for (Magazine &m : of_) m = {};
  }
  bool is_empty(unsigned slab_class) const { return of_[slab_class].first == nullptr; }
  bool empty() const {
    for (const Magazine &m : of_) {
      if (m.first != nullptr) return false;
    }
    return true;
  }

 private:
  struct Magazine {
    Word space;  // for so many blocks more
    void *first;
  };
  Magazine of_[kClasses];
};

// Of builds that have none.
struct NoMagazines {
  void *pop(unsigned) { return nullptr; }
  bool push(unsigned, void *) { return false; }
  void grow(unsigned) {}
  template <class Take>
  void each(Take) const {}
  void open() {}
  void close() {}
  bool is_empty(unsigned) const { return true; }
  bool empty() const { return true; }
};
using SmallBlocks = std::conditional_t<kMagazines, Magazines, NoMagazines>;

}  // namespace heapglass
