// Quick lists: which list a freed chunk waits on, and which one serves a request. Arithmetic only.
//
//   units     2  3  4 ... 33 | 35 37 39 ... 65 | 69 73 ... 129 | 145 ... 257 | 273 ... 513     of kAlign: 8 bytes on wasm32
//   requests  up to 12 20 28 ... 260 | 276 292 ... 516 | ...                                   what a chunk of so many holds
//
//  Q1  Up to kExactUnits there is a list for each size: lists[units]. Beyond, each power of two has 16 lists, which hold all
//      sizes of a step, and a list's first chunk is looked at before it is taken.
//  Q2  Requests up to kRoundedMax are rounded so that a chunk has one unit more than a number with 5 significant bits: at most
//      1/16 is lost, in the mean 1/43, and a request of a power of two loses nothing. So random sizes meet on few lists.
//      Larger requests get their exact size.
//  Q3  Chunks above kQuickMaxUnits never wait.
#pragma once

#include <heapglass/event.h>

#include "chunk/chunk.hpp"

namespace heapglass {

inline constexpr unsigned kStepLog = 4;
inline constexpr unsigned kStepsOfPower = 1u << kStepLog;
inline constexpr Word kExactUnits = 514;  // lists[0] and lists[1] stay empty
inline constexpr Word kRoundedMax = (kExactUnits - 2) * kAlign;
inline constexpr Word kQuickMaxUnits = Word{2} * 1024 * 1024 / kAlign;
inline constexpr Word kQuickMaxRequest = kQuickMaxUnits * kAlign - kWord;

// The fast paths are one function each also where the compiler is told to be small: what they are made of is always_inline.
// Branch-free: the shift is 0 below 32.
[[gnu::always_inline]] constexpr unsigned step_shift(Word n) { return floor_log2(n | kStepsOfPower) - kStepLog; }

// Units of the chunk for a request.  pre: request <= kRoundedMax
[[gnu::always_inline]] constexpr Word units_for(Word request) {
  const Word last = (request + kWord - 1) / kAlign;  // one less than the units it fills
  const Word below = last - (last > 0);              // kMinChunk is two units
  const unsigned shift = step_shift(below);
  return (((below >> shift) + 1) << shift) + 1;
}

// The largest request that gets the same chunk: Q2.
[[gnu::noinline]] constexpr Word rounded(Word request) { return request <= kRoundedMax ? units_for(request) * kAlign - kWord : request; }
constexpr unsigned list_of_rounded(Word request) { return static_cast<unsigned>((request + kWord) / kAlign); }

constexpr unsigned log_list(Word units) {
  const unsigned shift = step_shift(units);
  return shift * kStepsOfPower + static_cast<unsigned>(units >> shift);
}
inline constexpr unsigned kFirstLogList = log_list(kExactUnits);
constexpr unsigned list_of_units(Word units) {
  return units < kExactUnits ? static_cast<unsigned>(units) : static_cast<unsigned>(log_list(units) - kFirstLogList + kExactUnits);
}
inline constexpr unsigned kLists = list_of_units(kQuickMaxUnits) + 1;
inline constexpr unsigned kRoomList = HG_ROOM_LIST;  // in events: not a list, but the room behind a block that grew (resize.cpp)

static_assert(kMinChunk == 2 * kAlign);
static_assert(units_for(0) == 2 && units_for(kMinChunk - kWord) == 2 && units_for(kMinChunk - kWord + 1) == 3);
static_assert(list_of_rounded(rounded(100)) == units_for(100) && rounded(rounded(100)) == rounded(100));
static_assert(units_for(64 * kWord) == 33 && units_for(kRoundedMax) == kExactUnits - 1, "Q2");

inline Word units_of(const Chunk *c) { return c->head / kAlign; }

}  // namespace heapglass
