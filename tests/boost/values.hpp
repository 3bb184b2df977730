// Objects that notice what a container does to them.
#pragma once

#include "boost/case.hpp"

namespace boost_tests {

struct Thrown {};  // by Value

// Knows where it is, so that memory moved behind its back is found; counts itself; throws at a chosen construction.
class Value {
 public:
  Value(int number = 0) : self_(this), number_(number) { born(); }
  Value(const Value &other) : self_(this), number_(other.number()) { born(); }
  Value &operator=(const Value &other) {
    prove();
    number_ = other.number();
    return *this;
  }
  ~Value() {
    // No throwing here: a destroyed or moved object shows as a wrong count.
    if (self_ == this) --g_living;
    self_ = nullptr;
  }

  int number() const {
    prove();
    return number_;
  }
  friend bool operator==(const Value &left, const Value &right) { return left.number() == right.number(); }
  friend bool operator<(const Value &left, const Value &right) { return left.number() < right.number(); }

  // The n-th construction from now on throws; 0: none does.
  static void throw_at(int n) { g_left = n; }
  static bool has_thrown() { return g_has_thrown; }
  static int living() { return g_living; }

 private:
  void prove() const { HG_MUST(self_ == this); }
  void born() {
    g_has_thrown = g_left == 1;
    if (g_left > 0 && --g_left == 0) {
      self_ = nullptr;
      throw Thrown();
    }
    ++g_living;
  }
  inline static int g_left = 0;
  inline static int g_living = 0;
  inline static bool g_has_thrown = false;

  Value *self_;
  int number_;
};

// 12 bytes: backward expansion has to respect the least common multiple with the alignment.
struct Triple {
  int number_ = 0;
  int twice = 0;
  int thrice = 0;
  Triple(int number = 0) : number_(number), twice(2 * number), thrice(3 * number) {}
  int number() const {
    HG_MUST(twice == 2 * number_ && thrice == 3 * number_);
    return number_;
  }
  friend bool operator<(const Triple &left, const Triple &right) { return left.number() < right.number(); }
  friend bool operator==(const Triple &left, const Triple &right) { return left.number() == right.number(); }
};
static_assert(sizeof(Triple) == 12);

// More than any heap aligns to by itself.
struct alignas(64) Aligned {
  int number_ = 0;
  Aligned(int number = 0) : number_(number) {}
  int number() const {
    HG_MUST(reinterpret_cast<std::uintptr_t>(this) % 64 == 0);
    return number_;
  }
  friend bool operator<(const Aligned &left, const Aligned &right) { return left.number() < right.number(); }
  friend bool operator==(const Aligned &left, const Aligned &right) { return left.number() == right.number(); }
};

// Runs the script with the first, the second ... construction throwing, until one run ends by itself. After each, all
// objects are gone; the number of runs.
template <class Script>
int throw_at_each_construction(Script script) {
  for (int n = 1;; ++n) {
    bool thrown = false;
    Value::throw_at(n);
    try {
      script();
    } catch (const Thrown &) {
      thrown = true;
    }
    Value::throw_at(0);
    HG_MUST(Value::living() == 0);
    if (!thrown) return n;
  }
}

}  // namespace boost_tests
