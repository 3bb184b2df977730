// Where slabs lie: a byte for each KiB of the heap, from its beginning to behind the last slab.
//
//   | 0 | 0 | k,0 | k,1 | k,2 | 0 | j,0 | ...      0: no slab      k,n: the KiB number n, from 0, of a slab of class k > 0
//
//  slab_map.M1  Nothing in it has a code. A wrong byte leads to no slab, whose code then fails, or to another one, in which the address is none of a
//               block; or it hides a slab, and then there is no header of a chunk before the block.
//  slab_map.M2  It lies in a chunk and moves to a larger one when a slab lies behind its end: O(KiB), each time a quarter longer.
#pragma once

#include "heap/heap.hpp"
#include "slab/slab.hpp"

namespace heapglass {

class SlabMap {
 public:
  void begin(const Heap &heap) { *this = {nullptr, 0, address_of(&heap) / kSlabStep}; }

  // nullptr: no slab lies there.
  [[gnu::always_inline]] Slab *slab_at(const void *mem) const {
    const Word part = part_at(mem);
    if (part == 0) return nullptr;
    auto *const slab = reinterpret_cast<Slab *>((address_of(mem) / kSlabStep - part % kMaxSteps) * kSlabStep);
    if (slab == nullptr) __builtin_unreachable();
    return slab;
  }
  // Of the slab there; 0: none lies there.
  [[gnu::always_inline]] unsigned class_at(const void *mem) const { return static_cast<unsigned>(part_at(mem) / kMaxSteps); }

  // Whether there is a byte for each of its steps now. False: out of memory.
  bool cover(Heap &heap, const Slab *slab, Word steps);
  void add(const Slab *slab, unsigned slab_class, Word steps) {
    for (Word n = 0; n < steps; ++n) parts_[index_of(slab) + n] = static_cast<std::uint8_t>(slab_class * kMaxSteps + n);
  }
  void remove(const Slab *slab, Word steps) { __builtin_memset(&parts_[index_of(slab)], 0, steps); }

  // Each slab once. O(KiB).
  template <class See>
  void each(See see) const {
    for (Word i = 0; i < length_; ++i) {
      if (const Slab *const s = beginning_in(i); s != nullptr) see(s);
    }
  }
  // The slab that begins in KiB i of the map; nullptr: none does.
  const Slab *beginning_in(Word i) const {
    return parts_[i] != 0 && parts_[i] % kMaxSteps == 0 ? reinterpret_cast<const Slab *>((first_ + i) * kSlabStep) : nullptr;
  }
  Word release(Heap &heap);  // there are no slabs; its bytes
  Word bytes() const { return parts_ != nullptr ? size_of(chunk_of(parts_)) : 0; }  // of its chunk

  std::uint8_t *parts_;
  Word length_;
  std::uintptr_t first_;  // the KiB in which the heap begins

 private:
  [[gnu::always_inline]] Word part_at(const void *mem) const {
    const std::uintptr_t i = address_of(mem) / kSlabStep - first_;
    return i < length_ ? parts_[i] : 0;
  }
  Word index_of(const Slab *slab) const { return address_of(slab) / kSlabStep - first_; }
};

}  // namespace heapglass
