// Where a heap keeps its free chunks: bins, top, victim, and the way in and out of them. One event each.
//
// A chunk is detached before it is cut, joined or taken, and attached after; between the two it is free and nowhere.
#pragma once

#include "heap/guard.hpp"
#include "heap/heap.hpp"
#include "trace/probes.hpp"

namespace heapglass {

inline void Heap::insert_in_bin(Chunk *c, Word size) {
  HG_PROBE(bin_inserted, id_, bin_of(size), c, size, nullptr);
  bins_.insert(c, size);
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

}  // namespace heapglass
