// What a block holds, so that a shifted or torn copy shows: bytes that rise by `Step` from place to place.
//
//   byte i == first + (shift + i) * Step    (modulo 256, hence the same every 256 bytes: written and compared in such pieces)
//
// The tests are not optimized: byte by byte, this took more time than the heap under test.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

namespace heapglass_test {

template <unsigned Step>
class RisingBytes {
 public:
  explicit RisingBytes(unsigned first) {
    for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<unsigned char>(first + i * Step);
  }
  void fill(void *mem, std::size_t bytes, unsigned char shift = 0) const {
    auto *at = static_cast<unsigned char *>(mem);
    for (; bytes > kPeriod; at += kPeriod, bytes -= kPeriod) memcpy(at, bytes_.data() + shift, kPeriod);
    memcpy(at, bytes_.data() + shift, bytes);
  }
  bool are_in(const void *mem, std::size_t bytes, unsigned char shift = 0) const {
    const auto *at = static_cast<const unsigned char *>(mem);
    for (; bytes > kPeriod; at += kPeriod, bytes -= kPeriod) {
      if (memcmp(at, bytes_.data() + shift, kPeriod) != 0) return false;
    }
    return memcmp(at, bytes_.data() + shift, bytes) == 0;
  }

 private:
  static constexpr std::size_t kPeriod = 256;
  std::array<unsigned char, 2 * kPeriod> bytes_;  // whatever the shift, a whole period from there on
};

}  // namespace heapglass_test
