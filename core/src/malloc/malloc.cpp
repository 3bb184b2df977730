// The slow paths of malloc and free, aligned blocks, and what builds with probes write.
#include "malloc/malloc.hpp"

#include "malloc/hooks.hpp"
#include "malloc/thread_block.hpp"
#include "slab/slab_hooks.hpp"

namespace heapglass {

std::uint8_t g_class_of[kListedUnits];
Word g_flushes = 0;
void (*g_soft_limit)() = nullptr;
#if HG_TRACE && !HG_THREADS
PlayedCache g_played_cache;
#endif

namespace {

constexpr unsigned kNoClass = 0;  // no request has it

// malloc.M6: a chunk without a list that lies before top is joined with it at once, and does not wait. With threads to look costs a lock.
constexpr bool kJoinsTop = kQuick && !kThreads;

// malloc.W2, then the cache's own rule.
bool before_growth(Heap &heap, bool linear_memory) {
  Cache &cache = my_cache();
  const bool waited = cache.before_heap(heap) != 0;
  return (linear_memory && cache.before_growth(heap)) || waited;
}

// magazines.G4: the chunk for a small request goes to the magazine at which such a request looks.
unsigned chunk_class_for(Word request) {
  if (!kMagazines || request > kMaxSlabRequest || request == 0) return class_for_request(request);
  return slab_class_for(request);
}

// What `take` gets from the heap, after a flush when there is nothing (malloc.M5).  pre: the heap's lock is held
template <class Take>
Chunk *carve(Heap &heap, Cache &cache, Word size, Take take) {
  cache.before_carving(heap, size);
  Chunk *c = take();
  if (c == nullptr && cache.flush(heap) != 0) c = take();
  if constexpr (kChecked) {
    if (c != nullptr) CacheGuard::fill_new(mem_of(c));
  }
  return c;
}

}  // namespace

void fill_class_table() {
  for (Word units = 0; units < kListedUnits; ++units) {
    __atomic_store_n(&g_class_of[units], static_cast<std::uint8_t>(class_of_units(units)), __ATOMIC_RELAXED);
  }
}

// A new default heap asks malloc before it grows. The class table is there before the first block is (malloc.S3).
void prepare_for_malloc(Heap &heap) {
  if (kLeastCode) return;
  fill_class_table();
  heap.set_growth_hook(before_growth);
#if !HG_THREADS && !HG_TRACE
  g_solo_cache.begin();
#endif
#if HG_SLABS
  g_slab_map.begin(heap);
#if HG_THREADS
  g_orphans.begin(SlabOwners::kOrphans);
  g_slab_owners.begin(&g_orphans);
#else
  g_slabs.begin();
#endif
#endif
  if constexpr (kTraced) watch_growth(heap);
}

void Malloc::set_status(Heap &heap, std::uint32_t status) {
  const HeapLock lock(heap);
  heap.set_status(status);
}

void *Malloc::allocate_slow(Word request) {
  if constexpr (!kLeastCode && !kTraced) {  // diagnose.O3
    if (g_soft_limit != nullptr) g_soft_limit();
  }
  Heap *const heap = Malloc::heap();
  if (heap == nullptr) return nullptr;
  HG_PROBE(op_begun, heap->id(), HG_OP_allocate, nullptr, request, 0);
  if (void *const mem = take_thread_block(request)) return kTraced ? ended(heap, mem) : mem;
  if (request > kMaxRequest) {
    set_status(*heap, HG_STATUS_too_large);
    return ended(heap, nullptr);
  }
  Cache &cache = my_cache();
  if (kSlabs && request <= kMaxSlabRequest && cache.uses_slabs(*heap)) {
    if (void *const mem = allocate_in_slab(*heap, cache, request)) return ended(heap, mem);
  }
  const unsigned size_class = !kLeastCode && request <= kMaxListed ? chunk_class_for(request) : kNoClass;
  const Word size = size_class != kNoClass ? units_of_class(size_class) * kAlign : chunk_bytes_for(request);
  void *const mem = size_class != kNoClass ? cache.fetch(size_class, *heap) : cache.fetch_large(size);
  if (mem != nullptr) return kTraced ? ended(heap, reused(mem, request)) : mem;
  const HeapLock lock(*heap);
  Chunk *const c = carve(*heap, cache, size, [=] { return heap->take_chunk(size, request); });
  return ended(heap, c != nullptr ? mem_of(c) : nullptr);
}

#if HG_SLABS
namespace {

// slab_hooks.K1
constexpr SlabHooks kSlabHooks = {
    [](const void *mem) { return is_slab_block(mem) ? Malloc::usable_size(mem) : 0; },
    [](void *mem) { Malloc::deallocate(mem); },
};

}  // namespace

// The current slab has no free block. nullptr: no slab serves, and a chunk has to.
void *Malloc::allocate_in_slab(Heap &heap, Cache &cache, Word request) {
  const unsigned slab_class = request != 0 ? slab_class_for(request) : 1;
  void *mem = request == 0 ? cache.pop_small(slab_class) : nullptr;
  if (mem == nullptr && !cache.refill_slab(slab_class, heap)) {
    mem = cache.pop_chunk(slab_class, chunk_class_for(request), heap);
    const Word bytes = mem == nullptr ? cache.slabs().bytes_of_new(slab_class) : 0;
    if (bytes != 0) {
      const HeapLock lock(heap);
      cache.before_carving(heap, bytes);
      if (!cache.slabs().make(heap, slab_class, bytes)) return nullptr;
      g_slab_hooks = &kSlabHooks;
    } else if (mem == nullptr) {
      return nullptr;
    }
  }
  if (mem == nullptr) mem = cache.slabs().pop(slab_class);
  return kTraced ? reused(mem, request) : mem;
}

const char *check_slabs(const Heap &heap) { return &heap == Heap::default_heap_if_made() ? g_slab_map.check(heap) : nullptr; }

bool walk_slab(const Heap &heap, const Chunk *c, Word i, hg_walk_record *record) {
  if (&heap != Heap::default_heap_if_made()) return false;
#if HG_THREADS
  const Slab *const s = g_slab_map.slab_at(at_offset<void>(c, kWord));
  const Slabs *const whose = s != nullptr ? g_slab_owners.slabs_of(g_slab_map.owner_at(s)) : nullptr;
  return (whose != nullptr ? *whose : g_orphans).walk(c, i, record);
#else
  return g_slabs.walk(c, i, record);
#endif
}
#endif

#if !HG_TRACE && !HG_THREADS
// malloc.M6
void *Malloc::allocate_large(Word request) {
  Heap *const heap = Heap::default_heap_if_made();
  if (heap == nullptr || g_soft_limit != nullptr || request > kMaxRequest) return allocate_slow(request);
  const Word size = round_up(request + kWord, kAlign);
  if (size < kLeastUnlisted) return allocate_slow(request);
  void *const mem = g_solo_cache.take_large(*heap, size, request);
  return mem != nullptr ? mem : allocate_slow(request);
}
#endif

void Malloc::deallocate_slow(void *mem) {
  if (keep_thread_block(mem)) return;
  Heap *const heap = Heap::default_heap_if_made();
  HG_PROBE(op_begun, heap->id(), HG_OP_deallocate, mem, 0, 0);
  if (kJoinsTop && read_head(chunk_of(mem)) >= kListedBytes && heap->release_before_top(chunk_of(mem))) {
    HG_PROBE(op_ended, heap->id(), HG_OP_deallocate, nullptr, 0, HG_STATUS_ok);
    return;
  }
  if (my_cache().push_slow(mem, *heap)) {
    if constexpr (kTraced) cached(mem);
    HG_PROBE(op_ended, heap->id(), HG_OP_deallocate, nullptr, 0, HG_STATUS_ok);
    return;
  }
  const HeapLock lock(*heap);
  CacheGuard::check_released(*heap, mem);
  heap->release_chunk(chunk_of(mem));
  HG_PROBE(op_ended, heap->id(), HG_OP_deallocate, nullptr, 0, HG_STATUS_ok);
}

// The first chunk of the list serves when it happens to be aligned, as it is when it was freed after such a request.
void *Malloc::allocate_aligned(Word alignment, Word request) {
  if (alignment <= kAlign && is_power_of_two(alignment)) return allocate_called(request);
  if (void *const mem = take_thread_block(request)) return mem;
  Heap *const heap = Malloc::heap();
  if (heap == nullptr) return nullptr;
  HG_PROBE(op_begun, heap->id(), HG_OP_allocate_aligned, nullptr, request, alignment);
  if (!is_power_of_two(alignment) || request > kMaxRequest || alignment > kMaxRequest - request) {
    set_status(*heap, !is_power_of_two(alignment) ? HG_STATUS_bad_alignment : HG_STATUS_too_large);
    HG_PROBE(op_ended, heap->id(), HG_OP_allocate_aligned, nullptr, 0, heap->status());
    return nullptr;
  }
  Cache &cache = my_cache();
  if (!kLeastCode && request <= kMaxListed && !kHardened) {  // there pop gives any one of the lists
    void *const first = cache.first(class_for_request(request));
    if (first != nullptr && (address_of(first) & (alignment - 1)) == 0) {
      cache.pop(class_for_request(request));
      if constexpr (kTraced) taken_from_list(heap, first, request);
      HG_PROBE(op_ended, heap->id(), HG_OP_allocate_aligned, first, Heap::usable_size(first), HG_STATUS_ok);
      return first;
    }
  }
  const Word size = chunk_bytes_for(request);
  Chunk *c;
  {
    const HeapLock lock(*heap);
    c = carve(*heap, cache, size, [=] { return heap->take_aligned_chunk(alignment, size, request); });
  }
  void *const mem = c != nullptr ? mem_of(c) : nullptr;
  HG_PROBE(op_ended, heap->id(), HG_OP_allocate_aligned, mem, Heap::usable_size(mem), heap->status());
  return mem;
}

Word Malloc::flush() {
  Heap *const heap = Heap::default_heap_if_made();
  Cache &cache = my_cache();
  if (kLeastCode || heap == nullptr) return 0;
  const HeapLock lock(*heap);
  const Word bytes = cache.flush(*heap);
#if HG_THREADS
  cache.unregister(*heap);  // threads.E5: perhaps the thread ends now
#endif
  return bytes;
}

#if HG_THREADS
void Malloc::end_thread() {
  Heap *const heap = Heap::default_heap_if_made();
#if HG_TRACE
  const Locked locked(heap);
#endif
  if (heap != nullptr && has_thread_locals()) t_cache.end(*heap);
}
#endif

// ---- what builds with probes write ----

namespace {

// event.P4, event.P8
struct BlockInEvents {
  explicit BlockInEvents(const void *mem) {
    if constexpr (kSlabs) {
      if (const unsigned slab_class = g_slab_map.class_at(mem)) {
        list = HG_SLAB_LISTS + slab_class;
        bytes = slab_block_bytes(slab_class);
        return;
      }
    }
    bytes = size_of_block(mem);
    list = list_in_events(bytes);
  }
  unsigned list;
  Word bytes;
};

}  // namespace

void *Malloc::ended(Heap *heap, void *mem) {
  HG_PROBE(op_ended, heap->id(), HG_OP_allocate, mem, Malloc::usable_size(mem), heap->status());
  return mem;
}

void Malloc::taken_from_list(Heap *heap, void *mem, Word request) {
  CacheGuard::check_taken(*heap, mem);
  if (is_slab_block(mem)) unmark_waiting(mem);
  [[maybe_unused]] const BlockInEvents block(mem);
  HG_PROBE(chunk_reused, heap->id(), block.list, chunk_of(mem), block.bytes, request);
  CacheGuard::fill_new(mem);
  heap->set_status(HG_STATUS_ok);
}

void *Malloc::reused(void *mem, Word request) {
  taken_from_list(Malloc::heap(), mem, request);
  return mem;
}

bool Malloc::about_to_free(void *mem) {
  if (keep_thread_block(mem)) return false;
  CacheGuard::check_returned(*Malloc::heap(), mem);
  CacheGuard::fill_freed(mem);
  return true;
}

void Malloc::cached(void *mem) {
  Heap *const heap = Malloc::heap();
  if (!is_slab_block(mem)) set_holder(mem, thread_number());
  [[maybe_unused]] const BlockInEvents block(mem);
  HG_PROBE(chunk_cached, heap->id(), block.list, chunk_of(mem), block.bytes, thread_number());
  heap->set_status(HG_STATUS_ok);
}

}  // namespace heapglass
