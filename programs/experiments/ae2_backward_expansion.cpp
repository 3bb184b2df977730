// AE2, backward expansion: the work of AE1 with forward expansion taken away, since it would always come first. Growing
// at the start moves every element, as new memory does, but needs no room for two buffers at once.
#include "experiments/push_backs.hpp"

#include <memory>

#include "experiments/experiment.h"

namespace experiments {
namespace ae2 {
namespace {

constexpr unsigned kNoExpansion = heapglass::expand_fwd | heapglass::expand_bwd;

#define HG_AE2_ROWS(iterations, size) \
  {"std", iterations, size, 0}, {"V1", iterations, size, 0}, {"V2 masked", iterations, size, 0}, {"V2", iterations, size, 0},
constexpr Row kRows[] = {HG_PUSH_BACK_ROWS(HG_AE2_ROWS)};
#undef HG_AE2_ROWS

bool begin(uint32_t row, uint32_t iterations) {
  const uint32_t size = kRows[row].size;
  switch (row % 4) {
    case 0: return run_push_backs<std::allocator<MyInt>>(iterations, size);
    case 1: return run_push_backs<heapglass::allocator<MyInt, 1>>(iterations, size);
    case 2: return run_push_backs<heapglass::allocator<MyInt, 2, kNoExpansion>>(iterations, size);
    default: return run_push_backs<heapglass::allocator<MyInt, 2, heapglass::expand_fwd>>(iterations, size);
  }
}

}  // namespace
}  // namespace ae2

extern const Program kAe2;
const Program kAe2 = {HG_EXPERIMENT('A', 2), "AE2", ae2::kRows, sizeof ae2::kRows / sizeof(Row), ae2::begin, nullptr, nullptr};

}  // namespace experiments
