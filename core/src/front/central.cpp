// See central.hpp.
#include "front/central.hpp"

namespace heapglass {

namespace {

struct HeldCentral {
  [[no_unique_address]] SpinLock lock;
  void *first;
  Word bytes;
};
HeldCentral g_central_lists[kLists];

void *peek(const HeldCentral &central) { return __atomic_load_n(&central.first, __ATOMIC_RELAXED); }
void set_first(HeldCentral &central, void *mem) { __atomic_store_n(&central.first, mem, __ATOMIC_RELAXED); }

}  // namespace

void store_central(unsigned list, Chain chain) {
  HeldCentral &central = g_central_lists[list];
  const Hold hold(central.lock);
  set_link_of_held(chain.last, central.first);
  set_first(central, chain.first);
  central.bytes += chain.bytes;
}

Chain fetch_central(unsigned list, Word most_bytes) {
  HeldCentral &central = g_central_lists[list];
  if (peek(central) == nullptr) return {};
  const Hold hold(central.lock);
  void *const first = central.first;
  Word bytes = central.bytes;
  if (first == nullptr) return {};
  void *rest = nullptr;
  if (bytes > most_bytes) {
    void *last = first;
    bytes = held_size(first);
    while (bytes < most_bytes && link_of_held(last) != nullptr) {
      last = link_of_held(last);
      bytes += held_size(last);
    }
    rest = link_of_held(last);
    set_link_of_held(last, nullptr);
  }
  set_first(central, rest);
  central.bytes -= bytes;
  return {first, nullptr, bytes};
}

Word central_bytes() {
  Word bytes = 0;
  for (HeldCentral &central : g_central_lists) {
    const Hold hold(central.lock);
    bytes += central.bytes;
  }
  return bytes;
}

}  // namespace heapglass
