// Size classes of malloc: which cache list a request looks at, and which one a freed chunk goes to. Arithmetic only.
//
//   class     1   2   3  ...  31  | 32  33 ...  47 | 48  49 ...
//   units     2   3   4  ...  32  | 33  35 ...  63 | 65  69 ...        of kAlign: 8 bytes on wasm32
//   requests 12  20  28  ... 252  | 260 276 ... 500 | 516 548 ...      the largest of the class, in bytes
//
//  malloc.S1  The units of a class are one more than a number with five significant bits. So a request that is a power of
//             two fills its chunk, and any other one loses at most 1/16 of it.
//  malloc.S2  List k holds chunks from the size of class k up to the next class. A request takes from the first class that
//             is large enough, so each chunk of that list serves it.
//             Where the lists of its class are empty, a request of class kLeastNear or more takes a chunk of the next kNear classes,
//             at most a quarter larger, before it asks the heap. So random sizes soon fit what is cached.
//  malloc.S3  One table answers both: table[u] is the class of a freed chunk of u units, and table[u - 1] + 1 is the class
//             of a request that needs u units. Filled when the default heap is made; until then all lists are empty.
//  malloc.S4  Chunks of kListedBytes or more have no list. The one freed last may wait (malloc.W1), all others go to the heap.
#pragma once

#include "base/build.hpp"
#include "chunk/chunk.hpp"

namespace heapglass {

inline constexpr unsigned kStepLog = 4;  // steps of each power of two: 16
inline constexpr Word kListedBytes = (kThreads ? 32 : 8) * 1024;
inline constexpr Word kListedUnits = kListedBytes / kAlign;

// Of a chunk: the largest class that is not larger.
constexpr unsigned class_of_units(Word units) {
  if (units < 2) return 0;
  const Word v = units - 1;
  const unsigned shift = floor_log2(v | (Word{1} << kStepLog)) - kStepLog;
  return (shift << kStepLog) + static_cast<unsigned>(v >> shift);
}

constexpr Word units_of_class(unsigned size_class) {
  const unsigned steps = 1u << kStepLog;
  if (size_class < 2 * steps) return size_class + 1;
  const unsigned shift = (size_class >> kStepLog) - 1;
  return (Word{steps + (size_class & (steps - 1))} << shift) + 1;
}

inline constexpr unsigned kLists = class_of_units(kListedUnits - 1) + 1;
inline constexpr Word kMaxListed = units_of_class(kLists - 1) * kAlign - kWord;  // the largest request that looks at a list

static_assert(kLists <= 256, "a class fits the table");
static_assert(class_of_units(2) == 1 && units_of_class(1) * kAlign == kMinChunk);
static_assert(class_of_units(units_of_class(40)) == 40 && class_of_units(units_of_class(40) - 1) == 39, "malloc.S2");
static_assert(kMaxListed >= 4096 && units_of_class(class_of_units(512) + 1) == 513, "malloc.S1: 4096 bytes and their header");

// Behind the last class that serves a request of this one (malloc.S2).
inline constexpr unsigned kNear = 4, kLeastNear = 16;
constexpr unsigned end_of_near(unsigned size_class) {
  const unsigned end = size_class + (size_class < kLeastNear ? 0 : kNear) + 1;
  return end < kLists ? end : kLists;
}
static_assert(units_of_class(end_of_near(kLeastNear) - 1) * 4 <= units_of_class(kLeastNear) * 5, "malloc.S2");
static_assert(units_of_class(end_of_near(32) - 1) * 4 <= units_of_class(32) * 5, "malloc.S2");

// The list that an event names for a cached chunk. The one behind the last is that of the large chunk that waits (malloc.W1).
constexpr unsigned list_in_events(Word chunk_bytes) {
  return chunk_bytes < kListedBytes ? class_of_units(chunk_bytes / kAlign) : kLists;
}

extern std::uint8_t g_class_of[kListedUnits];  // malloc.S3

void fill_class_table();

// The table is filled while other threads may look at it; they find all lists empty then.
[[gnu::always_inline]] inline unsigned table_entry(Word units) {
  if constexpr (kThreads) return __atomic_load_n(&g_class_of[units], __ATOMIC_RELAXED);
  return g_class_of[units];
}
// pre: request <= kMaxListed
[[gnu::always_inline]] inline unsigned class_for_request(Word request) {
  return table_entry((request + kWord - 1) / kAlign) + 1;
}
// pre: head is a header word, of a chunk below kListedBytes
[[gnu::always_inline]] inline unsigned class_of_head(Word head) { return table_entry(head / kAlign); }

// The chunk just above those with a list. A request above kMaxListed needs one at least as large: else its freed chunk went to a
// list at which the request never looks.
inline constexpr Word kLeastUnlisted = units_of_class(kLists) * kAlign;
static_assert(kLeastUnlisted == kListedBytes + kAlign);

// Size of the chunk for a request, in bytes: that of its class, if it has one.
// pre: request <= kMaxRequest; the table is filled
inline Word chunk_bytes_for(Word request) {
  if (!kLeastCode && request <= kMaxListed) return units_of_class(class_for_request(request)) * kAlign;
  const Word least = chunk_size_for(request);
  return kLeastCode || least >= kLeastUnlisted ? least : kLeastUnlisted;
}

}  // namespace heapglass
