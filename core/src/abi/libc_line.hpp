// One line of names and numbers on standard error, by a plain write: stdio has handlers at exit and allocates.
#pragma once

#include <stddef.h>

#include "base/failure.hpp"

namespace heapglass {

class Line {
 public:
  Line &text(const char *text) {
    while (*text != '\0' && length_ < sizeof letters_) letters_[length_++] = *text++;
    return *this;
  }
  Line &number(size_t number) {
    char digits[10];
    size_t count = 0;
    do digits[count++] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    while (count != 0 && length_ < sizeof letters_) letters_[length_++] = digits[--count];
    return *this;
  }
  void print() {
    text("\n");
    write_standard_error(letters_, length_);
    length_ = 0;
  }

 private:
  char letters_[160];
  size_t length_ = 0;
};

}  // namespace heapglass
