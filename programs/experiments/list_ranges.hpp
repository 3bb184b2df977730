// The work of AE4 and AE5: ranges of equal elements are inserted at the end of a list, and erased range by range.
#pragma once

#include "experiments/boost_setup.hpp"

#include <boost/container/list.hpp>

#include <vector>

#include <heapglass/heapglass.h>

#include "experiments/my_int.hpp"
#include "experiments/program.hpp"

namespace experiments {

template <class List>
void insert_ranges(List &list, uint32_t ranges, uint32_t size, const char *figure = "insertion_ms") {
  const Stopwatch watch(figure);
  for (uint32_t i = 0; i != ranges; ++i) list.insert(list.end(), size, MyInt(static_cast<int>(i)));
}

// Begin of each range, and the end. Not part of the erasure's time; counts elements that are not what was inserted.
template <class List>
std::vector<typename List::iterator> find_ranges(List &list, uint32_t ranges, uint32_t size, std::size_t *errors) {
  std::vector<typename List::iterator> begins;
  begins.reserve(ranges + 1);
  typename List::iterator at = list.begin();
  for (uint32_t i = 0; i != ranges; ++i) {
    begins.push_back(at);
    for (uint32_t n = size; n != 0; --n, ++at) *errors += at->value() != static_cast<int>(i);
  }
  begins.push_back(at);
  *errors += at != list.end();
  return begins;
}

template <class List>
void erase_ranges(List &list, const std::vector<typename List::iterator> &begins) {
  const Stopwatch watch("erasure_ms");
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) list.erase(begins[i], begins[i + 1]);
}

inline hg_heap_stats default_heap_stats() {
  hg_heap_stats stats;
  hg_heap_get_stats(nullptr, &stats);
  return stats;
}

// [ranges, elements in each]: two million elements each.
#define HG_LIST_ROWS(X) X(200, 10'000) X(2'000, 1'000) X(20'000, 100) X(200'000, 10)

}  // namespace experiments
