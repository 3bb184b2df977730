// AE4, bursts: ranges into a list and out of it. One call for the nodes of a range against one call a node.
//
// The document's program inserts once, into memory that nobody has touched before: the first write to each page is the
// system's work, and the same for all. insertion_again_ms is a second insertion, into the memory the first one left.
// What an allocator is asked for is counted with one more range, behind the timed ones.
#include "experiments/list_ranges.hpp"

#include <memory>

#include <heapglass/allocator.hpp>

#include "experiments/counted_allocator.hpp"
#include "experiments/experiment.h"

namespace experiments {
namespace ae4 {
namespace {

#define HG_AE4_ROWS(ranges, size) {"std", ranges, size, 0}, {"V1", ranges, size, 0}, {"V2", ranges, size, 0},
constexpr Row kRows[] = {HG_LIST_ROWS(HG_AE4_ROWS)};
#undef HG_AE4_ROWS

template <class Allocator>
bool run_ranges(uint32_t ranges, uint32_t size) {
  std::size_t errors = 0;
  {
    boost::container::list<MyInt, Allocator> list;
    insert_ranges(list, ranges, size);
    const auto begins = find_ranges(list, ranges, size, &errors);
    erase_ranges(list, begins);
    errors += !list.empty();
    insert_ranges(list, ranges, size, "insertion_again_ms");
    errors += list.size() != std::size_t{ranges} * size;
  }
  g_allocator_counts = {};
  {
    boost::container::list<MyInt, counted_allocator<Allocator>> list;
    list.insert(list.end(), size, MyInt(1));
    errors += list.size() != size;
  }
  experiment_figure("calls", static_cast<double>(g_allocator_counts.calls));
  experiment_figure("errors", static_cast<double>(errors));
  experiment_figure("bytes_left", static_cast<double>(default_heap_stats().in_use));
  return true;
}

bool begin(uint32_t row, uint32_t ranges) {
  const uint32_t size = kRows[row].size;
  switch (row % 3) {
    case 0: return run_ranges<std::allocator<MyInt>>(ranges, size);
    case 1: return run_ranges<heapglass::allocator<MyInt, 1>>(ranges, size);
    default: return run_ranges<heapglass::allocator<MyInt, 2>>(ranges, size);
  }
}

}  // namespace
}  // namespace ae4

extern const Program kAe4;
const Program kAe4 = {HG_EXPERIMENT('A', 4), "AE4", ae4::kRows, sizeof ae4::kRows / sizeof(Row), ae4::begin, nullptr, nullptr};

}  // namespace experiments
