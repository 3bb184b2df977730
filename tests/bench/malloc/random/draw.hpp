// Draws from a seed. The grammar (grammar.cpp) uses one stream of numbers, and each run of a program another one.
//
//   D1  A draw depends on the seed, the thread's number and the draws before it; never on an address or a clock.
//   D2  Logarithms and exponentials are used only while a program is drawn, before the clock starts.
#pragma once

#include <cmath>
#include <cstdint>

#include "../workloads/bench.h"

/// Spreads the bits of two small numbers over one word; never 0.
inline std::uint32_t mixed(std::uint32_t first, std::uint32_t second) {
  std::uint32_t word = first * 0x9e3779b9u + second * 0x85ebca6bu + 0x2545f491u;
  word = (word ^ (word >> 16)) * 0x7feb352du;
  word = (word ^ (word >> 15)) * 0x846ca68bu;
  word ^= word >> 16;
  return word == 0 ? 1 : word;
}

class Draw {
 public:
  Draw(std::uint32_t seed, std::uint32_t stream) : random_{mixed(seed, stream)} { random_next(&random_); }

  std::uint32_t below(std::uint32_t limit) { return random_below(&random_, limit); }
  std::uint32_t between(std::uint32_t first, std::uint32_t last) { return random_between(&random_, first, last); }
  bool percent(std::uint32_t chance) { return below(100) < chance; }

  /// 0 < result < 1
  double unit() { return (random_next(&random_) + 0.5) / 4294967296.0; }

  /// Each octave of [first, last] is equally likely.
  std::uint32_t log_uniform(std::uint32_t first, std::uint32_t last) {
    const double ratio = static_cast<double>(last) / first;
    const double value = std::floor(first * std::exp(unit() * std::log(ratio)) + 0.5);
    return value < first ? first : value > last ? last : static_cast<std::uint32_t>(value);
  }

  /// Exponential around a mean, at least 0.
  double exponential(double mean) { return -std::log(unit()) * mean; }

  /// One of the enumerators before Choice::count.
  template <class Choice>
  Choice any() {
    return static_cast<Choice>(below(static_cast<std::uint32_t>(Choice::count)));
  }

 private:
  Random random_;
};
