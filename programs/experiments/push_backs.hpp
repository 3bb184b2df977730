// The work of AE1 and AE2: a vector filled by push_back, again and again. What an allocator is asked for is counted in one
// more iteration behind the timed ones, so that counting costs nothing there.
#pragma once

#include "experiments/boost_setup.hpp"

#include <boost/container/vector.hpp>

#include <heapglass/allocator.hpp>

#include "experiments/counted_allocator.hpp"
#include "experiments/my_int.hpp"
#include "experiments/program.hpp"

namespace experiments {

inline std::size_t default_heap_bytes_in_use() {
  hg_heap_stats stats;
  hg_heap_get_stats(nullptr, &stats);
  return stats.in_use;
}

template <class Vector>
void fill_by_push_back(Vector &vector, uint32_t size) {
  for (uint32_t i = 0; i != size; ++i) vector.push_back(MyInt(static_cast<int>(i)));
}

// How many elements are not what was pushed.
template <class Vector>
std::size_t wrong_elements(const Vector &vector, uint32_t size) {
  std::size_t wrong = vector.size() == size ? 0 : 1;
  for (std::size_t i = 0; i < vector.size(); ++i) wrong += vector[i].value() != static_cast<int>(i);
  return wrong;
}

template <class Allocator>
bool run_push_backs(uint32_t iterations, uint32_t size) {
  {
    const Stopwatch watch("push_back_ms");
    for (uint32_t i = 0; i != iterations; ++i) {
      boost::container::vector<MyInt, Allocator> vector;
      fill_by_push_back(vector, size);
      keep(vector);
    }
  }
  g_allocator_counts = {};
  std::size_t capacity = 0;
  std::size_t errors = 0;
  {
    boost::container::vector<MyInt, counted_allocator<Allocator>> vector;
    fill_by_push_back(vector, size);
    capacity = vector.capacity();
    errors = wrong_elements(vector, size);
  }
  const AllocatorCounts &counts = g_allocator_counts;
  errors += counts.held_bytes != 0;
  hg_heap_stats stats;
  hg_heap_get_stats(nullptr, &stats);
  experiment_figure("calls", static_cast<double>(counts.calls));
  experiment_figure("allocations", static_cast<double>(counts.allocations));
  experiment_figure("expansions_fwd", static_cast<double>(counts.expansions_fwd));
  experiment_figure("expansions_bwd", static_cast<double>(counts.expansions_bwd));
  experiment_figure("capacity", static_cast<double>(capacity));
  experiment_figure("peak_held_bytes", static_cast<double>(counts.peak_held_bytes));  // old and new buffer together
  if constexpr (requires { typename Allocator::version; }) {  // std takes nothing from the heap
    experiment_figure("peak_bytes", static_cast<double>(stats.peak_footprint));
  }
  experiment_figure("errors", static_cast<double>(errors));
  experiment_figure("bytes_left", static_cast<double>(stats.in_use));
  return true;
}

// Every way with every amount of work, ways first.
#define HG_PUSH_BACK_ROWS(X)                                          \
  X(10'000, 10'000) X(100'000, 1'000) X(1'000'000, 100) X(10'000'000, 10)

}  // namespace experiments
