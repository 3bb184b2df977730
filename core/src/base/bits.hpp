// Words, alignment and bit positions: the arithmetic that every layer shares.
//
// A word is size_t: 4 bytes in wasm32, 8 on a 64-bit host. All layouts of heapglass are given in words, so one source
// serves both.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapglass {

using Word = std::size_t;

inline constexpr Word kWord = sizeof(Word);
inline constexpr Word kAlign = 2 * kWord;  // alignment of every address that a user gets
inline constexpr Word kPageBytes = 64 * 1024;

static_assert(sizeof(void *) == kWord, "an address fills one word");

constexpr bool is_power_of_two(Word n) { return n != 0 && (n & (n - 1)) == 0; }

// pre: step is a power of two; n + step - 1 does not overflow (checked_round_up checks it)
constexpr Word round_up(Word n, Word step) { return (n + step - 1) & ~(step - 1); }
constexpr Word round_down(Word n, Word step) { return n & ~(step - 1); }

// pre of all three: n != 0
constexpr unsigned lowest_bit(std::uint32_t n) { return static_cast<unsigned>(__builtin_ctz(n)); }
constexpr unsigned floor_log2(Word n) {
  if constexpr (sizeof(Word) == 8) return 63u - static_cast<unsigned>(__builtin_clzll(n));
  return 31u - static_cast<unsigned>(__builtin_clz(static_cast<unsigned>(n)));
}
constexpr Word lowest_power(Word n) { return n & (~n + 1); }  // largest power of two that divides n

}  // namespace heapglass
