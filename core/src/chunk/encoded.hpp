// Header words and links as a hardened build stores them.
//
//   header at a   stored = (word + header key) * kSpread + a       word = (stored - a) * kUnspread - header key
//   link at a     stored = link ^ (a * kUnspread + link key)
//
//  encoded.E1  A header is written only by who knows the key. Anything else at that place decodes to a random word: other bytes of
//      the program, a header copied from another address, the bytes of an overflow.
//  encoded.E2  kUnspread carries each low bit into the high ones. The sizes that malloc lists are below kListedBytes, so the high bits
//      of their headers are 0. The static_assert below proves that they no longer are when a header was changed, or copied
//      here from elsewhere, by a difference below 4 KiB. Any other change is missed with a chance of kListedBytes / 2^32 on
//      wasm32. A larger size is also compared with what lies behind it.
//  encoded.E3  Adding n to the word is adding n * kSpread to what is stored: malloc marks a chunk as cached by one addition.
//  encoded.E4  A link that is overwritten, or copied to another place, leads nowhere that its writer chose.
//
// The link is that of "Safe-Linking" (Eyal Itkin, 2020) with a key in place of the randomness of addresses, of which
// WebAssembly has none. Keyed checks of headers: William Robertson, Christopher Kruegel, Darren Mutz and Fredrik Valeur,
// "Run-time Detection of Heap-based Overflows" (LISA 2003).
#pragma once

#include "base/address.hpp"
#include "base/secret.hpp"

namespace heapglass {

// encoded.E2: no difference below 4 KiB leaves the word below `limit`.
constexpr bool finds_each_difference(Word limit) {
  for (Word difference = 1; difference < 4096; ++difference) {
    const Word change = difference * kUnspread;
    if (change < limit || ~change + 1 < limit) return false;
  }
  return true;
}
static_assert(finds_each_difference(8 * 1024), "encoded.E2");

// In a chunk's place only: the address is part of the code.
class __attribute__((may_alias)) EncodedHead {
 public:
  EncodedHead &operator=(const EncodedHead &) = delete;
  EncodedHead &operator=(Word word) {
    stored_ = (word + g_secret.header) * kSpread + address_of(this);
    return *this;
  }
  operator Word() const { return decoded(); }
  // For fast paths, where it is always inlined.
  [[gnu::always_inline]] Word decoded() const { return (stored_ - address_of(this)) * kUnspread - g_secret.header; }
  EncodedHead &operator|=(Word bits) { return *this = *this | bits; }
  EncodedHead &operator&=(Word bits) { return *this = *this & bits; }
  EncodedHead &operator^=(Word bits) { return *this = *this ^ bits; }
  [[gnu::always_inline]] EncodedHead &operator+=(Word n) {  // encoded.E3
    stored_ += n * kSpread;
    return *this;
  }
  // A bit that depends on the key, the address and the word.
  [[gnu::always_inline]] unsigned mixed_bit() const { return static_cast<unsigned>(stored_ >> (sizeof(Word) * 8 - 1)); }

 private:
  Word stored_;
};

template <class T>
class __attribute__((may_alias)) EncodedLink {
 public:
  EncodedLink &operator=(const EncodedLink &) = delete;
  [[gnu::always_inline]] EncodedLink &operator=(T *to) {
    stored_ = address_of(to) ^ key();
    return *this;
  }
  [[gnu::always_inline]] operator T *() const { return reinterpret_cast<T *>(stored_ ^ key()); }
  T *operator->() const { return *this; }

 private:
  [[gnu::always_inline]] Word key() const { return address_of(this) * kUnspread + g_secret.link; }
  Word stored_;
};

}  // namespace heapglass
