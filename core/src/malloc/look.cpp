// Looking at malloc from outside: usable size, figures.
#include <heapglass/malloc.h>

#include "heap/free_pages.hpp"
#include "malloc/malloc.hpp"

namespace heapglass {

Word Malloc::usable_size(const void *mem) {
  if (mem == nullptr) return 0;
  if constexpr (kSlabs) {
    if (const Slab *const slab = g_slab_map.slab_at(mem)) {
#if HG_PROVEN_OWNERS
      return OwnSlabs::usable_size(mem);
#elif HG_THREADS
      return slab_block_bytes(class_of(slab));
#else
      return g_slabs.usable_size(slab, mem);
#endif
    }
  }
  if constexpr (kChecked || kHardened) CacheGuard::check_returned(*Malloc::heap(), mem);
  return size_of_block(mem) - kWord;
}

constexpr Word kLeastReturned = 4096;

void Malloc::get_stats(hg_malloc_stats *stats) {
  *stats = {};
  Heap *const heap = Heap::default_heap_if_made();
  if (heap == nullptr) return;
  hg_heap_stats of_heap;
  heap->get_stats(&of_heap);
  stats->footprint = of_heap.footprint;
  stats->peak_footprint = of_heap.peak_footprint;
  stats->free_bytes = of_heap.free_bytes;
  stats->cached = my_cache().bytes();
  stats->in_use = of_heap.in_use - stats->cached;
  if constexpr (kSlabs) stats->in_use -= g_slab_map.kept_bytes();
  stats->flushes = g_flushes;
  stats->returnable = FreePages::bytes(*heap, kLeastReturned);
}

}  // namespace heapglass
