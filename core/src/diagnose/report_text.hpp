// Text and numbers into a buffer of the caller: nothing is allocated (diagnose.O1).
#pragma once

#include "base/address.hpp"

namespace heapglass {

// Text into a buffer; what does not fit is cut.
class Report {
 public:
  Report(char *buffer, Word capacity) : buffer_(capacity == 0 ? nullptr : buffer), space_(capacity == 0 ? 0 : capacity - 1) {}
  Report &text(const char *text) {
    while (*text != '\0') letter(*text++);
    return *this;
  }
  Report &number(Word number, Word base = 10) {
    char digits[20];
    unsigned count = 0;
    do {
      digits[count++] = "0123456789abcdef"[number % base];
      number /= base;
    } while (number != 0);
    while (count != 0) letter(digits[--count]);
    return *this;
  }
  Report &address(Word at) { return text("0x").number(at, 16); }
  Word end() {
    if (buffer_ != nullptr) buffer_[used_] = '\0';
    return used_;
  }

 private:
  void letter(char letter) {
    if (space_ == 0) return;
    buffer_[used_++] = letter;
    --space_;
  }
  char *buffer_;  // nullptr: it has not even room for the final 0
  Word space_;
  Word used_ = 0;
};

}  // namespace heapglass
