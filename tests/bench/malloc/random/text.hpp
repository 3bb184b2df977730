// Text in a static buffer, without stdio: descriptions must not call the allocator.
#pragma once

#include <cstdint>

class Text {
 public:
  void clear() { at_ = 0, bytes_[0] = 0; }
  const char *begin() const { return bytes_; }

  Text &operator<<(const char *words) {
    while (*words != 0 && at_ + 1 < kCapacity) bytes_[at_++] = *words++;
    bytes_[at_] = 0;
    return *this;
  }

  /// 1234567 as 1,234,567
  Text &operator<<(std::uint32_t number) {
    char digits[16];
    std::uint32_t at = sizeof digits - 1, written = 0;
    digits[at] = 0;
    do {
      if (written > 0 && written % 3 == 0) digits[--at] = ',';
      digits[--at] = static_cast<char>('0' + number % 10);
      number /= 10, ++written;
    } while (number > 0);
    return *this << digits + at;
  }

 private:
  static constexpr std::uint32_t kCapacity = 1 << 15;
  char bytes_[kCapacity];
  std::uint32_t at_;
};
