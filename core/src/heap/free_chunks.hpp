// The places of free chunks (bins, top, victim), and the functions that put chunks there and remove them. Each writes one event.
//
// A chunk is detached before it is cut, joined or taken, and attached afterwards. A detached chunk is in none of these places.
#pragma once

#include "heap/guard.hpp"
#include "heap/heap.hpp"
#include "trace/probes.hpp"

namespace heapglass {

inline void Heap::insert_in_bin(Chunk *c, Word size) {
  HG_PROBE(bin_inserted, id_, bin_of(size), c, size, nullptr);
  if constexpr (kQuick) {
    bins_.insert_inlined(c, size);
  } else {
    bins_.insert(c, size);
  }
}

inline void Heap::remove_from_bin(Chunk *c, Word size) {
  Guard::check_links(*this, c);
  HG_PROBE(bin_removed, id_, bin_of(size), c, size, c->prev);
  bins_.remove(c, size);
}

inline void Heap::set_top(Chunk *c, Word size) {
  HG_PROBE(top_changed, id_, 0, c, top_, 0);
  top_ = c;
  top_size_ = size;
}

inline void Heap::clear_top() { set_top(nullptr, 0); }

inline void Heap::set_victim(Chunk *c, Word size) {
  HG_PROBE(victim_changed, id_, 0, c, victim_, 0);
  victim_ = c;
  victim_size_ = size;
}

inline void Heap::clear_victim() { set_victim(nullptr, 0); }

// The victim or top changes. Only in builds with probes.
inline void Heap::note_place([[maybe_unused]] bool victim, [[maybe_unused]] Chunk *c) {
  if constexpr (!kTraced) return;
  if (victim) {
    set_victim(c, 0);
  } else {
    set_top(c, 0);
  }
}

// Joins a detached chunk with top behind it.  pre: the chunk before it is in use
inline void Heap::join_top(Chunk *c, Word size) {
  Chunk *const top = top_;
  const Word top_size = top_size_;
  note_place(false, nullptr);
  HG_PROBE(chunks_merged, id_, 0, c, size, top_size);
  Guard::fill_head(top);
  Guard::end_chunk(top);
  set_free(c, size + top_size);
  set_top(c, size + top_size);
}

// Cuts a detached chunk into a chunk in use and a detached free rest.
inline void Heap::cut_front(Chunk *c, Word size, Word rest, Word request) {
  HG_PROBE(chunk_split, id_, 0, c, size, rest);
  HG_PROBE(chunk_taken, id_, 0, c, size, request);
  Guard::check_untouched(c, size);
  c->head = size | kPrevInUse | kInUse;
  set_free(chunk_at(c, size), rest);
}

// pre: top is large enough to leave a chunk
inline Chunk *Heap::take_top(unsigned bin, Word size, Word request) {
  HG_PROBE(bin_searched, id_, bin, size, top_size_, HG_SOURCE_top);
  Chunk *const c = top_;
  const Word rest = top_size_ - size;
  note_place(false, nullptr);
  cut_front(c, size, rest, request);
  set_top(chunk_at(c, size), rest);
  return c;
}

// allocate.A1 and allocate.A2: a small chunk from its exact bin, or from the victim. nullptr: neither can serve.
// pre: is_small(size)
inline Chunk *Heap::take_small(Word size, Word request) {
  Chunk *c = bins_.heads[small_bin_of(size)];
  if (c != nullptr) {
    HG_PROBE(bin_searched, id_, small_bin_of(size), size, size, HG_SOURCE_exact_bin);
    Guard::check_free(*this, c);
    remove_from_bin(c, size);
    Guard::check_untouched(c, size - kWord);
    HG_PROBE(chunk_taken, id_, 0, c, size, request);
    c->head = size | kPrevInUse | kInUse;
    set_next_prev_in_use(c, size);
  } else if (size + kMinChunk <= victim_size_) {
    HG_PROBE(bin_searched, id_, small_bin_of(size), size, victim_size_, HG_SOURCE_victim);
    c = victim_;
    const Word rest = victim_size_ - size;
    clear_victim();
    cut_front(c, size, rest, request);
    set_victim(chunk_at(c, size), rest);
  }
  return c;
}

// Takes a chunk that needs no search: by allocate.A1, by allocate.A2, or by allocate.A5 when no hole is large enough. nullptr: a
// search is needed.
inline Chunk *Heap::take_quickly(Word size, Word request) {
  if (is_small(size)) {
    Chunk *const c = take_small(size, request);
    if (c != nullptr) return c;
    if (!bins_.none_from(small_bin_of(size))) return nullptr;
  } else if (!bins_.none_as_large(size)) {
    return nullptr;
  }
  if (size + kMinChunk > top_size_ || victim_size_ >= size) return nullptr;
  return take_top(bin_of(size), size, request);
}

}  // namespace heapglass
