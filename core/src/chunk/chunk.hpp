// The bytes of a chunk. Only this file knows them.
//
//  In use                                     Free
//          +------------------------+                 +------------------------+
//  chunk-> | size             |B|P|1|         chunk-> | size             |0|1|0|
//    mem-> +------------------------+                 +------------------------+
//          | payload ...            |                 | next free              |
//          |                        |                 | prev free              |
//          |                        |                 | ...                    |
//          |                        |                 | size again (foot)      |
//          +------------------------+                 +------------------------+
//
//   31                              3 2 1 0    bit 0  C: this chunk is in use
//  +---------------------------------+-+-+-+   bit 1  P: the previous chunk is in use
//  | size / 8 (wasm32)               |B|P|C|   bit 2  B: with C: holds a pool's block, or is malloc's own
//  +---------------------------------+-+-+-+            alone: in use, cached by malloc
//   (64-bit hosts: bit 3 is always 0)
//
//  chunk.C1  size is a multiple of kAlign and >= kMinChunk; it counts the header, not the next chunk's.
//  chunk.C2  mem = chunk + word is a multiple of kAlign.
//  chunk.C3  free: foot == size, and the next chunk's P is 0.  In use: the next chunk's P is 1.
//  chunk.C4  free: C and B are 0, and P is 1 (its neighbours are in use between operations).
//  chunk.C5  the payload of a chunk in use ends at the next header, so the overhead is one word.
#pragma once

#include "base/address.hpp"
#include "base/bits.hpp"
#include "base/build.hpp"
#include "base/checked.hpp"
#include "base/encoded.hpp"

namespace heapglass {

// may_alias: the user stored other types in these bytes before, and will again.
struct __attribute__((may_alias)) Chunk {
  Head head;
  Link<Chunk> next;  // these two only in a free chunk: the list of its bin, nullptr at both ends
  Link<Chunk> prev;
};

struct __attribute__((may_alias)) Foot {
  Word size;
};

inline constexpr Word kInUse = 1;
inline constexpr Word kPrevInUse = 2;
inline constexpr Word kBlockMark = 4;
inline constexpr Word kFlags = kAlign - 1;
inline constexpr Word kMinChunk = 4 * kWord;

static_assert(sizeof(Chunk) + kWord == kMinChunk, "header, two links and the foot fill the least chunk");
static_assert((kInUse | kPrevInUse | kBlockMark) <= kFlags, "flags live under the size");

inline Word size_of(const Chunk *c) { return c->head & ~kFlags; }
// C or B: neighbours and walks treat a cached chunk (B alone; malloc/cached_chunk.hpp) as in use.
inline bool in_use(const Chunk *c) { return (c->head & (kInUse | kBlockMark)) != 0; }
inline bool is_cached(const Chunk *c) { return (c->head & (kInUse | kBlockMark)) == kBlockMark; }
inline constexpr Word kCachedFlip = kInUse | kBlockMark;  // an exclusive or with it turns "in use without B" into "cached" and back
inline bool prev_in_use(const Chunk *c) { return (c->head & kPrevInUse) != 0; }
inline bool has_block_mark(const Chunk *c) { return (c->head & (kInUse | kBlockMark)) == (kInUse | kBlockMark); }

inline Chunk *chunk_of(void *mem) { return reinterpret_cast<Chunk *>(static_cast<char *>(mem) - kWord); }
inline const Chunk *chunk_of(const void *mem) {
  return reinterpret_cast<const Chunk *>(static_cast<const char *>(mem) - kWord);
}
inline void *mem_of(Chunk *c) { return at_offset<void>(c, kWord); }
inline Chunk *chunk_at(Chunk *c, Word bytes) { return at_offset<Chunk>(c, bytes); }
inline const Chunk *chunk_at(const Chunk *c, Word bytes) { return at_offset<const Chunk>(c, bytes); }
inline Chunk *next_chunk(Chunk *c) { return chunk_at(c, size_of(c)); }
inline const Chunk *next_chunk(const Chunk *c) { return chunk_at(c, size_of(c)); }

// pre: the previous chunk is free (P is 0)
inline Word prev_foot(const Chunk *c) { return reinterpret_cast<const Foot *>(address_of(c) - kWord)->size; }
inline Chunk *prev_chunk(Chunk *c) { return reinterpret_cast<Chunk *>(address_of(c) - prev_foot(c)); }
inline const Chunk *prev_chunk(const Chunk *c) {
  return reinterpret_cast<const Chunk *>(address_of(c) - prev_foot(c));
}

inline Word foot_of(const Chunk *c, Word size) { return at_offset<Foot>(c, size - kWord)->size; }
inline void set_foot(Chunk *c, Word size) { at_offset<Foot>(c, size - kWord)->size = size; }

// Writes header and foot of a free chunk whose previous neighbour is in use (chunk.C3, chunk.C4). The caller sets the next
// chunk's P.
inline void set_free(Chunk *c, Word size) {
  c->head = size | kPrevInUse;
  set_foot(c, size);
}
// read_head, quick_head: the header word, for fast paths decoded inline.
//
// With threads, the owner of the next chunk may read that chunk's size at the same time, without the heap's lock. The size does
// not change, but P does, so both accesses are relaxed atomic ones. No other access needs to be: the other words of a chunk are
// used by its owner only, or under the lock. An atomic read is one opcode, like a plain one. An atomic write is an exchange on
// x64, so P is written only when it changes.
#if HG_HARDENED
inline Word read_head(const Chunk *c) { return c->head; }  // encoded.E3
[[gnu::always_inline]] inline Word quick_head(const Chunk *c) { return c->head.decoded(); }
#elif HG_THREADS
inline Word read_head(const Chunk *c) { return __atomic_load_n(&c->head, __ATOMIC_RELAXED); }
inline Word quick_head(const Chunk *c) { return read_head(c); }
inline void change_head(Chunk *c, Word head) { __atomic_store_n(&c->head, head, __ATOMIC_RELAXED); }
#else
inline Word read_head(const Chunk *c) { return c->head; }
inline Word quick_head(const Chunk *c) { return read_head(c); }
inline void change_head(Chunk *c, Word head) { c->head = head; }
#endif
#if HG_HARDENED
inline void set_prev_in_use(Chunk *c) { c->head += kPrevInUse; }  // encoded.E3.  pre: P is 0
inline void set_prev_free(Chunk *c) {
  if (prev_in_use(c)) c->head += Word{0} - kPrevInUse;
}
#else
inline void set_prev_in_use(Chunk *c) {
  if (!kThreads || !prev_in_use(c)) change_head(c, c->head | kPrevInUse);
}
inline void set_prev_free(Chunk *c) {
  if (!kThreads || prev_in_use(c)) change_head(c, c->head & ~kPrevInUse);
}
#endif
inline void set_next_prev_in_use(Chunk *c, Word size) { set_prev_in_use(chunk_at(c, size)); }
inline void set_next_prev_free(Chunk *c, Word size) { set_prev_free(chunk_at(c, size)); }

inline void set_block_mark(Chunk *c, bool marked) {
  c->head = marked ? c->head | kBlockMark : c->head & ~kBlockMark;
}

inline Word usable_size(const Chunk *c) { return size_of(c) - kWord; }

// Size of the chunk that serves a request.  pre: request <= kMaxRequest
inline Word chunk_size_for(Word request) {
  return request <= kMinChunk - kWord ? kMinChunk : round_up(request + kWord, kAlign);
}

}  // namespace heapglass
