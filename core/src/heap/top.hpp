// Large chunks from top, and back to it: what allocate and deallocate do when nothing else is free that fits, in a few steps
// that can stand in the caller. Without events: for builds without probes.
//
//   ... | in use | c ........ | top ............ |          take: c is cut from top's front; give back: c becomes top again
#pragma once

#include "base/profile.hpp"
#include "heap/heap.hpp"

namespace heapglass {

// malloc looks at top by itself before it asks the heap.
inline constexpr bool kTopInFront = kLibcMalloc && !kThreads && !trace::kTraced;

// nullptr: top is not the place for it.  pre: request is that of a large chunk
[[gnu::always_inline]] inline void *Heap::take_from_top(Word request) {
  if (request > kMaxRequest) return nullptr;
  const Word size = chunk_size_for(request);
  if (size + kMinChunk > top_size_ || victim_size_ >= size || !bins_.none_as_large(size)) return nullptr;
  Chunk *const c = top_;
  const Word rest = top_size_ - size;
  c->head = size | kPrevInUse | kInUse;
  top_ = chunk_at(c, size);
  top_size_ = rest;
  set_free(top_, rest);
  return mem_of(c);
}

// False: top does not begin behind mem, or what lies before is free too.
[[gnu::always_inline]] inline bool Heap::give_to_top(void *mem) {
  Chunk *const c = chunk_of(mem);
  const Word size = size_of(c);
  if (chunk_at(c, size) != top_ || !prev_in_use(c)) return false;
  top_ = c;
  top_size_ += size;
  set_free(c, top_size_);
  return true;
}

// pre: size is a chunk size, larger than mem's
[[gnu::always_inline]] inline bool Heap::grow_into_top(void *mem, Word size) {
  Chunk *const c = chunk_of(mem);
  const Word more = size - size_of(c);
  if (next_chunk(c) != top_ || top_size_ < more + kMinChunk) return false;
  c->head += more;
  top_ = chunk_at(c, size);
  top_size_ -= more;
  set_free(top_, top_size_);
  return true;
}

}  // namespace heapglass
