// The sources of memory that EE3 and EE4 compare, and one loop for both: a container of `size` elements is made and
// deleted, again and again.
#pragma once

#include <heapglass/fast_fit.hpp>
#include <heapglass/fixed_block.hpp>
#include <heapglass/growing_arena.hpp>
#include <heapglass/standard_allocator.hpp>

#include <cstddef>
#include <memory>

#include "experiments/ee_figures.hpp"

namespace experiments {

inline constexpr uint32_t kElements = 1000;
// A node: the element, three links and a word for the colour, at most.
template <class Element>
inline constexpr std::size_t kNodesArena = kElements * (sizeof(Element) + 5 * sizeof(void *));

// Each names an allocator for elements, and what to tell and to clear at the end.
struct WithStandard {
  template <class Element>
  using allocator = std::allocator<Element>;
  static void report(const BytesLeft &) {}
  static void clear() {}
};

template <auto &manager>
struct WithManager {
  template <class Element>
  using allocator = heapglass::minimal_allocator<Element, heapglass::from_static<manager>>;
  static void report(const BytesLeft &) { report_fixed_block(manager); }
  static void clear() { manager.clear(); }
};

template <auto &manager>
struct WithFastFit {
  template <class Element>
  using allocator = heapglass::minimal_allocator<Element, heapglass::from_static<manager>>;
  static void report(const BytesLeft &) { report_taken(manager.arenas(), manager.capacity(), manager.bytes_held()); }
  static void clear() { manager.clear(); }
};

struct WithHeap {
  template <class Element>
  using allocator = heapglass::minimal_allocator<Element>;
  static void report(const BytesLeft &bytes) { bytes.report_held(); }
  static void clear() {}
};

// make(count) returns the container; errors(container, count) what is wrong with it.
template <class With, class Make, class Errors>
bool run_containers(const char *each_ns, uint32_t times, uint32_t size, Make make, Errors errors) {
  const BytesLeft bytes;
  {
    const TotalAndEach timed(each_ns, times);
    for (uint32_t i = 0; i < times; ++i) {
      const auto container = make(size);
      keep(container);
    }
  }
  {
    const auto container = make(size);
    experiment_figure("errors", errors(container, size));
    With::report(bytes);
  }
  With::clear();
  return true;
}

}  // namespace experiments
