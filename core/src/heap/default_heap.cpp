// The default heap is made once, whoever asks first.
#include "heap/default_heap.hpp"

namespace heapglass {

namespace {
SpinLock g_making;
}

Heap *make_default_heap() {
  const Hold hold(g_making);
  const Locked locked(nullptr);
  return Heap::default_heap();
}

}  // namespace heapglass
