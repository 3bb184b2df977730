// The C interface for explanations of out of memory.
#include <heapglass/out_of_memory.h>

#include "diagnose/out_of_memory.hpp"
#include "diagnose/soft_limit.hpp"
#include "heap/default_heap.hpp"
#include "malloc/hooks.hpp"

extern "C" {

size_t hg_out_of_memory_report(char *buffer, size_t capacity) {
  const heapglass::Locked locked(heapglass::Heap::default_heap_if_made());
  return heapglass::explain_failure(buffer, capacity);
}

void hg_set_soft_limit(size_t bytes, hg_soft_limit_hook hook) {
  if (!heapglass::kLeastCode) {
    heapglass::Heap *const heap = heapglass::default_heap();
    const heapglass::Locked locked(heap);
    if (heap != nullptr) heapglass::watch_growth(*heap);
  }
  heapglass::set_soft_limit(bytes, hook);
}

}  // extern "C"
