// A slab: a chunk of the heap that holds small blocks of one size, without headers, and one bit for each.
//
//       a multiple of 1 KiB                                                    a multiple of 1 KiB
//       v                                                                        v
//   | h | codes | free | due, blocks, tag | link | block 0 | .... | block n-1 | rest | h |     h: header of a chunk
//         32 bytes on wasm32, 16 without codes                                (the next one lies in the last word before it)
//
//   free   bit i: block i is free; two words     tag    15-9: its owner (slab_owners.O6) | 8: on its class's list | 7-6: length in KiB, less 1 | 5-0: class
//
//  slab.B1  Blocks of class k have k * kAlign bytes, at least 16. A slab has fewer than 64 of them, so two words have their bits.
//  slab.B2  A bit is cleared when its block is given out, and set when it is freed. Who frees a block that is free is found by its bit; who frees what
//           is no block, by the rest of a division, or by a bit: in hardened builds all bits from n on are set, though there are no such blocks. So
//           an address behind the slab's end, which only the map says to be in it, is found as well: the map proves nothing (slab_map.M1).
//  slab.B3  Each class has one current slab, from which it takes. Its bits are in static data meanwhile (slabs.hpp), and no block's bit of `free` is set.
//  slab.B4  In hardened builds each word of bits has a code = (free + 2^32 * (its address + tag * secret odd factor)) * secret odd factor, modulo 2^64. Who changes a
//           bit, or adds to it, does not know 32 bits and more of what the code must become; of a bit of the tag, at least 22, of its owner 16. Nothing of a slab that is
//           not current is believed before its code is proved. With the tag itself in the sum, a word of another slab, or the other half's, had the code of this one
//           where the tags differ by as much as the addresses.
//  slab.B5  `due` and the link have no code. The first says when a slab goes on its list or is looked at, and no more. What the link leads to is believed
//           if it is a slab of the class, on the list; and its tag changes as it is taken, so none is taken twice.
//  slab.B6  The words of a slab are cleared when it ends (encoded.E6).
//  slab.B7  Nothing of malloc's lies between blocks. Who writes behind a block changes its neighbours' bytes, and malloc does not see it; and who reads
//           what he has not written sees no secret. An overflow is found where it reaches the words of the next slab, or the header of the
//           next chunk. Marks behind each block cost 5 to 6 % of a program (docs/decisions/0034).
//
// Bits for equal objects in a page: Jeff Bonwick, "The Slab Allocator" (1994), gave the name, "FreeBSD's malloc" by Poul-Henning Kamp
// ("Malloc(3) revisited", 1998) had the bits. A random choice among them: Gene Novark and Emery Berger, "DieHarder" (2010).
#pragma once

#include "base/failure.hpp"
#include "base/shared_word.hpp"
#include "chunk/chunk.hpp"

namespace heapglass {

using Bits = std::uint64_t;  // of all blocks
using Half = std::uint32_t;
using Code = std::uint64_t;

inline constexpr Word kSlabStep = 1024;
inline constexpr Word kMaxSteps = 4;
inline constexpr Word kMaxBlocks = 64;
inline constexpr unsigned kHalf = 32;  // bits
inline constexpr Word kMaxSlabRequest = kHardened || kThreads ? 256 : 128;
inline constexpr unsigned kTagClasses = 64;

struct __attribute__((may_alias)) Slab {
#if HG_HARDENED
  Code code[2];
  Half free[2];
  std::uint8_t due[2];  // slabs.S1, slabs.S9; n follows from the tag
#else
  Bits free;
  std::uint8_t due;     // likewise
  std::uint8_t blocks;  // n
#endif
  std::uint16_t tag;
  Link<Slab> next;  // of the class's list, only while the tag says so
};

inline constexpr Word kSlabHead = round_up(sizeof(Slab), kAlign);
static_assert(kHardened || kSlabHead == 4 * kWord, "event.P8");
inline constexpr std::uint16_t kListedSlab = 1 << 8;
inline constexpr unsigned kOwnerShift = 9;  // in a tag

// Class 0 has no slab. malloc asks for class 1 instead, where it comes from slabs.
constexpr unsigned slab_class_for(Word request) { return static_cast<unsigned>((request + kAlign - 1) / kAlign); }
constexpr Word slab_block_bytes(unsigned slab_class) {
  const Word bytes = slab_class * kAlign;
  return bytes < 16 ? 16 : bytes;
}
// Blocks in so many steps: all that fit, or one less, so that what is left behind them could be a chunk (event.P8).
constexpr Word slab_capacity(Word steps, Word block_bytes) {
  const Word bytes = steps * kSlabStep - kSlabHead;
  const Word blocks = (bytes - kWord) / block_bytes;
  return kHardened || bytes - blocks * block_bytes >= kMinChunk ? blocks : blocks - 1;
}

static_assert(slab_class_for(kMaxSlabRequest) < kTagClasses, "a class fits the tag");
// A damaged tag may have any class.
inline constexpr unsigned kSlabClasses = kHardened ? kTagClasses : slab_class_for(kMaxSlabRequest) + 1;
static_assert(slab_capacity(1, slab_block_bytes(0)) < kMaxBlocks, "slab.B1");

constexpr std::uint16_t slab_tag(unsigned slab_class, Word steps, unsigned owner) {
  return static_cast<std::uint16_t>(slab_class | (steps - 1) << 6 | (kProvenOwners ? owner << kOwnerShift : 0));
}
inline unsigned class_of(const Slab *s) { return seen(s->tag) & (kTagClasses - 1); }
inline Word steps_of(const Slab *s) { return ((seen(s->tag) >> 6) & (kMaxSteps - 1)) + 1; }
inline unsigned owner_of(const Slab *s) { return seen(s->tag) >> kOwnerShift; }  // where owners are proven

[[gnu::always_inline]] inline Bits all_bits(Word capacity) { return ~Bits{0} >> (kMaxBlocks - capacity); }

#if HG_HARDENED

// slab.B4: with the half's bits below it, and times g_secret.slab, it is the half's code.
[[gnu::always_inline]] inline Code place_of(const Slab *s, unsigned half) { return Code{address_of(&s->free[half]) + seen(s->tag) * g_secret.tag} << kHalf; }
[[gnu::always_inline]] inline Code code_for(const Slab *s, unsigned half) { return (place_of(s, half) | seen(s->free[half])) * g_secret.slab; }
[[noreturn, gnu::noinline, gnu::cold]] inline void report_damaged(const Slab *s) { fail(kFailure_damaged_header, s, nullptr); }
inline void prove_half(const Slab *s, unsigned half) {
  if (s->code[half] != code_for(s, half)) report_damaged(s);
}
inline void prove(const Slab *s) {
  if (((s->code[0] ^ code_for(s, 0)) | (s->code[1] ^ code_for(s, 1))) != 0) report_damaged(s);
}
// pre: it has its tag and its bits, and what they were was proved
inline void set_codes(Slab *s) {
  change(s->code[0], code_for(s, 0));
  change(s->code[1], code_for(s, 1));
}
// Of a damaged tag, too, a number that bits have.
inline Word capacity_of(const Slab *s) {
  const Word capacity = slab_capacity(steps_of(s), slab_block_bytes(class_of(s)));
  return capacity < kMaxBlocks ? capacity : kMaxBlocks - 1;
}
inline Bits bits_of(const Slab *s, Word capacity) { return (seen(s->free[0]) | Bits{seen(s->free[1])} << kHalf) & all_bits(capacity); }
inline Bits bits_of(const Slab *s) { return bits_of(s, capacity_of(s)); }
inline bool is_all_free(const Slab *s) { return (s->free[0] & s->free[1]) == ~Half{0}; }
// Sets bit i. How many are set now of its half; 0: it was set, or no block has it.
[[gnu::always_inline]] inline int set_bit(Slab *s, unsigned i) {
  Half *const word = &s->free[i / kHalf];
  Code *const code = &s->code[i / kHalf];
  const Half free = *word, with = free | Half{1} << i % kHalf;
  const Code secret = g_secret.slab, right = (place_of(s, i / kHalf) | free) * secret;
  if (__builtin_expect(right != *code, 0)) report_damaged(s);
  if (__builtin_expect(with == free, 0)) return 0;
  change(*word, with);
  change(*code, right + (secret << i % kHalf));
  return __builtin_popcount(with);
}
// pre: is_listed is not what its tag says. What was wrong stays wrong, so nothing is proved.
inline void mark_listed(Slab *s, bool is_listed) {
  const Code change_of_one = (Code{kListedSlab * g_secret.tag} << kHalf) * g_secret.slab;
  const Code difference = is_listed ? change_of_one : 0 - change_of_one;
  change(s->tag, static_cast<std::uint16_t>(s->tag ^ kListedSlab));
  change(s->code[0], s->code[0] + difference);
  change(s->code[1], s->code[1] + difference);
}
inline Word due_of(const Slab *s, unsigned i) { return s->due[i / kHalf]; }
// Whether so many of either half's blocks are free (slabs.S1).
inline bool is_listable(const Slab *s) { return __builtin_popcount(s->free[0]) >= s->due[0] || __builtin_popcount(s->free[1]) >= s->due[1]; }
// pre: it has its tag
inline void set_bits(Slab *s, Bits free, Word capacity) {
  const Bits all = free | ~all_bits(capacity);
  change(s->free[0], static_cast<Half>(all));
  change(s->free[1], static_cast<Half>(all >> kHalf));
  set_codes(s);
}
// pre: it is proved
inline void set_owner(Slab *s, unsigned owner) {
  change(s->tag, static_cast<std::uint16_t>((s->tag & ((1 << kOwnerShift) - 1)) | owner << kOwnerShift));
  set_codes(s);
}

#else

inline void prove(const Slab *) {}
inline Word capacity_of(const Slab *s) { return s->blocks; }
[[gnu::always_inline]] inline Bits bits_of(const Slab *s, Word = 0) { return seen(s->free); }
[[gnu::always_inline]] inline int set_bit(Slab *s, unsigned i) {
  const Bits free = s->free | Bits{1} << i;
  change(s->free, free);
  return __builtin_popcountll(free);
}
inline Word due_of(const Slab *s, unsigned) { return s->due; }
inline bool is_listable(const Slab *s) { return __builtin_popcountll(s->free) >= s->due; }
inline void mark_listed(Slab *s, bool) { change(s->tag, static_cast<std::uint16_t>(s->tag ^ kListedSlab)); }
inline void set_bits(Slab *s, Bits free, Word) { change(s->free, free); }

#endif

}  // namespace heapglass
