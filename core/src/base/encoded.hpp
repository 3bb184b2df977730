// Header words and links as a hardened build stores them.
//
//   header at a   stored = (word + header key) * spread + a        word = (stored - a) * unspread - header key
//   link at a     stored = link ^ (a * kScatter + link key)
//
//  encoded.E1  A header is written only by who knows the key. Anything else at that place decodes to a random word: other bytes of
//      the program, a header copied from another address, the bytes of an overflow.
//  encoded.E2  The factor is a part of the secret. With a known one, who can only add to a stored word (a counter that lies one
//      element before an array) changed the size by what he chose. A difference d becomes d * unspread: all odd multiples of
//      d's power of two are equally likely. The sizes that malloc lists are below kListedBytes, so the high bits of their headers are
//      0: any change is missed with a chance of about kListedBytes / 2^32 on wasm32, and one of the highest bits never. A larger
//      size is also compared with what lies behind it: that misses a change with a chance of at most the heap's bytes / 2^32.
//  encoded.E3  Adding n to the word is adding n * spread to what is stored: malloc marks a chunk as cached by one addition. With threads
//      it is an atomic one: a chunk's owner marks it while another thread, under the heap's lock, changes its P.
//  encoded.E5  One stored word that is read gives neither key nor factor. Two, of chunks whose sizes are known, give both but for
//      some high bits: reading is not in the threat model (malloc/hardened.hpp).
//  encoded.E4  A link that is overwritten, or copied to another place, leads nowhere that its writer chose. Who adds the difference of two
//      addresses to it chooses where it leads: so whatever a link leads to is proved before it is used.
//  encoded.E7  With threads a link that leads outside memory ends the program where it is read. An access there would trap, and a lock that is held
//      meanwhile stays held: the program would hang instead of ending.
//  encoded.E6  Such a word is cleared where it stops to be one. Else a program could bring it back: a block is cut from what was a free chunk, and
//      another link is bent to the header and the links that are left inside.
//
// The link is that of "Safe-Linking" (Eyal Itkin, 2020) with a key in place of the randomness of addresses, of which
// WebAssembly has none. Keyed checks of headers: William Robertson, Christopher Kruegel, Darren Mutz and Fredrik Valeur,
// "Run-time Detection of Heap-based Overflows" (LISA 2003).
#pragma once

#include "base/address.hpp"
#include "base/build.hpp"
#include "base/failure.hpp"
#include "base/secret.hpp"
#include "base/shared_word.hpp"

namespace heapglass {

// In a chunk's place only: the address is part of the code.
class __attribute__((may_alias)) EncodedHead {
 public:
  EncodedHead &operator=(const EncodedHead &) = delete;
  EncodedHead &operator=(Word word) {
    store((word + g_secret.header) * g_secret.spread + address_of(this));
    return *this;
  }
  operator Word() const { return decoded(); }
  // For fast paths, where it is always inlined.
  [[gnu::always_inline]] Word decoded() const { return (seen(stored_) - address_of(this)) * g_secret.unspread - g_secret.header; }
  EncodedHead &operator|=(Word bits) { return *this = *this | bits; }
  EncodedHead &operator&=(Word bits) { return *this = *this & bits; }
  EncodedHead &operator^=(Word bits) { return *this = *this ^ bits; }
  [[gnu::always_inline]] EncodedHead &operator+=(Word n) {  // encoded.E3
    if constexpr (kThreads) {
      __atomic_fetch_add(&stored_, n * g_secret.spread, __ATOMIC_RELAXED);
    } else {
      stored_ += n * g_secret.spread;
    }
    return *this;
  }
  // Adds, and gives the word as it was: with threads in one step, so of two that add at a time one sees what the other did.
  [[gnu::always_inline]] Word add(Word n) {
    Word before = stored_;
    if constexpr (kThreads) {
      before = __atomic_fetch_add(&stored_, n * g_secret.spread, __ATOMIC_RELAXED);
    } else {
      stored_ = before + n * g_secret.spread;
    }
    return (before - address_of(this)) * g_secret.unspread - g_secret.header;
  }

 private:
  void store(Word to) {
    if constexpr (kThreads) {
      __atomic_store_n(&stored_, to, __ATOMIC_RELAXED);
    } else {
      stored_ = to;
    }
  }
  Word stored_;
};

// encoded.E7: whether the first words at `to` may be read. nullptr is in memory.
#if defined(__wasm__) && HG_THREADS && HG_HARDENED
inline bool is_before(const void *to, Word pages) { return address_of(to) <= (pages << 16) - 4 * kWord; }
[[gnu::noinline, gnu::cold]] inline void report_outside(const void *to) {
  if (!is_before(to, __builtin_wasm_memory_grow(0, 0))) fail(kFailure_damaged_link, to, nullptr);  // memory.V1
}
[[gnu::always_inline]] inline void check_inside(const void *to) {
  if (__builtin_expect(!is_before(to, __builtin_wasm_memory_size(0)), 0)) report_outside(to);
}
#else
inline void check_inside(const void *) {}
#endif

// encoded.E4
template <class T>
class __attribute__((may_alias)) EncodedLink {
 public:
  EncodedLink &operator=(const EncodedLink &) = delete;
  [[gnu::always_inline]] EncodedLink &operator=(T *to) {
    stored_ = address_of(to) ^ key();
    return *this;
  }
  [[gnu::always_inline]] operator T *() const {
    T *const to = reinterpret_cast<T *>(stored_ ^ key());
    check_inside(to);
    return to;
  }
  T *operator->() const { return *this; }

 private:
  [[gnu::always_inline]] Word key() const { return address_of(this) * kScatter + g_secret.link; }
  Word stored_;
};

// How the words that lie where a program may write are stored: headers of chunks, sizes of segments and released runs, and what leads to them.
#if HG_HARDENED
using Head = EncodedHead;
template <class T>
using Link = EncodedLink<T>;
#else
using Head = Word;
template <class T>
using Link = T *;
#endif

// encoded.E6: such words, where none are needed any more.
[[gnu::always_inline]] inline void forget_words([[maybe_unused]] void *words, [[maybe_unused]] Word bytes) {
  if constexpr (kHardened) __builtin_memset(words, 0, bytes);
}

}  // namespace heapglass
