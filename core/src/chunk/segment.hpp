// A segment: one contiguous run of memory from the page source, filled with chunks from end to end.
//
//  base                                                                     base + size
//  +------+------+------+------------------+-- ... --+-------------------+----------+
//  | next | size | heap | (heap state)     | chunk   | chunk             | sentinel |
//  +------+------+------+------------------+-- ... --+-------------------+----------+
//                       ^ the first chunk begins here, or behind the state in a heap's first segment
//
//  segment.S1  base is a multiple of kAlign; size is a multiple of kAlign.
//  segment.S2  the first chunk's P is 1, so it never merges with what lies before it.
//  segment.S3  the sentinel is a header word with size 0 and C = 1, so the last chunk never merges with what lies behind it. Its P
//      is set as in any chunk.
//  segment.S4  the chunks lie side by side from the first chunk to the sentinel.
//  segment.S5  `heap` is the heap whose list holds the segment.
#pragma once

#include "chunk/chunk.hpp"

namespace heapglass {

class Heap;

struct Segment {
  Link<Segment> next;  // in address order, nullptr at the end
  Head size;           // bytes, this header and the sentinel included
  Heap *heap;
};

static_assert(sizeof(Segment) % kAlign == kWord, "the first chunk behind a segment header satisfies chunk.C2");

inline constexpr Word kSegmentOverhead = sizeof(Segment) + kWord;  // header and sentinel

// The hardened build also sets B. No block in use has C and B, so freeing a sentinel is caught.
inline constexpr Word kSentinelHead = kHardened ? kInUse | kBlockMark : kInUse;

inline Chunk *sentinel_of(Segment *segment) { return at_offset<Chunk>(segment, segment->size - kWord); }
inline const Chunk *sentinel_of(const Segment *segment) {
  return at_offset<const Chunk>(segment, segment->size - kWord);
}
inline bool is_sentinel(const Chunk *c) { return size_of(c) == 0; }
inline bool segment_holds(const Segment *segment, const void *at) {
  return address_of(at) - address_of(segment) < segment->size;
}

}  // namespace heapglass
