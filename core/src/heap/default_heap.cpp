// Creates the default heap once: threads that ask at the same time wait for the first.
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
