// The position of a segment's first chunk: behind the segment header, or in the heap's first segment behind the state.
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

inline constexpr Word kStateBytes = round_up(sizeof(Heap), kAlign);

inline bool holds_state(const Segment *segment) {
  return address_of(segment->heap) == address_of(segment) + sizeof(Segment);
}

inline Chunk *first_chunk_of(Segment *segment) {
  return at_offset<Chunk>(segment, sizeof(Segment) + (holds_state(segment) ? kStateBytes : 0));
}
inline const Chunk *first_chunk_of(const Segment *segment) {
  return at_offset<const Chunk>(segment, sizeof(Segment) + (holds_state(segment) ? kStateBytes : 0));
}

}  // namespace heapglass
