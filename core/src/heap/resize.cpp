// Changes the size of a chunk in use without moving its start. Reallocation, zeroed and aligned allocation are built on that.
//
// To grow, a chunk joins the whole free chunk behind it and is then cut to size; at the end of the newest segment memory itself may
// grow. To shrink, a chunk gives its tail to the free chunk behind it, or makes it a free chunk when it is large enough.
#include "heap/free_chunks.hpp"
#include "heap/heap.hpp"
#include "platform/page_source.hpp"

namespace heapglass {

bool Heap::borders_end(const Chunk *c) const {
  const Chunk *const next = next_chunk(c);
  return next == end_ || (next == top_ && top_ != nullptr);
}

// The largest size that the chunk can have now without moving its start.
Word Heap::space_forward(const Chunk *c) const {
  const Chunk *const next = next_chunk(c);
  return size_of(c) + (in_use(next) ? 0 : size_of(next));
}

// Makes space_forward(c) at least `size`, by growing memory when c is the last chunk. False: not possible.
bool Heap::make_space(Chunk *c, Word size) {
  const Word space = space_forward(c);
  if (space >= size) return true;
  if (!borders_end(c)) return false;
  const Word missing = round_up(size - space, kGrain);
  return extend_newest(growth_step(end_, missing), missing);
}

// pre: the next chunk is free
void Heap::join_next(Chunk *c) {
  Chunk *const next = next_chunk(c);
  const Word next_size = size_of(next);
  detach(next, next_size);
  HG_PROBE(chunks_merged, id_, 1, c, size_of(c), next_size);
  Guard::fill_head(next);
  Guard::fill(next, next_size - kWord, next_size);
  Guard::end_chunk(next);
  c->head += next_size;
  set_next_prev_in_use(c, size_of(c));
}

// Cuts c to `size` when the rest can be a chunk or can join the free chunk behind.
// pre: size is a chunk size, c is in use
void Heap::cut_to(Chunk *c, Word size) {
  Word have = size_of(c);
  if (have == size) return;
  if (!in_use(next_chunk(c))) {
    join_next(c);
    have = size_of(c);
  }
  const Word rest = have - size;
  if (rest < kMinChunk) return;
  HG_PROBE(chunk_split, id_, 0, c, size, rest);
  c->head = size | (c->head & kFlags);
  attach(chunk_at(c, size), rest, false);
}

// The chunk before top takes of it, or gives to it: one boundary moves, without a search and without a bin. False: it does not lie
// there, or top would not remain.
bool Heap::move_top(Chunk *c, Word head, Word size) {
  const Word used = head & ~kFlags;
  Chunk *const top = chunk_at(c, used);
  const Word have = used + top_size_;
  if (top != top_ || have < size + kMinChunk) return false;
  if (size == used) return true;
  note_place(false, nullptr);
  HG_PROBE(chunks_merged, id_, 1, c, used, have - used);
  Guard::fill_head(top);
  Guard::end_chunk(top);
  Guard::fill(top, have - used - kWord, have - used);
  if (size > used) Guard::check_filled(c, used, size);
  Guard::fill(c, size, used);
  HG_PROBE(chunk_split, id_, 0, c, size, have - size);
  c->head = size | (head & kFlags);
  set_free(chunk_at(c, size), have - size);
  set_top(chunk_at(c, size), have - size);
  return true;
}

bool Heap::resize(Chunk *c, Word size) {
  return (kQuick && move_top(c, c->head, size)) || resize_slow(c, size);
}

bool Heap::resize_slow(Chunk *c, Word size) {
  const Word used = size_of(c);
  if (size > used) {
    if (!make_space(c, size)) return false;
    join_next(c);
    Guard::check_filled(c, used, size);
  }
  Guard::fill(c, size, used);
  cut_to(c, size);
  return true;
}

void *Heap::reallocate_in_place(void *mem, Word request) {
  HG_PROBE(op_begun, id_, HG_OP_reallocate, mem, request, 1);
  status_ = HG_STATUS_cannot_expand;
  if (mem == nullptr) {
    status_ = HG_STATUS_reuse_missing;
  } else if (request > kMaxRequest) {
    status_ = HG_STATUS_too_large;
  } else {
    Guard::check_in_use(*this, mem);
    relieve_neighbours();
    if (resize(chunk_of(mem), chunk_size_for(request))) status_ = HG_STATUS_ok;
  }
  void *const result = status_ == HG_STATUS_ok ? mem : nullptr;
  HG_PROBE(op_ended, id_, HG_OP_reallocate, result, usable_size(result), status_);
  return result;
}

void *Heap::reallocate(void *mem, Word request) {
  HG_PROBE(op_begun, id_, HG_OP_reallocate, mem, request, 0);
  void *result = nullptr;
  status_ = HG_STATUS_ok;
  if (mem == nullptr) {
    result = allocate(request);
  } else if (request == 0) {
    deallocate(mem);
  } else if (request > kMaxRequest) {
    status_ = HG_STATUS_too_large;
  } else {
    Guard::check_in_use(*this, mem);
    relieve_neighbours();
    if (resize(chunk_of(mem), chunk_size_for(request))) {
      result = mem;
    } else {
      result = allocate(request);
      if (result != nullptr) {
        __builtin_memcpy(result, mem, usable_size(mem));  // resize failed, so the request is the larger one
        deallocate(mem);
      }
    }
  }
  HG_PROBE(op_ended, id_, HG_OP_reallocate, result, usable_size(result), status_);
  return result;
}

void *Heap::allocate_zeroed(Word count, Word object_size) {
  Word bytes = 0;
  if (!checked_multiply(count, object_size, &bytes)) bytes = ~Word{0};  // refused as too large
  HG_PROBE(op_begun, id_, HG_OP_allocate_zeroed, nullptr, bytes, object_size);
  void *const mem = allocate(bytes);
  if (mem != nullptr) __builtin_memset(mem, 0, bytes);
  HG_PROBE(op_ended, id_, HG_OP_allocate_zeroed, mem, usable_size(mem), status_);
  return mem;
}

// A chunk that is larger by alignment + kMinChunk contains an aligned address that is its own or leaves a chunk before it.
void *Heap::allocate_aligned(Word alignment, Word request) {
  HG_PROBE(op_begun, id_, HG_OP_allocate_aligned, nullptr, request, alignment);
  Chunk *c = nullptr;
  if (!is_power_of_two(alignment)) {
    status_ = HG_STATUS_bad_alignment;
  } else if (request > kMaxRequest || alignment > kMaxRequest - request) {
    status_ = HG_STATUS_too_large;
  } else {
    const Word size = chunk_size_for(request);
    c = alignment <= kAlign ? obtain(size, request) : obtain_aligned(alignment, size, request);
    status_ = c != nullptr ? HG_STATUS_ok : HG_STATUS_out_of_memory;
  }
  void *const mem = c != nullptr ? mem_of(c) : nullptr;
  if (c != nullptr) Guard::fill_new(c);
  HG_PROBE(op_ended, id_, HG_OP_allocate_aligned, mem, usable_size(mem), status_);
  return mem;
}

// pre: alignment > kAlign
Chunk *Heap::obtain_aligned(Word alignment, Word size, Word request) {
  Chunk *const found = find(size + alignment + kMinChunk);
  if (found == nullptr) return nullptr;
  return take_aligned(found, alignment, size, request);
}

Word Heap::lead_of(const Chunk *c, Word alignment) {
  const Word lead = (Word{0} - (address_of(c) + kWord)) & (alignment - 1);
  return lead != 0 && lead < kMinChunk ? lead + alignment : lead;
}

// pre: found is detached, and has lead_of(found, alignment) + size bytes
Chunk *Heap::take_aligned(Chunk *found, Word alignment, Word size, Word request) {
  const Word have = size_of(found);
  const Word lead = lead_of(found, alignment);
  if (lead == 0) return take(found, size, request);
  HG_PROBE(chunk_split, id_, 0, found, lead, have - lead);
  Chunk *c = chunk_at(found, lead);
  Guard::check_untouched(found, lead + sizeof(Chunk));  // take() skips its links, which were inside the found chunk
  set_free(c, have - lead);
  c = take(c, size, request);
  attach(found, lead, false);
  return c;
}

}  // namespace heapglass
