// What builds with probes write into a waiting chunk, so that walks and checks can tell it from one in use.
//
//   mem -> | link | key | holder |       key: a mark crossed with the address; cleared when the chunk is taken again. On a
//                                        central list it is another one, as the third word leads to the next piece there
//
// Every chunk has room for the three words (kMinChunk). Builds without probes write the link alone, and what a piece needs
// (central.hpp).
#pragma once

#include "chunk/chunk.hpp"
#include "front/cache.hpp"
#include "platform/threads.hpp"
#include "trace/ring.hpp"

namespace heapglass {

inline constexpr std::uint32_t kNotHeld = ~0u;
inline constexpr std::uint32_t kCentral = 0;  // holder: central list

inline Word held_key(const void *mem) { return address_of(mem) ^ Word{0x48a7c3d5}; }
inline Word central_key(const void *mem) { return held_key(mem) + 1; }
inline Word *held_words(void *mem) { return static_cast<Word *>(mem); }

inline void mark_held(void *mem, std::uint32_t holder) {
  if constexpr (trace::kTraced) {
    held_words(mem)[1] = holder == kCentral ? central_key(mem) : held_key(mem);
    held_words(mem)[2] = holder;
  }
}
inline void unmark_held(void *mem) {
  if constexpr (trace::kTraced) held_words(mem)[1] = 0;
}
// Thread's number, kCentral, or kNotHeld. Always kNotHeld in builds without probes, whose headers tell (C6 of cache.hpp) where
// there is one thread. Of a chunk that a caller has, it reads what he may be writing at that moment: the key decides, and only a
// waiting chunk has it.
#if defined(__SANITIZE_THREAD__)
__attribute__((no_sanitize("thread"), noinline))
#endif
inline std::uint32_t holder_of(const void *mem) {
  if constexpr (trace::kTraced) {
    const Word *const words = static_cast<const Word *>(mem);
    if (words[1] == central_key(mem)) return kCentral;
    return words[1] == held_key(mem) ? static_cast<std::uint32_t>(words[2]) : kNotHeld;
  }
  return kNotHeld;
}

}  // namespace heapglass
