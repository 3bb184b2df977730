// EE3: a list of 1000 ints made and deleted. The document: 76.2 us with the default allocator, 11.6 with one over a
// fixed-block manager.
#include <list>

#include "experiments/ee_containers.hpp"
#include "experiments/ee_figures.hpp"
#include "experiments/experiment.h"
#include "experiments/program.hpp"

namespace experiments {
namespace ee3 {
namespace {

constexpr Row kRows[] = {
    {"std::allocator", 10000, kElements, 0}, {"manager", 10000, kElements, 0}, {"manager, growing", 10000, kElements, 0},
    {"fast fit", 10000, kElements, 0},       {"heap", 10000, kElements, 0},
};

constinit heapglass::fixed_block_manager<heapglass::inline_arena<kNodesArena<int>>> g_static;
constinit heapglass::fixed_block_manager<heapglass::growing_arena> g_growing;
constinit heapglass::fast_fit<> g_fit;

template <class With>
bool run(uint32_t times, uint32_t size) {
  using List = std::list<int, typename With::template allocator<int>>;
  const auto make = [](uint32_t count) {
    List list;
    for (uint32_t i = 0; i < count; ++i) list.push_back(static_cast<int>(i));
    return list;
  };
  const auto errors = [](const List &list, uint32_t count) {
    double wrong = list.size() != count;
    int expected = 0;
    for (const int value : list) wrong += value != expected++;
    return wrong;
  };
  return run_containers<With>("list_ns", times, size, make, errors);
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
}  // namespace ee3

extern const Program kEe3 = {HG_EXPERIMENT('E', 3), "EE3", ee3::kRows, sizeof ee3::kRows / sizeof(Row),
                             ee3::begin,            nullptr, nullptr};

}  // namespace experiments
