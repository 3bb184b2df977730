// AE3, shrink to fit: a vector loses its last five elements and is told to fit, until it is empty. In place that costs the
// cutting of one chunk; without, every element left is copied each time.
#include "experiments/push_backs.hpp"

#include <memory>

#include "experiments/experiment.h"

namespace experiments {
namespace ae3 {
namespace {

constexpr uint32_t kStep = 5;

#define HG_AE3_ROWS(iterations, size) {"std", iterations, size, 0}, {"V1", iterations, size, 0}, {"V2", iterations, size, 0}
constexpr Row kRows[] = {HG_AE3_ROWS(100, 10'000), HG_AE3_ROWS(1'000, 200), HG_AE3_ROWS(10'000, 500)};
#undef HG_AE3_ROWS

// Elements that are wrong before the last are gone.
template <class Vector>
std::size_t empty_by_steps(Vector &vector, uint32_t size) {
  std::size_t errors = 0;
  for (uint32_t left = size; left != 0; left -= kStep) {
    vector.erase(vector.end() - kStep, vector.end());
    vector.shrink_to_fit();
    if (left > kStep) errors += vector.back().value() != 7;
  }
  return errors + vector.size();
}

template <class Allocator>
bool run_shrinks(uint32_t iterations, uint32_t size) {
  std::size_t errors = 0;
  {
    const Stopwatch watch("shrink_to_fit_ms");
    for (uint32_t i = 0; i != iterations; ++i) {
      boost::container::vector<MyInt, Allocator> vector(size, MyInt(7));
      errors += empty_by_steps(vector, size);
      keep(vector);
    }
  }
  g_allocator_counts = {};
  {
    boost::container::vector<MyInt, counted_allocator<Allocator>> vector(size, MyInt(7));
    errors += empty_by_steps(vector, size);
  }
  const AllocatorCounts &counts = g_allocator_counts;
  experiment_figure("calls", static_cast<double>(counts.calls));
  experiment_figure("allocations", static_cast<double>(counts.allocations));
  experiment_figure("shrinks", static_cast<double>(counts.shrinks));
  experiment_figure("errors", static_cast<double>(errors + (counts.held_bytes != 0)));
  experiment_figure("bytes_left", static_cast<double>(default_heap_bytes_in_use()));
  return true;
}

bool begin(uint32_t row, uint32_t iterations) {
  const uint32_t size = kRows[row].size;
  switch (row % 3) {
    case 0: return run_shrinks<std::allocator<MyInt>>(iterations, size);
    case 1: return run_shrinks<heapglass::allocator<MyInt, 1>>(iterations, size);
    default: return run_shrinks<heapglass::allocator<MyInt, 2>>(iterations, size);
  }
}

}  // namespace
}  // namespace ae3

extern const Program kAe3;
const Program kAe3 = {HG_EXPERIMENT('A', 3), "AE3", ae3::kRows, sizeof ae3::kRows / sizeof(Row), ae3::begin, nullptr, nullptr};

}  // namespace experiments
