// The heap's functions for malloc: they take, release and resize chunks inside malloc's own operations.
#include "heap/first_chunk.hpp"
#include "heap/free_chunks.hpp"

namespace heapglass {

Chunk *Heap::take_chunk(Word size, Word request) {
  Chunk *c = kLeastCode ? nullptr : take_quickly(size, request);
  if (c == nullptr) c = obtain(size, request);
  status_ = c != nullptr ? HG_STATUS_ok : HG_STATUS_out_of_memory;
  return c;
}

Chunk *Heap::take_chunk_to_grow(Word size, Word request) {
  const Word roomy = size + size / 2;
  if (is_small(size) || roomy < size) return take_chunk(size, request);
  Chunk *c = bins_.best_in(large_bin_of(roomy), roomy);
  if (c == nullptr) c = bins_.best_after(large_bin_of(roomy), roomy);
  if (c == nullptr) return take_chunk(size, request);
  HG_PROBE(bin_searched, id_, large_bin_of(roomy), size, size_of(c), HG_SOURCE_larger_bin);
  detach(c, size_of(c));
  status_ = HG_STATUS_ok;
  return take(c, size, request);
}

Chunk *Heap::take_aligned_chunk(Word alignment, Word size, Word request) {
  Chunk *const c = obtain_aligned(alignment, size, request);
  status_ = c != nullptr ? HG_STATUS_ok : HG_STATUS_out_of_memory;
  return c;
}

void Heap::release_chunk(Chunk *c) {
  const Word size = size_of(c);
  Guard::check_in_use(*this, mem_of(c));
  Guard::fill_freed(c, size);
  HG_PROBE(chunk_released, id_, 0, c, size, 0);
  merge_and_attach(c, size);
}

bool Heap::resize_chunk(Chunk *c, Word size) {
  Guard::check_in_use(*this, mem_of(c));
  return resize(c, size);
}

}  // namespace heapglass
