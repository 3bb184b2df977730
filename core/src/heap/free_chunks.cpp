#include "heap/free_chunks.hpp"

#include "base/build.hpp"

namespace heapglass {

// pre: c is free and attached
void Heap::detach(Chunk *c, Word size) {
  Guard::check_free(*this, c);
  if (c == top_) {
    clear_top();
  } else if (!kLeastCode && c == victim_) {
    clear_victim();
  } else {
    remove_from_bin(c, size);
  }
}

// Attaches a detached chunk whose neighbours are in use. The remainder of a small request becomes the victim, and the former
// victim goes to its bin.
void Heap::attach(Chunk *c, Word size, bool as_victim) {
  HG_ASSERT(size >= kMinChunk && (size & kFlags) == 0, "chunk.C1 a chunk of no size is attached");
  set_free(c, size);
  Chunk *const next = chunk_at(c, size);
  HG_ASSERT(in_use(next), "heap.H2 a chunk is attached beside a free one");
  set_prev_free(next);
  if (next == end_) {
    set_top(c, size);
    return;
  }
  Chunk *in_bin = c;
  Word in_bin_size = size;
  if (!kLeastCode && as_victim) {
    in_bin = victim_;
    in_bin_size = victim_size_;
    if (in_bin != nullptr) clear_victim();
  }
  if (in_bin != nullptr) insert_in_bin(in_bin, in_bin_size);
  if (!kLeastCode && as_victim) set_victim(c, size);
}

// Joins a detached chunk with its free neighbours (heap.H2) and attaches the result. A chunk beside top becomes top, otherwise a
// chunk beside the victim becomes the victim.
// pre: c's P is correct; its foot need not be
void Heap::merge_and_attach(Chunk *c, Word size) {
  bool victim = false;
  if (!prev_in_use(c)) {
    Guard::check_before(*this, c);
    const Word left_size = prev_foot(c);
    Chunk *const left = prev_chunk(c);
    if (!kLeastCode && left == victim_) {
      clear_victim();
      victim = true;
    } else {
      remove_from_bin(left, left_size);
    }
    HG_PROBE(chunks_merged, id_, 0, left, left_size, size);
    Guard::fill_foot(c);
    Guard::fill(c, 0, kWord);
    Guard::end_chunk(c);
    c = left;
    size += left_size;
  }
  Chunk *const next = chunk_at(c, size);
  if (in_use(next)) {
    set_prev_free(next);
    set_free(c, size);
    if (next == end_) {
      set_top(c, size);
      return;
    }
  } else {
    const Word next_size = size_of(next);
    if (next == top_) {
      join_top(c, size);
      return;
    }
    Guard::check_free(*this, next);
    if (!kLeastCode && next == victim_) {
      clear_victim();
      victim = true;
    } else {
      remove_from_bin(next, next_size);
    }
    HG_PROBE(chunks_merged, id_, 0, c, size, next_size);
    Guard::fill_head(next);
    Guard::end_chunk(next);
    size += next_size;
    set_free(c, size);
  }
  if (!kLeastCode && victim) {
    set_victim(c, size);
  } else {
    insert_in_bin(c, size);
  }
}

}  // namespace heapglass
