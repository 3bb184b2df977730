// EE2: an array of 100 pointers; a million times an object is made and put at a random place, and the one that was there
// deleted. The document: 25 ms with a fixed-block manager for the class against 107 with malloc.
#include <heapglass/heapglass.h>

#include "experiments/ee_figures.hpp"
#include "experiments/ee_objects.hpp"
#include "experiments/experiment.h"
#include "experiments/program.hpp"

namespace experiments {
namespace ee2 {
namespace {

constexpr uint32_t kPlaces = 100;
constexpr Row kRows[] = {
    {"malloc", 1000000, kPlaces, 0},
    {"manager", 1000000, kPlaces, 0},
    {"manager, growing", 1000000, kPlaces, 0},
    {"heap", 1000000, kPlaces, 0},
};

template <class Object>
bool run(uint32_t times) {
  const BytesLeft bytes;
  Object *objects[kPlaces] = {};
  {
    const TotalAndEach timed("replacement_ns", times);
    Random random(2024);
    for (uint32_t i = 0; i < times; ++i) {
      Object *&place = objects[random.below(kPlaces)];
      Object *const made = new Object(static_cast<int>(i));
      delete place;
      place = made;
    }
    keep(objects);
  }
  // The same draws again say what must be where.
  int expected[kPlaces] = {};
  Random again(2024);
  for (uint32_t i = 0; i < times; ++i) expected[again.below(kPlaces)] = static_cast<int>(i);
  double errors = 0;
  for (uint32_t i = 0; i < kPlaces; ++i) errors += objects[i] != nullptr && objects[i]->contents != expected[i];
  experiment_figure("objects", times);
  experiment_figure("errors", errors);
  Object::report(bytes);
  for (Object *object : objects) delete object;
  Object::clear();
  return true;
}

bool begin(uint32_t row, uint32_t iterations) {
  switch (row) {
    case 0: return run<GlobalObject>(iterations);
    case 1: return run<StaticObject>(iterations);
    case 2: return run<GrowingObject>(iterations);
    default: return run<HeapObject>(iterations);
  }
}

}  // namespace
}  // namespace ee2

extern const Program kEe2 = {HG_EXPERIMENT('E', 2), "EE2", ee2::kRows, sizeof ee2::kRows / sizeof(Row),
                             ee2::begin,            nullptr, nullptr};

}  // namespace experiments
