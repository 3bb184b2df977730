// See slab_map.hpp.
#include "slab/slab_map.hpp"

#include "heap/hardened_heap.hpp"

namespace heapglass {

bool SlabMap::cover(Heap &heap, const Slab *slab, Word steps) {
  constexpr Word kSpare = 64;  // steps
  const Word needed = index_of(slab) + steps;
  if (needed <= length_) return true;
  const Word longer = length_ + length_ / 4 + kSpare;
  const Word length = longer > needed + kSpare ? longer : needed + kSpare;
  Chunk *const c = heap.take_chunk(chunk_size_for(length), length);
  if (c == nullptr) return false;
  auto *const parts = static_cast<std::uint8_t *>(mem_of(c));
  if (parts_ != nullptr) __builtin_memcpy(parts, parts_, length_);
  const Word had = length_;
  release(heap);
  __builtin_memset(parts + had, 0, length - had);
  parts_ = parts;
  length_ = length;
  return true;
}

Word SlabMap::release(Heap &heap) {
  if (parts_ == nullptr) return 0;
  if constexpr (kHardened) HardenedHeap::check_in_use(heap, parts_);
  Chunk *const c = chunk_of(parts_);
  const Word bytes = size_of(c);
  heap.release_chunk(c);
  parts_ = nullptr;
  length_ = 0;
  return bytes;
}

}  // namespace heapglass
