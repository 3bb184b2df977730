// Where the lists' chunks come from: the heap, when the lists have none.
#include "front/front.hpp"

namespace heapglass {

namespace {

constexpr Word kCarvedBytes = 1024;  // with threads, in a cache that has room: as many chunks as fit, for one turn of the lock

// More chunks like mem go to the calling thread's list.
void carve_more(Heap &heap, void *mem) {
  if (!kThreads || trace::kTraced || mem == nullptr || !has_quick_cache() || quick_cache().state != CacheState::kRegistered) return;
  const Word size = held_size(mem);
  for (Word more = kCarvedBytes / size; more > 1; --more) {
    void *const another = heap.allocate(size - kWord);
    if (another == nullptr) return;
    if (!give_quick(another)) {
      heap.deallocate(another);
      return;
    }
  }
}

}  // namespace

void *take_from_heap(Heap &heap, Word request) {
  if (request > kRoundedMax && !caches_are_shared()) release_large(heap);
  void *const mem = heap.allocate(request);
  if (request <= kRoundedMax) carve_more(heap, mem);
  return mem;
}

}  // namespace heapglass
