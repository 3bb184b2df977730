// See dissolve.hpp.
#include "slab/dissolve.hpp"

namespace heapglass {

#if HG_SLABS && !HG_HARDENED

Word dissolve(Heap &heap, Slab *s, Word block_bytes, Bits in_use) {
  Chunk *left = chunk_of(s);  // the chunk that is still to be cut
  Chunk *const end = next_chunk(left);
  Word flags = left->head & kFlags;
  Word bytes = 0;
  const auto release = [&](Chunk *until) {
    const Word size = address_of(until) - address_of(left);
    if (size == 0) return;
    left->head = size | flags;
    bytes += size;
    heap.release_chunk(left);
  };
  while (in_use != 0) {
    Chunk *const block = at_offset<Chunk>(s, kSlabHead + static_cast<Word>(__builtin_ctzll(in_use)) * block_bytes - kWord);
    in_use &= in_use - 1;
    Chunk *const limit = in_use == 0 ? end : at_offset<Chunk>(s, kSlabHead + static_cast<Word>(__builtin_ctzll(in_use)) * block_bytes - kWord);
    Word size = block_bytes + 2 * kWord;  // dissolve.D2
    const Word between = address_of(limit) - address_of(block) - size;
    if (between < kMinChunk) size += between;
    block->head = size | kInUse | kPrevInUse;
    release(block);
    left = chunk_at(block, size);
    flags = kInUse | kPrevInUse;
  }
  release(end);
  return bytes;
}

#endif

}  // namespace heapglass
