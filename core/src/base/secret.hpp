// The secret of a hardened program: two random words, drawn anew in each run and unknown to its input.
//
//   header   encodes the header word of each chunk        chunk/encoded.hpp
//   link     encodes the links of free and cached chunks  "
//
// The words are drawn when the first heap is made (platform/entropy.cpp), before any header or link is written. They lie in
// static data, like the heads of malloc's lists. An attacker who can write there does not need the heap.
#pragma once

#include "base/bits.hpp"
#include "base/build.hpp"

namespace heapglass {

// The inverse of an odd number, by Newton's iteration: each step doubles the number of correct bits.
constexpr Word inverse_of(Word odd) {
  Word inverse = odd;
  for (int step = 0; step < 6; ++step) inverse *= 2 - odd * inverse;
  return inverse;
}

// An odd number near 2^bits / golden ratio. Multiplying by it carries each low bit into the high bits, and keeps the products of
// small differences farther from 0 than any other factor (D. Knuth, "The Art of Computer Programming", vol. 3, 6.4).
inline constexpr Word kUnspread = static_cast<Word>(sizeof(Word) == 8 ? 0x9e3779b97f4a7c15ull : 0x9e3779b1ull);
inline constexpr Word kSpread = inverse_of(kUnspread);
static_assert(kSpread * kUnspread == 1);

struct Secret {
  Word header;
  Word link;
  bool drawn;
};

extern Secret g_secret;

}  // namespace heapglass
