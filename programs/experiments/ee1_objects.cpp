// EE1: a million objects of one class made and deleted, with a fixed-block manager for the class against malloc. The
// document made a million in 4 ms against 64, from an array of 4004 bytes that holds 1001 of them: so a thousand at a time,
// a thousand times. The last rows hold the whole million at once.
#include <heapglass/heapglass.h>

#include "experiments/ee_figures.hpp"
#include "experiments/ee_objects.hpp"
#include "experiments/experiment.h"
#include "experiments/program.hpp"

namespace experiments {
namespace ee1 {
namespace {

constexpr Row kRows[] = {
    {"malloc", 1000, 1000, 0},           {"manager", 1000, 1000, 0},
    {"manager, growing", 1000, 1000, 0}, {"heap", 1000, 1000, 0},
    {"malloc", 1, 1000000, 0},           {"manager, growing", 1, 1000000, 0},
    {"heap", 1, 1000000, 0},
};

// The objects' contents are their numbers.
template <class Object>
double count_errors(Object *const *objects, uint32_t count) {
  double errors = 0;
  for (uint32_t i = 0; i < count; ++i) errors += objects[i]->contents != static_cast<int>(i);
  return errors;
}

template <class Object>
void work(Object **objects, uint32_t passes, uint32_t count) {
  const BytesLeft bytes;
  {
    const TotalAndEach timed("object_ns", double{1} * passes * count);
    for (uint32_t pass = 0; pass < passes; ++pass) {
      for (uint32_t i = 0; i < count; ++i) objects[i] = new Object(static_cast<int>(i));
      keep(objects);
      for (uint32_t i = 0; i < count; ++i) delete objects[i];
    }
  }
  for (uint32_t i = 0; i < count; ++i) objects[i] = new Object(static_cast<int>(i));
  experiment_figure("objects", double{1} * passes * count);
  experiment_figure("errors", count_errors(objects, count));
  Object::report(bytes);
  for (uint32_t i = 0; i < count; ++i) delete objects[i];
  Object::clear();
}

template <class Object>
bool run(uint32_t passes, uint32_t count) {
  void *const list = hg_heap_allocate(nullptr, count * sizeof(Object *));
  if (list == nullptr) return false;
  work(static_cast<Object **>(list), passes, count);
  hg_heap_deallocate(nullptr, list);
  return true;
}

bool begin(uint32_t row, uint32_t iterations) {
  switch (row) {
    case 0:
    case 4: return run<GlobalObject>(iterations, kRows[row].size);
    case 1: return run<StaticObject>(iterations, kRows[row].size);
    case 2:
    case 5: return run<GrowingObject>(iterations, kRows[row].size);
    default: return run<HeapObject>(iterations, kRows[row].size);
  }
}

}  // namespace
}  // namespace ee1

extern const Program kEe1 = {HG_EXPERIMENT('E', 1), "EE1", ee1::kRows, sizeof ee1::kRows / sizeof(Row),
                             ee1::begin,            nullptr, nullptr};

}  // namespace experiments
