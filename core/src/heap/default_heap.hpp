// Converts C handles to C++ objects. NULL means the default heap, which is created at first use; nullptr when out of memory.
#pragma once

#include "base/failure.hpp"
#include "heap/heap.hpp"
#include "heap/locked.hpp"
#include "heap/snapshot.hpp"

namespace heapglass {

[[gnu::noinline]] Heap *make_default_heap();  // default_heap.cpp: one thread creates it, the others wait

inline Heap *default_heap() {
  Heap *const made = Heap::default_heap_if_made();
  return made != nullptr ? made : make_default_heap();
}

// Checked builds know which heaps there are.
#if HG_CHECKED
[[gnu::noinline]]
#endif
inline void check_heap([[maybe_unused]] const hg_heap *heap) {
  HG_REQUIRE(is_noted(reinterpret_cast<const Heap *>(heap)), foreign_pointer, heap, "no heap is there: it has ended, or is none");
}
inline Heap *heap_of(hg_heap *heap) {
  if (heap == nullptr) return default_heap();
  check_heap(heap);
  return reinterpret_cast<Heap *>(heap);
}
inline const Heap *heap_of(const hg_heap *heap) {
  if (heap == nullptr) return default_heap();
  check_heap(heap);
  return reinterpret_cast<const Heap *>(heap);
}

}  // namespace heapglass
