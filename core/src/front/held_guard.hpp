// The checked build's eyes on the front: what a caller gives back, and what a list gives out, is proved first. Functions are
// empty in other builds.
#pragma once

#include "base/failure.hpp"
#include "front/held.hpp"
#include "heap/heap.hpp"

namespace heapglass {

struct HeldGuard {
  // mem is a chunk in use of the heap and waits on no list.
  static void check_returned(const Heap &heap, const void *mem) {
    if constexpr (kChecked) prove_returned(heap, mem);
  }
  // mem is a waiting chunk, as it was when it was given back, and its link leads to another.
  static void check_waiting(const Heap &heap, const void *mem) {
    if constexpr (kChecked) prove_waiting(heap, mem);
  }
  static void fill_freed(void *mem) {
    if constexpr (kChecked) __builtin_memset(mem, 0xdd, Heap::usable_size(mem));
  }
  static void fill_new(void *mem) {
    if constexpr (kChecked) __builtin_memset(mem, 0xa5, Heap::usable_size(mem));
  }

 private:
  static void prove_returned(const Heap &heap, const void *mem);
  static void prove_waiting(const Heap &heap, const void *mem);
};

}  // namespace heapglass
