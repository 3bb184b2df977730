// Emptying the lists into the heap, which joins neighbours: before linear memory grows (F1, F2), at a thread's end, on demand.
#include "front/central.hpp"
#include "front/front.hpp"
#include "front/held.hpp"
#include "front/held_guard.hpp"
#include "trace/probes.hpp"

namespace heapglass {

namespace {

Word g_flushes = 0;
constexpr bool kCountsReleased = trace::kTraced || kThreads;  // else what waits can be counted before and after
Word g_released = 0;                                          // bytes so far

// An emptying is an operation of its own, also inside the one that needed it.
class Told {
 public:
  explicit Told(const Heap &heap) : heap_(heap), before_(g_released) {
    HG_PROBE(op_begun, heap_.id(), HG_OP_malloc_flush, nullptr, 0, 0);
  }
  ~Told() {
    HG_PROBE(op_ended, heap_.id(), HG_OP_malloc_flush, nullptr, g_released - before_, HG_STATUS_ok);
  }
  Told(const Told &) = delete;
  Told &operator=(const Told &) = delete;

 private:
  [[maybe_unused]] const Heap &heap_;
  [[maybe_unused]] const Word before_;
};

constexpr Word kWalkedBytes = 4096;  // of heap: what a walk passes while one chunk is joined by itself

// Chunks of the chain, at most `most`, become free; what is left of the chain.
void *release_chain(Heap &heap, void *mem, Word &most) {
  while (mem != nullptr && most != 0) {
    void *const next = link_of_held(mem);
    --most;
    HeldGuard::check_waiting(heap, mem);
    release_waiting(heap, mem, list_of_units(units_of(chunk_of(mem))));
    mem = next;
  }
  return mem;
}

// The lists from `from` on. When there are so many chunks that a walk costs less, all lists. Whether there were any.
bool empty_cache(Heap &heap, unsigned from) {
  if (!has_quick_cache()) return false;
  QuickCache &cache = quick_cache();
  const Word budget = kMarksWaiting ? heap.footprint() / kWalkedBytes + 1 : ~Word{0};
  Word most = budget;
  for (unsigned list = from; list < kLists && most != 0; ++list) {
    if (caches_are_shared()) cache.room += static_cast<std::intptr_t>(bytes_of_chain(cache.lists[list]));
    cache.lists[list] = release_chain(heap, cache.lists[list], most);
  }
  if (kMarksWaiting && most == 0) {
    heap.join_waiting();
    __builtin_memset(cache.lists, 0, sizeof cache.lists);
  }
  cache.large = 0;
  return most != budget;
}

bool empty_central(Heap &heap) {
  const Word budget = ~Word{0};
  Word most = budget;
  for (unsigned list = 0; list < kLists; ++list) {
    while (void *const first = fetch_central(list).first) release_chain(heap, first, most);
  }
  return most != budget;
}

// F1 F2, in the order of what they cost: rooms, then the few large chunks; all the rest when linear memory is to grow.
bool before_growth(Heap &heap, bool linear_memory) {
  if (release_rooms(heap) || release_large(heap)) return true;
  if (!linear_memory) return false;
  const bool freed = flush_front(heap);
  g_flushes += freed;
  return freed;
}

constexpr FrontHooks kHooks = {before_growth, holder_of};

}  // namespace

bool release_large(Heap &heap) {
  if (!has_quick_cache() || !has_large(quick_cache())) return false;
  const Told told(heap);
  return empty_cache(heap, kExactUnits);
}

void attach_front(Heap &heap) {
  if (!heap.has_front_hooks()) heap.set_front_hooks(&kHooks);
}

Word flushes_so_far() { return g_flushes; }

void release_waiting(Heap &heap, void *mem, unsigned list) {
  HG_PROBE(held_ended, heap.id(), list, chunk_of(mem), held_size(mem), holder_of(mem));
  if constexpr (kCountsReleased) g_released += held_size(mem);
  unmark_held(mem);
  heap.release_held(mem);
}

bool flush_front(Heap &heap) {
  const Told told(heap);
  bool any = release_rooms(heap);
  any |= empty_cache(heap, 0);
  if (caches_are_shared()) any |= empty_central(heap);
  return any;
}

Word flush_front_counted(Heap &heap) {
  const Word before = kCountsReleased ? g_released : waiting_bytes();
  flush_front(heap);
  return kCountsReleased ? g_released - before : before - waiting_bytes();
}

}  // namespace heapglass
