// Size arithmetic that says when it overflows. Every size that comes from a caller goes through here once; after that,
// plain arithmetic on chunk sizes is safe, because a chunk lies in memory.
#pragma once

#include "base/bits.hpp"

namespace heapglass {

// The largest request, for every allocator of the core. In wasm32: 4 GiB less two pages. A block may be larger than
// PTRDIFF_MAX, as in dlmalloc; sizes and distances are unsigned. What is added to a request (a header, a segment's overhead,
// rounding up to a page) is less than two pages, so that a size never wraps. A request and its alignment together obey the
// bound too. On a 64-bit host the bound is the 4 GiB reservation: the events' 32-bit words hold every size.
inline constexpr Word kMaxRequest = sizeof(Word) == 8 ? Word{0xff000000u} : Word{0xfffe0000u};

// false: the true result does not fit in a word, and *out is not to be used
[[nodiscard]] inline bool checked_add(Word a, Word b, Word *out) { return !__builtin_add_overflow(a, b, out); }
[[nodiscard]] inline bool checked_multiply(Word a, Word b, Word *out) { return !__builtin_mul_overflow(a, b, out); }
[[nodiscard]] inline bool checked_round_up(Word n, Word step, Word *out) {
  if (!checked_add(n, step - 1, out)) return false;
  *out &= ~(step - 1);
  return true;
}

}  // namespace heapglass
