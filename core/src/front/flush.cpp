// Emptying the lists into the heap, which joins neighbours: before linear memory grows (F1, F2), at a thread's end, on demand.
#include "front/central.hpp"
#include "front/front.hpp"
#include "front/held.hpp"
#include "front/held_guard.hpp"
#include "trace/probes.hpp"

namespace heapglass {

namespace {

Word g_flushes = 0;

Word release_list(Heap &heap, void *mem) {
  Word bytes = 0;
  while (mem != nullptr) {
    void *const next = link_of_held(mem);
    bytes += held_size(mem);
    HeldGuard::check_waiting(heap, mem);
    release_waiting(heap, mem, list_of_units(units_of(chunk_of(mem))));
    mem = next;
  }
  return bytes;
}

// The lists from `from` on.
Word empty_cache(Heap &heap, unsigned from) {
  if (!has_quick_cache()) return 0;
  QuickCache &cache = quick_cache();
  Word bytes = 0;
  for (unsigned list = from; list < kLists; ++list) {
    void *const first = cache.lists[list];
    if (first == nullptr) continue;
    cache.lists[list] = nullptr;
    bytes += release_list(heap, first);
  }
  cache.large = 0;
  if (caches_are_shared()) cache.room += static_cast<std::intptr_t>(bytes);
  return bytes;
}

// F1 F2, in the order of what they cost: rooms, then the few large chunks; all the rest when linear memory is to grow.
bool before_growth(Heap &heap, bool linear_memory) {
  if (release_rooms(heap)) return true;
  if (has_quick_cache() && quick_cache().large != 0) return empty_cache(heap, kExactUnits) != 0;
  if (!linear_memory) return false;
  const bool freed = flush_front(heap) != 0;
  g_flushes += freed;
  return freed;
}

constexpr FrontHooks kHooks = {before_growth, holder_of};

}  // namespace

void attach_front(Heap &heap) {
  if (!heap.has_front_hooks()) heap.set_front_hooks(&kHooks);
}

Word flushes_so_far() { return g_flushes; }

void release_waiting(Heap &heap, void *mem, unsigned list) {
  HG_PROBE(held_ended, heap.id(), list, chunk_of(mem), held_size(mem), holder_of(mem));
  unmark_held(mem);
  heap.release_held(mem);
}

Word flush_front(Heap &heap) {
  HG_PROBE(op_begun, heap.id(), HG_OP_malloc_flush, nullptr, 0, 0);
  release_rooms(heap);
  Word bytes = empty_cache(heap, 0);
  if (caches_are_shared()) {
    for (unsigned list = 0; list < kLists; ++list) bytes += release_list(heap, fetch_central(list, ~Word{0}).first);
  }
  HG_PROBE(op_ended, heap.id(), HG_OP_malloc_flush, nullptr, bytes, HG_STATUS_ok);
  return bytes;
}

}  // namespace heapglass
