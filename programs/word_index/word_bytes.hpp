// What a word is, byte by byte (the rule is in word_index.h), and how words are compared and hashed.
//
// WordScanner reads a text from left to right and stops at the end of each word. It can stop anywhere and go on later,
// and it can tell of the same word again: a word is passed only by accept(), so a caller that finds no memory for it
// simply comes back.
#pragma once

#include <cstdint>

namespace word_index {

inline uint8_t lower(uint8_t byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<uint8_t>(byte + ('a' - 'A')) : byte;
}

inline bool is_word_byte(uint8_t byte) {
  const uint8_t small = lower(byte);
  return (small >= 'a' && small <= 'z') || (byte >= '0' && byte <= '9') || byte >= 0x80;
}

// FNV-1a (32 bit) over the lower-cased bytes.
inline uint32_t hash_word(const uint8_t *word, uint32_t size) {
  uint32_t hash = 2166136261u;
  for (uint32_t i = 0; i < size; ++i) hash = (hash ^ lower(word[i])) * 16777619u;
  return hash;
}

// < 0, 0, > 0 as the lower-cased bytes compare; a word comes before its extensions.
inline int compare_words(const uint8_t *a, uint32_t a_size, const uint8_t *b, uint32_t b_size) {
  const uint32_t size = a_size < b_size ? a_size : b_size;
  for (uint32_t i = 0; i < size; ++i) {
    const int difference = int{lower(a[i])} - int{lower(b[i])};
    if (difference != 0) return difference;
  }
  return a_size < b_size ? -1 : a_size > b_size ? 1 : 0;
}

struct WordScanner {
  uint32_t at = 0;          // the next byte to look at
  uint32_t word_start = 0;  // valid while in_word
  uint32_t word_end = 0;    // behind the last word byte; an apostrophe may lie between it and `at`
  bool in_word = false;

  // Goes on to the first byte that ends a word. True: [word_start, word_end) is a word; call accept(), or ask again.
  // False: all of text[0, size) is read; a word may be pending.
  bool find_word(const uint8_t *text, uint32_t size) {
    for (; at < size; ++at) {
      const uint8_t byte = text[at];
      if (is_word_byte(byte)) {
        if (!in_word) word_start = at;
        in_word = true;
        word_end = at + 1;
      } else if (in_word && !(byte == '\'' && word_end == at)) {
        return true;
      }
    }
    return false;
  }
  // The text ends here: true when that ends a word.
  bool find_last_word() const { return in_word; }
  void accept() { in_word = false; }
};

}  // namespace word_index
