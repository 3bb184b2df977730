// The contents of a block, made from its seed: what the twin expects to find there later.
//
//   word k of the block (counted from its first byte) == seed * kOdd + k * kStep
//
// Words, not bytes, so that checking contents stays cheap beside the allocator. Blocks need not be a multiple of
// eight bytes: the last word is cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace contract {

inline uint64_t pattern_word(uint32_t seed, size_t index) {
  return (seed + 1) * 0x9ddfea08eb382d69ull + index * 0xc2b2ae3d27d4eb4full;
}

inline void fill_pattern(void *mem, size_t bytes, uint32_t seed) {
  unsigned char *to = static_cast<unsigned char *>(mem);
  size_t index = 0;
  for (; bytes >= 8; bytes -= 8, to += 8, ++index) {
    const uint64_t word = pattern_word(seed, index);
    memcpy(to, &word, 8);
  }
  const uint64_t word = pattern_word(seed, index);
  memcpy(to, &word, bytes);
}

// True when the first `bytes` bytes are the pattern's.
inline bool has_pattern(const void *mem, size_t bytes, uint32_t seed) {
  const unsigned char *from = static_cast<const unsigned char *>(mem);
  size_t index = 0;
  for (; bytes >= 8; bytes -= 8, from += 8, ++index) {
    uint64_t found;
    memcpy(&found, from, 8);
    if (found != pattern_word(seed, index)) return false;
  }
  const uint64_t word = pattern_word(seed, index);
  return memcmp(from, &word, bytes) == 0;
}

inline bool is_zero(const void *mem, size_t bytes) {
  const unsigned char *from = static_cast<const unsigned char *>(mem);
  for (size_t i = 0; i < bytes; ++i) {
    if (from[i] != 0) return false;
  }
  return true;
}

}  // namespace contract
