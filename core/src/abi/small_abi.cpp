// The C functions of the small front. Without probes: the fast paths, which take no lock, then the front, which takes the locks of
// what it changes. With probes: each operation holds the lock of every public function (locked.L2).
#include <heapglass/heapglass.h>

#include "heap/default_heap.hpp"
#include "abi/play_thread.hpp"
#include "small/small.hpp"

namespace {

using heapglass::Heap;

#if HG_TRACE
using SmallLocked = heapglass::Locked;
#else
class SmallLocked {
 public:
  explicit SmallLocked(const Heap *) {}
  ~SmallLocked() {}  // so that an object for its scope alone is not "unused"
  SmallLocked(const SmallLocked &) = delete;
  SmallLocked &operator=(const SmallLocked &) = delete;
};
#endif

}  // namespace

extern "C" {

void *hg_small_allocate(size_t size) {
#if !HG_TRACE
  if (size <= HG_SMALL_MAX && heapglass::has_thread_locals()) {
    return hg_small_allocate_class(heapglass::size_class_of(size));
  }
#endif
  Heap *const heap = heapglass::default_heap();
  if (heap == nullptr) return nullptr;
  const SmallLocked locked(heap);
  return heapglass::small_allocate(heap, size);
}

void hg_small_deallocate(void *mem) {
#if !HG_TRACE
  if (!heapglass::is_large(mem) && heapglass::has_thread_locals()) {
    hg_small_deallocate_class(heapglass::span_of(mem)->size_class, mem);
    return;
  }
#endif
  if (mem == nullptr) return;
  Heap *const heap = heapglass::default_heap();
  if (heap == nullptr) return;  // then nothing was allocated
  const SmallLocked locked(heap);
  heapglass::small_deallocate(heap, mem);
}

void *hg_small_allocate_slow(unsigned size_class) {
  Heap *const heap = heapglass::default_heap();
  if (heap == nullptr) return nullptr;
  const SmallLocked locked(heap);
  return heapglass::allocate_node_of(heap, size_class, heapglass::size_of_class(size_class));
}

void hg_small_deallocate_slow(unsigned size_class, void *mem) {
  Heap *const heap = heapglass::default_heap();
  if (heap == nullptr) return;  // then nothing was allocated
  const SmallLocked locked(heap);
  heapglass::deallocate_node_of(heap, size_class, mem);
}

size_t hg_small_usable_size(const void *mem) {
  const SmallLocked locked(Heap::default_heap_if_made());
  return heapglass::small_usable_size(mem);
}

size_t hg_small_squeeze(void) {
  Heap *const heap = Heap::default_heap_if_made();
  if (heap == nullptr) return 0;
  const SmallLocked locked(heap);
  return heapglass::small_squeeze(heap);
}

void hg_small_flush(void) {
  Heap *const heap = Heap::default_heap_if_made();
  if (heap == nullptr) return;
  const SmallLocked locked(heap);
  heapglass::small_flush(heap);
}

void hg_small_play_thread(uint32_t number) {
#if !HG_THREADS
  Heap *const heap = heapglass::default_heap();
  if (heap != nullptr) heapglass::play_thread(*heap, number);
#else
  static_cast<void>(number);  // real threads are not played
#endif
}

void hg_small_get_stats(hg_small_stats *stats) {
  const SmallLocked locked(Heap::default_heap_if_made());
  heapglass::small_get_stats(stats);
}

}  // extern "C"
