// Allocate and free: the most frequent operations.
//
// A request takes the first of these that serves it:
//  allocate.A1  small request: the first chunk of its exact bin, whole;
//  allocate.A2  small request: a part of the victim, so consecutive small requests lie side by side;
//  allocate.A3  large request: the best of at most kScan chunks of its own bin;
//  allocate.A4  a part of the best of at most kScan chunks of the next larger bin; a small request's remainder becomes the victim;
//  allocate.A5  large request: the victim; then for every request: a part of top;
//  allocate.A6  malloc's cached chunks, released, after which the search begins again; then new pages and a part of top.
// Every step except allocate.A6 is O(1). Freeing joins at most two neighbours: O(1).
#include "base/build.hpp"
#include "heap/first_chunk.hpp"
#include "heap/free_chunks.hpp"

namespace heapglass {

void *Heap::allocate(Word request) {
  HG_PROBE(op_begun, id_, HG_OP_allocate, nullptr, request, 0);
  if constexpr (kLeastCode) return allocate_slow(request);
  if (request > kMaxRequest) return allocate_slow(request);
  const Word size = chunk_size_for(request);
  Chunk *const c = take_quickly(size, request);
  if (c == nullptr) return allocate_slow(request);
  Guard::fill_new(c);
  status_ = HG_STATUS_ok;
  HG_PROBE(op_ended, id_, HG_OP_allocate, mem_of(c), size_of(c) - kWord, HG_STATUS_ok);
  return mem_of(c);
}

void *Heap::allocate_slow(Word request) {
  Chunk *c = nullptr;
  if (request > kMaxRequest) {
    status_ = HG_STATUS_too_large;
  } else {
    c = obtain(chunk_size_for(request), request);
    status_ = c != nullptr ? HG_STATUS_ok : HG_STATUS_out_of_memory;
  }
  if (c == nullptr) {
    HG_PROBE(op_ended, id_, HG_OP_allocate, nullptr, 0, status_);
    return nullptr;
  }
  Guard::fill_new(c);
  HG_PROBE(op_ended, id_, HG_OP_allocate, mem_of(c), heapglass::usable_size(c), HG_STATUS_ok);
  return mem_of(c);
}

void Heap::deallocate(void *mem) {
  HG_PROBE(op_begun, id_, HG_OP_deallocate, mem, 0, 0);
  status_ = HG_STATUS_ok;
  if (mem != nullptr) {
    Chunk *const c = chunk_of(mem);
    Guard::check_in_use(*this, mem);
    const Word size = size_of(c);
    Guard::fill_freed(c, size);
    HG_PROBE(chunk_released, id_, 0, c, size, 0);
    merge_and_attach(c, size);
  }
  HG_PROBE(op_ended, id_, HG_OP_deallocate, nullptr, 0, HG_STATUS_ok);
}

// Finds and detaches a free chunk of at least `size` bytes; nullptr when out of memory.
Chunk *Heap::find(Word size) {
  const unsigned bin = bin_of(size);
  Chunk *c = nullptr;
  std::uint32_t source = HG_SOURCE_none;
  if (is_small(size)) {
    c = bins_.heads[bin];
    source = HG_SOURCE_exact_bin;
    if (!kLeastCode && c == nullptr && size <= victim_size_) {
      c = victim_;
      source = HG_SOURCE_victim;
    }
  } else {
    c = bins_.heads[bin] != nullptr ? bins_.best_in(bin, size) : nullptr;
    source = HG_SOURCE_own_bin_scan;
  }
  if (c == nullptr) {
    c = bins_.best_after(bin, size);
    source = HG_SOURCE_larger_bin;
  }
  if (!kLeastCode && c == nullptr && size <= victim_size_) {
    c = victim_;
    source = HG_SOURCE_victim;
  }
  if (!kLeastCode && c == nullptr && relieved(size)) return find(size);
  if (c == nullptr && (size <= top_size_ || grow(size))) {
    c = top_;
    source = HG_SOURCE_top;
  }
  if (c == nullptr) {
    HG_PROBE(bin_searched, id_, bin, size, 0, HG_SOURCE_none);
    return nullptr;
  }
  HG_PROBE(bin_searched, id_, bin, size, size_of(c), source);
  detach(c, size_of(c));
  return c;
}

Chunk *Heap::obtain(Word size, Word request) {
  Chunk *const c = find(size);
  return c != nullptr ? take(c, size, request) : nullptr;
}

// Turns a detached chunk into a chunk in use of `size` bytes, or a little more when the rest is too small for a chunk.
Chunk *Heap::take(Chunk *c, Word size, Word request) {
  const Word have = size_of(c);
  HG_ASSERT(have >= size && !in_use(c), "a chunk too small is taken");
  const Word rest = have - size;
  if (rest < kMinChunk) {
    HG_PROBE(chunk_taken, id_, 0, c, have, request);
    Guard::check_untouched(c, have - kWord);
    c->head = have | kPrevInUse | kInUse;
    set_next_prev_in_use(c, have);
    return c;
  }
  HG_PROBE(chunk_split, id_, 0, c, size, rest);
  HG_PROBE(chunk_taken, id_, 0, c, size, request);
  Guard::check_untouched(c, size);
  c->head = size | kPrevInUse | kInUse;
  attach(chunk_at(c, size), rest, !kLeastCode && is_small(size));
  return c;
}

}  // namespace heapglass
