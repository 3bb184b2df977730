// AE5, adaptive pools: the work of AE4 on eight allocators, and what each of them holds before and after.
//
//   system_bytes          the heap's footprint when everything is inserted
//   overhead_percent      100 * (bytes of chunks in use - nodes * node size) / (nodes * node size), then
//   in_use_after_erasure  bytes that the allocator still holds when the list is empty: a pool's blocks with their headers
//   system_bytes_after    the footprint after erasure and a trim of the heap
//
// Pools: 256 nodes a block are asked for, 2 wholly free blocks kept. A list's node is two pointers and an int: 12 bytes in
// wasm32. Segregated pools of this size must never be trimmed, walked or checked: that is O(blocks * free nodes).
#include "experiments/list_ranges.hpp"

#include <heapglass/adaptive_pool.hpp>
#include <heapglass/allocator.hpp>
#include <heapglass/node_allocator.hpp>

#include "experiments/experiment.h"

namespace experiments {
namespace ae5 {
namespace {

#define HG_AE5_ROWS(ranges, size)                                                                         \
  {"plain V1", ranges, size, 0}, {"plain V2", ranges, size, 0}, {"align-only V1", ranges, size, 0},       \
  {"align-only V2", ranges, size, 0}, {"2 % V1", ranges, size, 0}, {"2 % V2", ranges, size, 0},           \
  {"segregated V1", ranges, size, 0}, {"segregated V2", ranges, size, 0},
constexpr Row kRows[] = {HG_LIST_ROWS(HG_AE5_ROWS)};
#undef HG_AE5_ROWS

template <unsigned Version>
using AlignOnly = heapglass::adaptive_pool<MyInt, 256, 2, heapglass::kOnlyAlignment, Version>;
template <unsigned Version>
using TwoPercent = heapglass::adaptive_pool<MyInt, 256, 2, 2, Version>;
template <unsigned Version>
using Segregated = heapglass::node_allocator<MyInt, 256, Version>;

// What a pool holds of its heap; without a pool nothing is held but what is in use.
template <class Nodes>
std::size_t bytes_held() {
  if constexpr (requires { Nodes::pool(); }) {
    hg_pool_stats stats;
    hg_pool_get_stats(Nodes::pool(), &stats);
    return stats.blocks * (stats.block_bytes + hg_chunk_overhead());
  } else {
    return default_heap_stats().in_use;
  }
}

// Its node size, as the overhead counts it: what an object of the list needs.
template <class Nodes>
double node_bytes(double nodes) {
  return nodes * static_cast<double>(sizeof(typename Nodes::value_type));
}

template <class Allocator>
bool run_pool(uint32_t ranges, uint32_t size) {
  using List = boost::container::list<MyInt, Allocator>;
  using Nodes = typename List::stored_allocator_type;
  std::size_t errors = 0;
  {
    List list;
    insert_ranges(list, ranges, size);
    const hg_heap_stats full = default_heap_stats();
    const double bytes = node_bytes<Nodes>(static_cast<double>(list.size()));
    experiment_figure("system_bytes", static_cast<double>(full.footprint));
    experiment_figure("overhead_percent", 100 * (static_cast<double>(full.in_use) - bytes) / bytes);
    const auto begins = find_ranges(list, ranges, size, &errors);
    erase_ranges(list, begins);
    errors += !list.empty();
  }
  experiment_figure("in_use_after_erasure", static_cast<double>(bytes_held<Nodes>()));
  hg_heap_trim(nullptr, 0);
  experiment_figure("system_bytes_after", static_cast<double>(default_heap_stats().footprint));
  if constexpr (requires { Nodes::destroy_pool(); }) Nodes::destroy_pool();
  experiment_figure("errors", static_cast<double>(errors));
  experiment_figure("bytes_left", static_cast<double>(default_heap_stats().in_use));
  return true;
}

bool begin(uint32_t row, uint32_t ranges) {
  const uint32_t size = kRows[row].size;
  switch (row % 8) {
    case 0: return run_pool<heapglass::allocator<MyInt, 1>>(ranges, size);
    case 1: return run_pool<heapglass::allocator<MyInt, 2>>(ranges, size);
    case 2: return run_pool<AlignOnly<1>>(ranges, size);
    case 3: return run_pool<AlignOnly<2>>(ranges, size);
    case 4: return run_pool<TwoPercent<1>>(ranges, size);
    case 5: return run_pool<TwoPercent<2>>(ranges, size);
    case 6: return run_pool<Segregated<1>>(ranges, size);
    default: return run_pool<Segregated<2>>(ranges, size);
  }
}

}  // namespace
}  // namespace ae5

extern const Program kAe5;
const Program kAe5 = {HG_EXPERIMENT('A', 5), "AE5", ae5::kRows, sizeof ae5::kRows / sizeof(Row), ae5::begin, nullptr, nullptr};

}  // namespace experiments
