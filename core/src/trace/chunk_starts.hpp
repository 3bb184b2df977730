// Where chunks begin, as the events say it: what the checked build knows without reading bytes that a program can write.
//
// A program that writes bytes like a header into its own block, and frees an address behind them, must not deceive the guard. So
// the guard follows the headers from a known start of a chunk to the address (heap/guard.cpp): bytes inside a block are passed over.
// This table keeps the known starts, one for each region of memory, so that the way is short.
//
//   memory    |  region, 4 KiB      |  region             |  region             | ... from 128 MiB on: regions of 128 KiB
//             | ..)[chunk)[chunk)[. | ........ [chunk)[.. | ................... |
//   g_first        ^                           ^             0: no chunk begins here
//
//  starts.T1  An entry is the first start of a chunk, or of a sentinel, in its region.
//  starts.T2  Only events change it: segments bring starts, splits and bursts add them, a merge removes one. Each event costs
//             O(1), a burst O(its chunks), a segment O(its bytes / region).
//  starts.T3  An entry is a hint. It may belong to another heap, when two heaps lie in one region, or one lies in a block of the
//             other. A walk from it then does not arrive, and the guard walks from the segment's first chunk.
//
// The idea is the crossing map of card-marking collectors: Paul R. Wilson and Thomas G. Moher, "A card-marking scheme for controlling
// intergenerational references in generation-based garbage collection on stock hardware" (1989). A bit for each place where a
// chunk may begin would need no walk, but 1/64 of the memory, which would then lie elsewhere than in the other builds.
#pragma once

#include <heapglass/event.h>

#include <type_traits>

#include "base/address.hpp"
#include "base/build.hpp"

namespace heapglass::trace {

#if HG_CHECKED

class ChunkStarts {
 public:
  // The known start in the region of `at`; nullptr: none.
  static const void *in_region_of(const void *at);

  static void add(std::uintptr_t start);
  // A merge: no chunk begins at `start` any more; the next one begins at `behind`.
  static void remove(std::uintptr_t start, std::uintptr_t behind);
  // [from, end) belongs to a heap now. What was known of it is past.
  static void clear(std::uintptr_t from, std::uintptr_t end);

  static constexpr Word kRegion = 4096;         // bytes
  static constexpr Word kWideRegion = 128 * 1024;
  static constexpr Word kWideFrom = Word{128} << 20;  // offset
  static constexpr Word kRegions = kWideFrom / kRegion;
  static constexpr Word kWideRegions = ((std::uint64_t{1} << 32) - kWideFrom) / kWideRegion;
};

// What an event says about starts (starts.T2). The arguments are the three of HG_PROBE, before pointers become offsets.
template <hg_event_kind kind, class A, class B, class C>
inline void follow(const A &a, const B &b, [[maybe_unused]] const C &c) {
  if constexpr (kind == HG_EVENT_chunk_split) {
    ChunkStarts::add(address_of(a) + b);
  } else if constexpr (kind == HG_EVENT_chunks_merged) {
    ChunkStarts::remove(address_of(a) + b, address_of(a) + b + c);
  } else if constexpr (kind == HG_EVENT_burst_carved) {
    for (Word i = 1; i < c; ++i) ChunkStarts::add(address_of(a) + i * b);
  } else if constexpr (kind == HG_EVENT_segment_added) {
    const std::uintptr_t end = address_of(a) + b;
    ChunkStarts::clear(address_of(a), end);
    ChunkStarts::add(address_of(c));
    ChunkStarts::add(end - kWord);
  } else if constexpr (kind == HG_EVENT_segment_extended) {
    ChunkStarts::clear(address_of(a) + b, address_of(a) + c);
    ChunkStarts::add(address_of(a) + c - kWord);
  }
}

#endif

}  // namespace heapglass::trace
