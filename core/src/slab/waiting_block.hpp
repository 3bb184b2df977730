// A block of a slab that waits in a magazine, in builds with probes.
//
//  slab.B8  A block of a slab has no header to mark. While it waits in a magazine it has its address in word 1, changed by a constant, and no
//           longer when the program gets it. So a walk distinguishes it from one in use.
//  slab.B9  With threads a walk reads that word while the thread that has the block may write to it: the heap's lock stops neither a magazine
//           nor the program. It reads the word of before or of after, and shows the block as it was or as it will be.
#pragma once

#include "base/address.hpp"
#include "base/build.hpp"

namespace heapglass {

inline constexpr Word kWaits = 0x5ab57a17;
inline Word *words_of(void *mem) { return static_cast<Word *>(mem); }

[[gnu::always_inline]] inline void mark_waiting(void *mem) {
  if constexpr (kTraced) words_of(mem)[1] = kWaits ^ address_of(mem);
}
[[gnu::always_inline]] inline void unmark_waiting(void *mem) {
  if constexpr (kTraced) words_of(mem)[1] = 0;
}
// Not inlined, so that ThreadSanitizer leaves out this read and no other (slab.B9).
__attribute__((noinline, no_sanitize("thread"))) inline bool has_mark(const void *mem) {
  return static_cast<const Word *>(mem)[1] == (kWaits ^ address_of(mem));
}
inline bool is_waiting(const void *mem) { return kTraced && has_mark(mem); }

}  // namespace heapglass
