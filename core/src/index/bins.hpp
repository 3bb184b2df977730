// The index of free chunks: bins by size, with bit maps. Every step is O(1).
//
//  bin     0   1   2  ...  29 | 30 ............ 45 | 46 ............ 61 | ...            413
//  size   16  24  32 ... 248  | 256 272 ... 496    | 512 544 ... 992    | ...  2 GiB - 4 GiB     (wasm32)
//         small: one size each | large: each power of two in 16 equal steps
//
//  bins.I1  A small bin holds chunks of one size: kMinChunk + bin * kAlign, below kMinLarge = 64 words.
//  bins.I2  A large bin holds sizes [s, s + step): the bin number gives the top five bits of s, and step = power of two / 16.
//      So every chunk of a later bin than the request's own fits the request.
//  bins.I3  A bit is set in small_map, or in second_map and first_map, exactly when the bin is not empty.
//  bins.I4  A list is doubly linked, nullptr at both ends; the newest chunk is first.
//
// Two-level bins replace a tree: M. Masmano et al., "TLSF" (2004). The index allocates nothing and writes no events.
#pragma once

#include "base/build.hpp"
#include "chunk/chunk.hpp"

namespace heapglass {

inline constexpr Word kMinLarge = 64 * kWord;
inline constexpr unsigned kSmallBins = static_cast<unsigned>((kMinLarge - kMinChunk) / kAlign);
inline constexpr unsigned kStepBits = 4;
inline constexpr unsigned kSteps = 1u << kStepBits;
inline constexpr unsigned kFirstPower = floor_log2(kMinLarge);
inline constexpr unsigned kPowers = 32 - kFirstPower;
inline constexpr unsigned kBins = kSmallBins + kPowers * kSteps;
inline constexpr unsigned kNoBin = 0xffff;

static_assert(kSmallBins < 32, "small_map has one bit per small bin");
static_assert(kSteps == 16, "second_map words have one bit per step");

inline bool is_small(Word size) { return size < kMinLarge; }
inline unsigned small_bin_of(Word size) { return static_cast<unsigned>((size - kMinChunk) / kAlign); }
inline unsigned large_bin_of(Word size) {
  const unsigned power = floor_log2(size);
  const unsigned step = static_cast<unsigned>(size >> (power - kStepBits)) & (kSteps - 1);
  return kSmallBins + (power - kFirstPower) * kSteps + step;
}
inline unsigned bin_of(Word size) { return is_small(size) ? small_bin_of(size) : large_bin_of(size); }
// The least size a bin can hold.
constexpr Word bin_floor(unsigned bin) {
  if (bin < kSmallBins) return kMinChunk + bin * kAlign;
  const unsigned power = kFirstPower + (bin - kSmallBins) / kSteps;
  return (Word{kSteps + (bin - kSmallBins) % kSteps}) << (power - kStepBits);
}

struct Bins {
  std::uint32_t small_map;
  std::uint32_t first_map;
  std::uint16_t second_map[kPowers];
  Chunk *heads[kBins];

  void insert(Chunk *c, Word size);
  [[gnu::always_inline]] void insert_inlined(Chunk *c, Word size) {
    const unsigned bin = bin_of(size);
    Chunk *const first = heads[bin];
    c->next = first;
    c->prev = nullptr;
    heads[bin] = c;
    if (first != nullptr) {
      first->prev = c;
    } else {
      set_bit(bin);
    }
  }
  void remove(Chunk *c, Word size);
  // Best of the first kScan chunks of the bin that are >= size; nullptr when none of them fits.
  [[gnu::noinline]] Chunk *best_in(unsigned bin, Word size) const;
  // Best of the first kScan chunks of the first non-empty bin after `bin`; nullptr when all later bins are empty.
  Chunk *best_after(unsigned bin, Word size) const;
  // Whether the small bin and all after it are empty.
  bool none_from(unsigned small_bin) const { return small_map >> small_bin == 0 && first_map == 0; }
  // Whether the large bins from the size's power of two on are empty.  pre: a large size
  bool none_as_large(Word size) const { return first_map >> (floor_log2(size) - kFirstPower) == 0; }
  // The largest of the first kScan chunks of the last non-empty bin; nullptr when all bins are empty.
  [[gnu::noinline]] Chunk *largest() const;
  // The next non-empty bin at or after `bin`, kNoBin when there is none.
  [[gnu::noinline]] unsigned next_used(unsigned bin) const;

 private:
  void set_bit(unsigned bin);
  void clear_bit(unsigned bin);
};

inline constexpr unsigned kScan = !kLeastCode ? 4 : 1;

}  // namespace heapglass
