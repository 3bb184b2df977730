// The element of the experiments on vectors and lists: an int with a copy constructor of its own, so that moving it is
// work that no container may replace by a copy of bytes.
#pragma once

namespace experiments {

class MyInt {
 public:
  MyInt(int value = 0) : value_(value) {}
  MyInt(const MyInt &other) : value_(other.value_) {}
  MyInt &operator=(const MyInt &other) {
    value_ = other.value_;
    return *this;
  }
  int value() const { return value_; }

 private:
  int value_;
};

}  // namespace experiments
