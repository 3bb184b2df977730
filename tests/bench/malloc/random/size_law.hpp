// The laws that sizes follow. A law is drawn once for a phase; a table of 4,096 sizes is drawn from it before the clock
// starts, and each request takes an entry of the table at random. So every law costs the program the same.
#pragma once

#include <cstdint>

#include "draw.hpp"

enum class Law : std::uint8_t {
  one_size,       // the same size each time
  uniform,        // in [a, b]
  exponential,    // around the mean a
  power_law,      // from a to b, density falls with the power (exponent / 100)
  few_sizes,      // 2 to 12 sizes with weights, as programs with structs have
  mostly_small,   // uniform up to a; one in `rare` is log-uniform up to b
  log_uniform,    // from a to b
  power_of_two,   // 2^k from a to b plus a header of some bytes
  strings,        // 1 more than a length around a; one in 20 is eight times as long
  count,
};
inline constexpr const char *kLawNames[] = {"one size",     "uniform",     "exponential",  "power law", "few sizes",
                                            "mostly small", "log-uniform", "power of two", "strings"};
static_assert(sizeof kLawNames / sizeof *kLawNames == static_cast<unsigned>(Law::count));

struct SizeLaw {
  static constexpr std::uint32_t kTable = 4096, kMostSizes = 12;

  Law law;
  std::uint32_t a, b;                 // see Law
  std::uint32_t exponent;             // of power_law, in hundredths
  std::uint32_t rare;                 // of mostly_small
  std::uint32_t header;               // of power_of_two
  std::uint32_t sizes[kMostSizes];    // of few_sizes
  std::uint32_t weights[kMostSizes];  // of few_sizes
  std::uint32_t size_count;           // of few_sizes
  std::uint32_t run;                  // how many requests in a row have the same size: 1, or 2 to 64
  std::uint32_t mean;                 // of the table
  std::uint32_t table[kTable];
};

SizeLaw draw_size_law(Draw &draw);
