// The secret of a hardened program: random words, drawn anew in each run and unknown to its input.
//
//   header             added to the header word of each chunk                 base/encoded.hpp
//   spread, unspread   an odd factor for it, and the factor's inverse         "
//   link               encodes the links of free and cached chunks            "
//   order              which of its two lists a freed chunk goes to: where each cache begins   malloc/cache_lists.hpp
//   slab               an odd factor of the code that proves a slab         slab/slab.hpp
//   tag                an odd factor of the slab's tag in it                "
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
static_assert(inverse_of(5) * 5 == 1);

// An odd number near 2^bits / golden ratio, which carries each low bit of an address into the high ones (D. Knuth, "The Art of
// Computer Programming", vol. 3, 6.4).
inline constexpr Word kScatter = static_cast<Word>(sizeof(Word) == 8 ? 0x9e3779b97f4a7c15ull : 0x9e3779b1ull);

struct Secret {
  Word header;
  Word spread;
  Word link;
  Word order;
  std::uint64_t slab;
  Word tag;
  Word unspread;  // behind what is drawn
  bool drawn;
};

// Bits that no others follow from without the state: the highest of a generator with full period (D. Lehmer, in Knuth, vol. 2, 3.2.1).
template <unsigned kBits>
[[gnu::always_inline]] inline unsigned random_bits(Word &state) {
  state = state * kScatter + 1;
  return static_cast<unsigned>(state >> (sizeof(Word) * 8 - kBits));
}

extern Secret g_secret;

}  // namespace heapglass
