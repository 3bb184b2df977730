// Where slabs lie: a byte for each KiB of the heap, from its beginning to behind the last slab.
//
//   | 0 | 0 | 1 | 2 | 3 | 0 | 1 | ...      0: no slab      n: the n-th KiB of one
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
    const std::uintptr_t at = address_of(mem) / kSlabStep;
    const std::uintptr_t i = at - first_;
    if (i >= length_) return nullptr;
    const Word part = parts_[i];
    if (part == 0) return nullptr;
    auto *const slab = reinterpret_cast<Slab *>((at - (part - 1)) * kSlabStep);
    if (slab == nullptr) __builtin_unreachable();
    return slab;
  }

  // Whether there is a byte for each of its steps now. False: out of memory.
  bool cover(Heap &heap, const Slab *slab, Word steps);
  void add(const Slab *slab, Word steps) {
    for (Word n = 0; n < steps; ++n) parts_[index_of(slab) + n] = static_cast<std::uint8_t>(n + 1);
  }
  void remove(const Slab *slab, Word steps) { __builtin_memset(&parts_[index_of(slab)], 0, steps); }

  // Each slab once. O(KiB).
  template <class See>
  void each(See see) const {
    for (Word i = 0; i < length_; ++i) {
      if (parts_[i] == 1) see(reinterpret_cast<const Slab *>((first_ + i) * kSlabStep));
    }
  }
  Word release(Heap &heap);  // there are no slabs; its bytes
  Word bytes() const { return parts_ != nullptr ? size_of(chunk_of(parts_)) : 0; }  // of its chunk

  std::uint8_t *parts_;
  Word length_;
  std::uintptr_t first_;  // the KiB in which the heap begins

 private:
  Word index_of(const Slab *slab) const { return address_of(slab) / kSlabStep - first_; }
};

}  // namespace heapglass
