// The heap's functions for malloc: they take, release and resize chunks inside malloc's own operations.
#include "heap/first_chunk.hpp"
#include "heap/free_chunks.hpp"
#include "platform/page_source.hpp"

namespace heapglass {

namespace {
constexpr unsigned kBinsTried = 3;  // by take_hole_at_step
}

Chunk *Heap::take_chunk(Word size, Word request) {
  Chunk *c = kLeastCode ? nullptr : take_quickly(size, request);
  if (c == nullptr) c = obtain(size, request);
  status_ = c != nullptr ? HG_STATUS_ok : HG_STATUS_out_of_memory;
  return c;
}

Chunk *Heap::take_large_from_top(Word size, Word request) {
  if (!bins_.none_as_large(size) || size + kMinChunk > top_size_ || victim_size_ >= size) return nullptr;
  status_ = HG_STATUS_ok;
  return take_top(bin_of(size), size, request);
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

bool Heap::has_hole(Word size) const { return size <= victim_size_ || bins_.next_used(bin_of(size)) != kNoBin; }

bool Heap::would_grow_memory(Word size) const { return size > top_size_ && source_ != nullptr && source_->would_grow(size - top_size_); }

// Of those that have just the size, too: obtain_aligned asks for one that has room at every address.
Chunk *Heap::take_hole_at_step(Word step, Word size) {
  Chunk *found = nullptr;
  unsigned bin = bin_of(size);
  for (unsigned tried = 0; found == nullptr && tried < kBinsTried; ++tried) {
    bin = bins_.next_used(bin);
    if (bin == kNoBin) break;
    Chunk *c = bins_.heads[bin++];
    for (unsigned n = 0; c != nullptr && n < kScan; ++n, c = c->next) {
      if (size_of(c) < lead_of(c, step) + size) continue;
      found = c;
      break;
    }
  }
  if (found == nullptr) return nullptr;
  detach(found, size_of(found));
  status_ = HG_STATUS_ok;
  return take_aligned(found, step, size, size - kWord);
}

void Heap::release_chunk(Chunk *c) {
  const Word size = size_of(c);
  if constexpr (kChecked) Guard::check_in_use(*this, mem_of(c));  // malloc proves it in hardened builds
  Guard::fill_freed(c, size);
  HG_PROBE(chunk_released, id_, 0, c, size, 0);
  merge_and_attach(c, size);
}

bool Heap::release_before_top(Chunk *c) {
  const Word head = c->head;
  const Word size = head & ~kFlags;
  if ((head & kPrevInUse) == 0 || chunk_at(c, size) != top_) return false;
  if constexpr (kChecked) Guard::check_in_use(*this, mem_of(c));
  Guard::fill_freed(c, size);
  HG_PROBE(chunk_released, id_, 0, c, size, 0);
  join_top(c, size);
  return true;
}

bool Heap::resize_chunk(Chunk *c, Word size) {
  Guard::check_in_use(*this, mem_of(c));
  return resize(c, size);
}

}  // namespace heapglass
