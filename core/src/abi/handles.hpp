// From C handles to C++ objects. NULL is the default heap, made at first use; still nullptr when memory is out.
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

inline Heap *heap_of(hg_heap *heap) {
  return heap != nullptr ? reinterpret_cast<Heap *>(heap) : Heap::default_heap();
}
inline const Heap *heap_of(const hg_heap *heap) {
  return heap != nullptr ? reinterpret_cast<const Heap *>(heap) : Heap::default_heap();
}

}  // namespace heapglass
