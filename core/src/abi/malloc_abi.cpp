// The C interface of malloc: one line each.
#include <heapglass/malloc.h>

#include "abi/play_thread.hpp"
#include "heap/free_pages.hpp"
#include "heap/snapshot.hpp"
#include "malloc/cached_pages.hpp"
#include "malloc/hooks.hpp"
#include "malloc/malloc.hpp"

namespace heapglass {
void report_out_of_memory(Word request);  // with kIsMalloc only
}

namespace {

using heapglass::Heap;
using heapglass::Malloc;
using heapglass::Word;

// With probes: one lock for everything (heap/locked.hpp), and a snapshot first when one is due (event.R5). Without probes: empty,
// because malloc takes the locks that it needs.
#if HG_TRACE
class MallocCall {
 public:
  MallocCall() : locked_(after_soft_limit()) {
    if (__builtin_expect(heapglass::trace::snapshot_due(), 0)) heapglass::write_snapshot();
  }

 private:
  static const Heap *after_soft_limit() {  // diagnose.O3
    if (heapglass::g_soft_limit != nullptr) heapglass::g_soft_limit();
    return heapglass::default_heap();
  }
  const heapglass::Locked locked_;
};
#else
struct MallocCall {
  MallocCall() {}
};
#endif

// What a libc's malloc also does when it is out of memory (abi/libc_names.cpp).
[[gnu::always_inline]] inline void *reported(void *mem, size_t request) {
  if constexpr (heapglass::kIsMalloc) {
    if (__builtin_expect(mem == nullptr, 0)) heapglass::report_out_of_memory(request);
  }
  return mem;
}

#if HG_TRACE
[[gnu::always_inline]] inline void *allocate(size_t size) {
  const MallocCall call;
  return reported(Malloc::allocate(size), size);
}
#else
struct Reported {
  [[gnu::noinline]] static void *listed(size_t size) { return reported(Malloc::Slow::listed(size), size); }
  [[gnu::noinline]] static void *large(size_t size) { return reported(Malloc::Slow::large(size), size); }
};
[[gnu::always_inline]] inline void *allocate(size_t size) { return Malloc::allocate<Reported>(size); }
#endif

Word flush_cache() {
  const MallocCall call;
  return Malloc::flush();
}

}  // namespace

// Exported by the archives that record, so that no optimizer puts one into its only caller, where `heapglass instrument` could not wrap
// it (web/src/instrument/linked.ts).
#if HG_TRACE && HG_MALLOC && defined(__EMSCRIPTEN__)
#define HG_KEPT __attribute__((used, visibility("default")))
#else
#define HG_KEPT
#endif

extern "C" {

HG_KEPT void *hg_malloc(size_t size) { return allocate(size); }

void hg_free(void *mem) {
  const MallocCall call;
  Malloc::deallocate(mem);
}

HG_KEPT void *hg_calloc(size_t count, size_t size) {
  size_t bytes = 0;
  if (!heapglass::checked_multiply(count, size, &bytes)) bytes = ~size_t{0};  // refused as too large
  void *const mem = heapglass::kQuick ? allocate(bytes) : hg_malloc(bytes);
  if (mem != nullptr) __builtin_memset(mem, 0, bytes);
  return mem;
}

HG_KEPT void *hg_realloc(void *mem, size_t size) {
  const MallocCall call;
  return reported(Malloc::reallocate(mem, size), size);
}

void *hg_realloc_in_place(void *mem, size_t size) {
  const MallocCall call;
  void *const same = Malloc::reallocate_in_place(mem, size);
  return size > heapglass::kMaxRequest ? reported(same, size) : same;
}

HG_KEPT void *hg_memalign(size_t alignment, size_t size) {
  const MallocCall call;
  return reported(Malloc::allocate_aligned(alignment, size), size);
}

size_t hg_malloc_usable_size(const void *mem) {
  const MallocCall call;
  return Malloc::usable_size(mem);
}

size_t hg_bulk_free(void **blocks, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    hg_free(blocks[i]);
    blocks[i] = nullptr;
  }
  return 0;
}

size_t hg_malloc_flush(void) {
  const Word bytes = flush_cache();
  const heapglass::Locked locked(Heap::default_heap_if_made());
  if (const Heap *const heap = Heap::default_heap_if_made()) heapglass::FreePages::discard(*heap);
  return bytes;
}

size_t hg_malloc_trim(size_t pad) {
  flush_cache();
  const heapglass::Locked locked(Heap::default_heap_if_made());
  Heap *const heap = Heap::default_heap_if_made();
  if (heap == nullptr) return 0;
  const Word bytes = heap->trim(pad);
  heapglass::FreePages::discard(*heap);
  return bytes;
}

size_t hg_malloc_cached_pages(size_t page_bytes, size_t *cursor, size_t *runs, size_t capacity) {
  const heapglass::Locked locked(Heap::default_heap_if_made());
  return heapglass::list_cached_pages(page_bytes, cursor, runs, capacity);
}

void hg_malloc_get_stats(hg_malloc_stats *stats) {
  const heapglass::Locked locked(Heap::default_heap_if_made());
  Malloc::get_stats(stats);
}

void hg_malloc_play_thread(uint32_t number) {
#if !HG_THREADS
  const MallocCall call;
  if (Heap *const heap = Malloc::heap()) heapglass::play_thread(*heap, number);
#else
  static_cast<void>(number);  // real threads are not played
#endif
}

}  // extern "C"
