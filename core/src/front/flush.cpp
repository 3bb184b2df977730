// Emptying the lists into the heap, which joins neighbours: before linear memory grows (F1, F2), at a thread's end, on demand.
#include "front/central.hpp"
#include "front/front.hpp"
#include "front/held.hpp"
#include "trace/probes.hpp"

namespace heapglass {

namespace {

Word g_flushes = 0;

bool before_growth(Heap &heap) {
  const bool freed = flush_front(heap) != 0;
  g_flushes += freed;
  return freed;
}

constexpr FrontHooks kHooks = {before_growth, holder_of};

Word release_all_held(Heap &heap, void *mem) {
  Word bytes = 0;
  while (mem != nullptr) {
    void *const next = link_of_held(mem);
    Chunk *const c = chunk_of(mem);
    bytes += size_of(c);
    HG_PROBE(held_ended, heap.id(), list_of_units(units_of(c)), c, size_of(c), holder_of(mem));
    unmark_held(mem);
    heap.release_held(mem);
    mem = next;
  }
  return bytes;
}

}  // namespace

void attach_front(Heap &heap) { heap.set_front_hooks(&kHooks); }

Word flushes_so_far() { return g_flushes; }

Word flush_front(Heap &heap) {
  HG_PROBE(op_begun, heap.id(), HG_OP_malloc_flush, nullptr, 0, 0);
  Word bytes = 0;
  if (has_quick_cache()) {
    QuickCache &cache = quick_cache();
    for (void *&list : cache.lists) {
      void *const first = list;
      if (first == nullptr) continue;
      list = nullptr;
      bytes += release_all_held(heap, first);
    }
    if (caches_are_shared()) cache.room += static_cast<std::intptr_t>(bytes);
  }
  if (caches_are_shared()) {
    for (unsigned list = 0; list < kLists; ++list) bytes += release_all_held(heap, fetch_central(list, ~Word{0}).first);
  }
  HG_PROBE(op_ended, heap.id(), HG_OP_malloc_flush, nullptr, bytes, HG_STATUS_ok);
  return bytes;
}

}  // namespace heapglass
