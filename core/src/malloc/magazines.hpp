// Small blocks that were freed last, by class, in front of the slabs: what is asked for again at once touches neither slab nor block.
//
//   | count | block 1 | ... | block 15 |      one for each class: blocks of slabs, and of chunks of a class that has no slab yet
//
//  magazines.G1  malloc takes the block that came last. An empty magazine is loaded from a list of chunks only: to take the bit of a block
//                of the current slab is as quick.
//  magazines.G2  A block that finds its magazine full goes on to its slab (or to a list), so whole phases of blocks end there and none waits long.
//  magazines.G3  They are unloaded when the cache ages and when it is flushed.
//  magazines.G4  Class k has blocks of at least k * kAlign bytes: of slabs of that class, and of chunks of k + 1 units; but the last one has no
//                chunks, since larger requests, for which nobody looks here, have the same.
//
// Jeff Bonwick and Jonathan Adams, "Magazines and Vmem: Extending the Slab Allocator to Many CPUs and Arbitrary Resources" (2001), gave the name.
#pragma once

#include <type_traits>

#include "slab/slab.hpp"

namespace heapglass {

class Magazines {
 public:
  static constexpr unsigned kClasses = slab_class_for(kMaxSlabRequest) + 1;
  static constexpr Word kRounds = 15;  // and their count: a power of two

  // nullptr: it is empty
  [[gnu::always_inline]] void *pop(unsigned slab_class) {
    Magazine &m = of_[slab_class];
    const Word count = m.count;
    if (__builtin_expect(count == 0, 0)) return nullptr;
    m.count = count - 1;
    void *const mem = m.blocks[count - 1];
    if (mem == nullptr) __builtin_unreachable();
    return mem;
  }
  // False: it is full.
  [[gnu::always_inline]] bool push(unsigned slab_class, void *mem) {
    Magazine &m = of_[slab_class];
    const Word count = m.count;
    if (__builtin_expect(count == kRounds, 0)) return false;
    m.count = count + 1;
    m.blocks[count] = mem;
    return true;
  }

  // Each block, the oldest of a class first.
  template <class Take>
  void each(Take take) const {
    for (const Magazine &m : of_) {
      for (Word n = 0; n < m.count; ++n) take(m.blocks[n]);
    }
  }
  void clear() {
    for (Magazine &m : of_) m.count = 0;
  }
  bool is_empty(unsigned slab_class) const { return of_[slab_class].count == 0; }
  bool empty() const {
    for (const Magazine &m : of_) {
      if (m.count != 0) return false;
    }
    return true;
  }

 private:
  struct Magazine {
    Word count;
    void *blocks[kRounds];
  };
  Magazine of_[kClasses];
};

// Of builds that have none.
struct NoMagazines {
  void *pop(unsigned) { return nullptr; }
  bool push(unsigned, void *) { return false; }
  template <class Take>
  void each(Take) const {}
  void clear() {}
  bool is_empty(unsigned) const { return true; }
  bool empty() const { return true; }
};
using SmallBlocks = std::conditional_t<kMagazines, Magazines, NoMagazines>;

}  // namespace heapglass
