// Converts C handles to C++ objects. NULL means the default heap, which is created at first use; nullptr when out of memory.
#pragma once

#include "heap/locked.hpp"
#include "heap/heap.hpp"

namespace heapglass {

[[gnu::noinline]] Heap *make_default_heap();  // default_heap.cpp: one thread creates it, the others wait

inline Heap *default_heap() {
  Heap *const made = Heap::default_heap_if_made();
  return made != nullptr ? made : make_default_heap();
}

inline Heap *heap_of(hg_heap *heap) { return heap != nullptr ? reinterpret_cast<Heap *>(heap) : default_heap(); }
inline const Heap *heap_of(const hg_heap *heap) {
  return heap != nullptr ? reinterpret_cast<const Heap *>(heap) : default_heap();
}

}  // namespace heapglass
