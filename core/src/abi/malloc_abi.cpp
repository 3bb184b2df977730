// The C skin of the malloc front: the fast paths, each in one function that calls nothing, then the front.
#include <heapglass/malloc.h>

#include "abi/handles.hpp"
#include "abi/play_thread.hpp"
#include "base/profile.hpp"
#include "front/front.hpp"
#include "front/held_guard.hpp"
#include "front/thread_variables.hpp"
#include "heap/top.hpp"

namespace heapglass {
void report_out_of_memory();  // with kLibcMalloc only
}

namespace {

using heapglass::Heap;
using heapglass::Locked;

// Without probes the heap is not needed, and not locked, for what the cache can do.
constexpr bool kFast = !heapglass::trace::kTraced;
using heapglass::kFastProfile;

// The default heap, locked, with the front at it; false: there is no memory for one.
class MallocHeap {
 public:
  MallocHeap() : heap_(heapglass::default_heap()), locked_(heap_) {
    if (kFastProfile && heap_ != nullptr) heapglass::attach_front(*heap_);
  }
  explicit operator bool() const { return heap_ != nullptr; }
  Heap &operator*() const { return *heap_; }
  Heap *operator->() const { return heap_; }

 private:
  Heap *const heap_;
  const Locked locked_;
};

// Large chunks that nothing but top serves, or that become top again. Without threads: top is the heap's.
constexpr bool kFastTop = kFast && !heapglass::kThreads;

[[gnu::always_inline]] inline void *take_top(size_t size) {
  if (!kFastTop || size <= heapglass::kRoundedMax) return nullptr;
  heapglass::QuickCache &cache = heapglass::quick_cache();
  cache.hot = size;
  Heap *const heap = Heap::default_heap_if_made();
  return heap != nullptr && !has_large(cache) ? heap->take_from_top(size) : nullptr;
}

[[gnu::always_inline]] inline bool give_top(void *mem) {
  return kFastTop && heapglass::held_size(mem) / heapglass::kAlign >= heapglass::kExactUnits &&
         Heap::default_heap_if_made()->give_to_top(mem);
}

constexpr size_t kMovedAtOnce = 256;  // bytes: copying them costs less than looking for space beside them

[[gnu::always_inline]] inline void *move_small(void *mem, size_t chunk, size_t request) {
  void *const to = chunk <= kMovedAtOnce ? heapglass::take_quick(request) : nullptr;
  if (to == nullptr) return nullptr;
  __builtin_memcpy(to, mem, chunk - heapglass::kWord);
  hg_free(mem);
  return to;
}

void *malloc_slow(size_t size) {
  if (void *const mem = heapglass::take_thread_variables(size)) return mem;
  if (void *const mem = take_top(size)) return mem;
  if constexpr (kFast) {
    if (size <= heapglass::kRoundedMax) size = heapglass::rounded(size);
    if (void *const mem = heapglass::take_cached(size, 0)) return mem;
  }
  const MallocHeap heap;
  if (!heap) return nullptr;
  return kFast ? heapglass::take_from_heap(*heap, size) : heapglass::allocate_told(*heap, size);
}

[[gnu::noinline]] void free_slow(void *mem) {
  if (heapglass::keep_thread_variables(mem)) return;
  if (give_top(mem)) return;
  if constexpr (kFast) {
    if (heapglass::give_cached(mem, 0)) return;
  }
  const MallocHeap heap;
  if (!heap) return;  // then nothing was allocated
  if constexpr (kFast) {
    heap->deallocate(mem);
  } else {
    heapglass::deallocate_told(*heap, mem);
  }
}

// What a libc's malloc does besides when there is no memory (abi/libc_names.cpp).
void *reported(void *mem) {
  if constexpr (heapglass::kLibcMalloc) {
    if (mem == nullptr) heapglass::report_out_of_memory();
  }
  return mem;
}

[[gnu::noinline]] void *malloc_or_report(size_t size) { return reported(malloc_slow(size)); }

}  // namespace

#if HG_THREADS
void heapglass::end_thread_cache() {
  Heap *const heap = Heap::default_heap_if_made();
  if constexpr (kFast) {
    end_cache(0);
  } else if (heap != nullptr) {
    const Locked locked(heap);
    end_cache(heap->id());
  }
}
#endif

extern "C" {

void *hg_malloc(size_t size) {
  if constexpr (!kFastProfile) return reported(hg_heap_allocate(nullptr, size));
  if constexpr (kFast) {
    void *const mem = heapglass::take_quick(size);
    if (__builtin_expect(mem != nullptr, 1)) return mem;
  }
  return malloc_or_report(size);
}

void hg_free(void *mem) {
  if (mem == nullptr) return;
  if constexpr (!kFastProfile) return hg_heap_deallocate(nullptr, mem);
  if constexpr (kFast) {
    if (__builtin_expect(heapglass::give_quick(mem), 1)) return;
  }
  free_slow(mem);
}

void *hg_calloc(size_t count, size_t size) {
  size_t bytes = 0;
  if (!heapglass::checked_multiply(count, size, &bytes)) bytes = ~size_t{0};  // refused as too large
  void *const mem = hg_malloc(bytes);
  if (mem != nullptr) __builtin_memset(mem, 0, bytes);
  return mem;
}

void *hg_realloc(void *mem, size_t size) {
  if constexpr (!kFastProfile) {
    void *const moved = hg_heap_reallocate(nullptr, mem, size);
    return size != 0 || mem == nullptr ? reported(moved) : nullptr;
  }
  if (mem == nullptr) return hg_malloc(size);
  if (size == 0) {
    hg_free(mem);
    return nullptr;
  }
  Heap *const heap = Heap::default_heap_if_made();  // mem is from it
  if (kFastTop && size <= heapglass::kMaxRequest) {
    const size_t chunk = heapglass::chunk_size_for(size);
    const size_t have = heapglass::held_size(mem);
    if (chunk > have) {
      if (heap->grow_into_top(mem, chunk)) return mem;
      if (void *const moved = move_small(mem, have, size)) return moved;
    }
  }
  const Locked locked(heap);
  return reported(heapglass::front_reallocate(*heap, mem, size));
}

void *hg_realloc_in_place(void *mem, size_t size) {
  const MallocHeap heap;
  if (!heap) return nullptr;
  return heap->reallocate_in_place(mem, size);
}

void *hg_memalign(size_t alignment, size_t size) {
  if (alignment <= HG_ALIGNMENT && heapglass::is_power_of_two(alignment)) return hg_malloc(size);
  if (kFastProfile) {
    if (void *const mem = heapglass::take_thread_variables(size)) return mem;
    if (kFast && size <= heapglass::kRoundedMax && heapglass::next_is_aligned(alignment, size)) return hg_malloc(size);
    size = heapglass::rounded(size);
  }
  const MallocHeap heap;
  return reported(heap ? heap->allocate_aligned(alignment, size) : nullptr);
}

size_t hg_malloc_usable_size(const void *mem) {
  if (mem == nullptr) return 0;
  if constexpr (heapglass::kChecked) {
    const MallocHeap heap;
    heapglass::HeldGuard::check_returned(*heap, mem);
  }
  return heapglass::held_size(mem) - heapglass::kWord;
}

size_t hg_bulk_free(void **blocks, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    hg_free(blocks[i]);
    blocks[i] = nullptr;
  }
  return 0;
}

size_t hg_malloc_flush(void) {
  Heap *const heap = Heap::default_heap_if_made();
  if (heap == nullptr) return 0;
  const Locked locked(heap);
  return heapglass::flush_front_counted(*heap);
}

size_t hg_malloc_trim(size_t pad) {
  Heap *const heap = Heap::default_heap_if_made();
  if (heap == nullptr) return 0;
  const Locked locked(heap);
  heapglass::flush_front(*heap);
  return heap->trim(pad);
}

void hg_malloc_get_stats(hg_malloc_stats *stats) {
  *stats = {};
  Heap *const heap = Heap::default_heap_if_made();
  if (heap == nullptr) return;
  const Locked locked(heap);
  hg_heap_stats of_heap;
  heap->get_stats(&of_heap);
  stats->footprint = of_heap.footprint;
  stats->peak_footprint = of_heap.peak_footprint;
  stats->free_bytes = of_heap.free_bytes;
  stats->held = kFastProfile ? heapglass::waiting_bytes() : 0;
  stats->in_use = of_heap.in_use - stats->held;
  stats->flushes = heapglass::flushes_so_far();
}

void hg_malloc_play_thread(uint32_t number) {
#if !HG_THREADS
  const MallocHeap heap;
  if (heap) heapglass::play_thread(*heap, number);
#else
  static_cast<void>(number);  // real threads are not played
#endif
}

}  // extern "C"
