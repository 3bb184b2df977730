// See soft_limit.hpp.
#include "diagnose/soft_limit.hpp"

#include "malloc/hooks.hpp"

namespace heapglass {

namespace {

Word g_limit = 0;
void (*g_limit_hook)(Word footprint, Word limit) = nullptr;

void ask_soft_limit() {
  const Heap *const heap = Heap::default_heap_if_made();
  if (heap == nullptr || heap->footprint() <= g_limit) return;
  if (__atomic_exchange_n(&g_soft_limit, nullptr, __ATOMIC_ACQ_REL) == nullptr) return;  // another thread calls it
  g_limit_hook(heap->footprint(), g_limit);
}

}  // namespace

void set_soft_limit(Word bytes, void (*hook)(Word footprint, Word limit)) {
  g_limit = bytes;
  g_limit_hook = hook;
  __atomic_store_n(&g_soft_limit, hook != nullptr ? ask_soft_limit : nullptr, __ATOMIC_RELEASE);
}

}  // namespace heapglass
