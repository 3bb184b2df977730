// The position of a segment's first chunk: behind the segment header, or in the heap's first segment behind the state.
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

inline constexpr Word kStateBytes = round_up(sizeof(Heap), kAlign);

// The heap is known, and its address in the segment's header is not believed: a program may have written there.
inline bool holds_state(const Heap &heap, const Segment *segment) {
  return address_of(&heap) == address_of(segment) + sizeof(Segment);
}

inline Chunk *first_chunk_of(const Heap &heap, Segment *segment) {
  return at_offset<Chunk>(segment, sizeof(Segment) + (holds_state(heap, segment) ? kStateBytes : 0));
}
inline const Chunk *first_chunk_of(const Heap &heap, const Segment *segment) {
  return at_offset<const Chunk>(segment, sizeof(Segment) + (holds_state(heap, segment) ? kStateBytes : 0));
}

}  // namespace heapglass
