// AE1, forward expansion: push_back one by one into a vector. What grows in place at the end moves no element, and what
// is told the real size of its memory asks less often.
#include "experiments/push_backs.hpp"

#include <memory>

#include "experiments/experiment.h"

namespace experiments {
namespace ae1 {
namespace {

constexpr unsigned kNoExpansion = heapglass::expand_fwd | heapglass::expand_bwd;

#define HG_AE1_ROWS(iterations, size) \
  {"std", iterations, size, 0}, {"V1", iterations, size, 0}, {"V2 masked", iterations, size, 0}, {"V2", iterations, size, 0},
constexpr Row kRows[] = {HG_PUSH_BACK_ROWS(HG_AE1_ROWS)};
#undef HG_AE1_ROWS

bool begin(uint32_t row, uint32_t iterations) {
  const uint32_t size = kRows[row].size;
  switch (row % 4) {
    case 0: return run_push_backs<std::allocator<MyInt>>(iterations, size);
    case 1: return run_push_backs<heapglass::allocator<MyInt, 1>>(iterations, size);
    case 2: return run_push_backs<heapglass::allocator<MyInt, 2, kNoExpansion>>(iterations, size);
    default: return run_push_backs<heapglass::allocator<MyInt, 2>>(iterations, size);
  }
}

}  // namespace
}  // namespace ae1

extern const Program kAe1;
const Program kAe1 = {HG_EXPERIMENT('A', 1), "AE1", ae1::kRows, sizeof ae1::kRows / sizeof(Row), ae1::begin, nullptr, nullptr};

}  // namespace experiments
