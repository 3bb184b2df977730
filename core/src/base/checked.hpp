// Size arithmetic that says when it overflows. Every size that comes from a caller goes through here once; after that,
// plain arithmetic on chunk sizes is safe, because a chunk lies in memory.
#pragma once

#include "base/bits.hpp"

namespace heapglass {

// No object may reach half the address space: differences of addresses then fit in ptrdiff_t, and the events' 32-bit
// words hold every size. On a 64-bit host the bound is the 4 GiB reservation.
inline constexpr Word kMaxRequest = sizeof(Word) == 8 ? Word{0xff000000u} : Word{0x7fff0000u};

// false: the true result does not fit in a word, and *out is not to be used
[[nodiscard]] inline bool checked_add(Word a, Word b, Word *out) { return !__builtin_add_overflow(a, b, out); }
[[nodiscard]] inline bool checked_multiply(Word a, Word b, Word *out) { return !__builtin_mul_overflow(a, b, out); }
[[nodiscard]] inline bool checked_round_up(Word n, Word step, Word *out) {
  if (!checked_add(n, step - 1, out)) return false;
  *out &= ~(step - 1);
  return true;
}

}  // namespace heapglass
