// Size arithmetic that reports overflow. Every size from a caller passes these functions once. Plain arithmetic on chunk
// sizes is safe afterwards, because every chunk lies in memory.
#pragma once

#include "base/bits.hpp"

namespace heapglass {

// The largest request, for every allocator of the core. In wasm32: 4 GiB less two pages. A block may be larger than
// PTRDIFF_MAX, as in dlmalloc; sizes and distances are unsigned. A header, a segment's overhead and rounding up to a page add
// less than two pages to a request, so no size wraps. The bound also holds for the sum of a request and its alignment. On a
// 64-bit host the bound is the 4 GiB reservation, so the 32-bit words of events hold every size.
inline constexpr Word kMaxRequest = sizeof(Word) == 8 ? Word{0xff000000u} : Word{0xfffe0000u};

// Returns false when the result does not fit in a word; *out is then undefined.
[[nodiscard]] inline bool checked_add(Word a, Word b, Word *out) { return !__builtin_add_overflow(a, b, out); }
[[nodiscard]] inline bool checked_multiply(Word a, Word b, Word *out) { return !__builtin_mul_overflow(a, b, out); }
[[nodiscard]] inline bool checked_round_up(Word n, Word step, Word *out) {
  if (!checked_add(n, step - 1, out)) return false;
  *out &= ~(step - 1);
  return true;
}

}  // namespace heapglass
