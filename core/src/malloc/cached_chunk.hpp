// A cached chunk: freed by the program, kept by malloc for the next request of its size class.
//
//   lists[k] -> | header | link | holder | ... |        link: the next chunk of the list; nullptr at the end
//                        |                              holder: thread number, or kCentral (only in builds with probes)
//                        mem
//
//  malloc.C1  A cached chunk is in use for its neighbours: P of the next header is 1, and nothing is joined with it.
//  malloc.C2  In builds with probes and in hardened ones a cached chunk has B without C in its header, so a walk over the
//             heap distinguishes it from one in use. In other builds its header stays as it was, and malloc and free do not
//             write it.
//  malloc.C3  A chunk is on one list, or in the program's hands, or the heap's.
//  malloc.C4  With threads and no probes the first chunk of a batch on a central list keeps the bytes of its batch in word 1
//             and leads to the next batch by word 2. With probes, word 1 is the holder, and the bytes are counted.
#pragma once

#include "base/build.hpp"
#include "chunk/chunk.hpp"
#include "slab/waiting_block.hpp"

namespace heapglass {

inline constexpr bool kMarksCached = kTraced || kHardened;  // malloc.C2
inline constexpr std::uint32_t kCentral = 0;

[[gnu::always_inline]] inline void *next_cached(const void *mem) { return *static_cast<const Link<void> *>(mem); }
[[gnu::always_inline]] inline void set_next_cached(void *mem, void *next) { *static_cast<Link<void> *>(mem) = next; }

[[gnu::always_inline]] inline void mark_cached(Chunk *c, [[maybe_unused]] Word head) {
#if HG_HARDENED
  c->head += kBlockMark - kInUse;  // encoded.E3
#else
  c->head = head ^ kCachedFlip;
#endif
}
[[gnu::always_inline]] inline void unmark_cached(Chunk *c) {
#if HG_HARDENED
  c->head += kInUse - kBlockMark;
#else
  c->head ^= kCachedFlip;
#endif
}

inline void set_holder(void *mem, std::uint32_t holder) {
  if constexpr (kTraced) words_of(mem)[1] = holder;
}
inline std::uint32_t holder_of(const void *mem) {
  return kTraced ? static_cast<std::uint32_t>(static_cast<const Word *>(mem)[1]) : 1;
}

// Size of a chunk in use. With threads another one may be changing P in the same word, under the heap's lock.
inline Word size_of_block(const void *mem) { return read_head(chunk_of(mem)) & ~kFlags; }


}  // namespace heapglass
