// From C handles to C++ objects. NULL is the default heap, made at first use; still nullptr when memory is out.
#pragma once

#include "heap/locked.hpp"
#include "heap/heap.hpp"

namespace heapglass {

[[gnu::noinline]] Heap *make_default_heap();  // handles.cpp: one thread makes it, the others wait

inline Heap *default_heap() {
  Heap *const made = Heap::default_heap_if_made();
  return made != nullptr ? made : make_default_heap();
}

inline Heap *heap_of(hg_heap *heap) { return heap != nullptr ? reinterpret_cast<Heap *>(heap) : default_heap(); }
inline const Heap *heap_of(const hg_heap *heap) {
  return heap != nullptr ? reinterpret_cast<const Heap *>(heap) : default_heap();
}

}  // namespace heapglass
