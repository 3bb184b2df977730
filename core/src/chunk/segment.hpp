// A segment: one contiguous run of memory got from the page source, with chunks from end to end.
//
//  base                                                                     base + size
//  +------+------+------+------------------+-- ... --+-------------------+----------+
//  | next | size | heap | (heap state)     | chunk   | chunk             | sentinel |
//  +------+------+------+------------------+-- ... --+-------------------+----------+
//                       ^ first chunk, or behind the state in a heap's first segment
//
//  segment.S1  base is a multiple of kAlign; size is a multiple of kAlign.
//  segment.S2  the first chunk's P is 1: nothing before it can be merged.
//  segment.S3  the sentinel is a header word with size 0 and C = 1, so nothing after it can be merged; P as for any chunk.
//  segment.S4  the chunks lie side by side from the first chunk to the sentinel.
#pragma once

#include "chunk/chunk.hpp"

namespace heapglass {

class Heap;

struct Segment {
  Segment *next;  // in address order, nullptr at the end
  Word size;      // bytes, this header and the sentinel included
  Heap *heap;
};

static_assert(sizeof(Segment) % kAlign == kWord, "the first chunk behind a segment header satisfies chunk.C2");

inline constexpr Word kSegmentOverhead = sizeof(Segment) + kWord;  // header and sentinel

// In a hardened build also B: no block in use has it, so that nobody frees a sentinel.
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
