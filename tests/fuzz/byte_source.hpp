// Bytes as decisions: what the contract's generator draws from a seed, a fuzzing engine writes as a file.
//
// One byte, one decision, and few of them an operation, so that changing, moving or dropping bytes of a file changes,
// moves or drops single operations. Behind the end everything is 0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fuzz {

class ByteSource {
 public:
  ByteSource(const uint8_t *bytes, size_t count) : at_(bytes), end_(bytes + count) {}

  bool more() const { return at_ != end_; }
  uint32_t byte() { return at_ == end_ ? 0 : *at_++; }
  uint32_t below(uint32_t limit) { return byte() % limit; }
  bool chance() { return byte() % 2 != 0; }
  template <class T, size_t N>
  T one_of(const T (&all)[N]) {
    return all[byte() % N];
  }

  // Two bytes: 0 .. 2^18, small ones as often as large ones, and exact powers of two and their neighbours among them.
  size_t size() {
    const uint32_t first = byte();
    const uint32_t second = byte();
    const uint32_t log2 = (first & 0x7f) % 18;
    const size_t size = (size_t{1} << log2) + ((size_t{second} << log2) >> 8);
    return (first & 0x80) != 0 ? size - 1 : size;
  }

 private:
  const uint8_t *at_;
  const uint8_t *end_;
};

}  // namespace fuzz
