// EE4: a map of 1000 int keys made and deleted. The document: 142 us with the default allocator, 67.4 with one over a
// fixed-block manager; the tree's own work makes the difference smaller than a list's.
#include <functional>
#include <map>
#include <utility>

#include "experiments/ee_containers.hpp"
#include "experiments/ee_figures.hpp"
#include "experiments/experiment.h"
#include "experiments/program.hpp"

namespace experiments {
namespace ee4 {
namespace {

using Pair = std::pair<const int, int>;

constexpr Row kRows[] = {
    {"std::allocator", 10000, kElements, 0}, {"manager", 10000, kElements, 0}, {"manager, growing", 10000, kElements, 0},
    {"fast fit", 10000, kElements, 0},       {"heap", 10000, kElements, 0},
};

constinit heapglass::fixed_block_manager<heapglass::inline_arena<kNodesArena<Pair>>> g_static;
constinit heapglass::fixed_block_manager<heapglass::growing_arena> g_growing;
constinit heapglass::fast_fit<> g_fit;

template <class With>
bool run(uint32_t times, uint32_t size) {
  using Map = std::map<int, int, std::less<int>, typename With::template allocator<Pair>>;
  const auto make = [](uint32_t count) {
    Map map;
    for (uint32_t i = 0; i < count; ++i) map.emplace(static_cast<int>(i), static_cast<int>(2 * i));
    return map;
  };
  const auto errors = [](const Map &map, uint32_t count) {
    double wrong = map.size() != count;
    int expected = 0;
    for (const auto &[key, value] : map) {
      wrong += key != expected || value != 2 * expected;
      ++expected;
    }
    return wrong;
  };
  return run_containers<With>("map_ns", times, size, make, errors);
}

bool begin(uint32_t row, uint32_t iterations) {
  switch (row) {
    case 0: return run<WithStandard>(iterations, kRows[row].size);
    case 1: return run<WithManager<g_static>>(iterations, kRows[row].size);
    case 2: return run<WithManager<g_growing>>(iterations, kRows[row].size);
    case 3: return run<WithFastFit<g_fit>>(iterations, kRows[row].size);
    default: return run<WithHeap>(iterations, kRows[row].size);
  }
}

}  // namespace
}  // namespace ee4

extern const Program kEe4 = {HG_EXPERIMENT('E', 4), "EE4", ee4::kRows, sizeof ee4::kRows / sizeof(Row),
                             ee4::begin,            nullptr, nullptr};

}  // namespace experiments
