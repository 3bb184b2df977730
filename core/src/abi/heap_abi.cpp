// The C interface of the heap: each function finds the heap and calls it. The heap itself records operations and results.
#include <heapglass/heapglass.h>

#include "abi/slab_block.hpp"
#include "heap/default_heap.hpp"
#include "heap/free_pages.hpp"
#include "heap/guard.hpp"
#include "platform/page_source.hpp"

using heapglass::Heap;
using heapglass::heap_of;
using heapglass::Locked;

extern "C" {

const char *hg_status_text(uint32_t status) {
  switch (status) {
#define HG_CASE(number, name, text) \
  case number:                      \
    return text;
    HG_STATUSES(HG_CASE)
#undef HG_CASE
    default:
      return "unknown status";
  }
}

uint32_t hg_heap_status(const hg_heap *heap) {
  const Heap *const h = heap_of(heap);
  return h != nullptr ? h->status() : static_cast<uint32_t>(HG_STATUS_out_of_memory);
}

// ---- heaps ----

hg_heap *hg_default_heap(void) {
  Heap *const h = heapglass::default_heap();
  return h != nullptr ? h->handle() : nullptr;
}

hg_heap *hg_heap_create(void) {
  const Locked locked(nullptr);
  Heap *const h = Heap::create(heapglass::growing_pages());
  return h != nullptr ? h->handle() : nullptr;
}

hg_heap *hg_heap_create_fixed(void *base, size_t size) {
  const Locked locked(nullptr);
  Heap *const h = Heap::create_fixed(base, size);
  return h != nullptr ? h->handle() : nullptr;
}

void hg_heap_destroy(hg_heap *heap) {
  const Locked locked(nullptr);  // whoever destroys a heap is the last to use it
  if (heap != nullptr) heap_of(heap)->destroy();
}

uint32_t hg_heap_id(const hg_heap *heap) {
  const Heap *const h = heap_of(heap);
  return h != nullptr ? h->id() : 0;
}

// ---- single chunks ----

void *hg_heap_allocate(hg_heap *heap, size_t size) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  return h != nullptr ? h->allocate(size) : nullptr;
}

void hg_heap_deallocate(hg_heap *heap, void *mem) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  if (heapglass::is_in_slab(mem)) return heapglass::free_slab_block(mem);
  if (h != nullptr) h->deallocate(mem);
}

void *hg_heap_allocate_zeroed(hg_heap *heap, size_t count, size_t size) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  return h != nullptr ? h->allocate_zeroed(count, size) : nullptr;
}

void *hg_heap_reallocate(hg_heap *heap, void *mem, size_t size) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  if (heapglass::is_in_slab(mem)) return heapglass::reallocate_slab_block(*h, mem, size);
  return h != nullptr ? h->reallocate(mem, size) : nullptr;
}

void *hg_heap_reallocate_in_place(hg_heap *heap, void *mem, size_t size) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  if (heapglass::is_in_slab(mem)) return heapglass::reallocate_slab_block_in_place(*h, mem, size);
  return h != nullptr ? h->reallocate_in_place(mem, size) : nullptr;
}

void *hg_heap_allocate_aligned(hg_heap *heap, size_t alignment, size_t size) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  return h != nullptr ? h->allocate_aligned(alignment, size) : nullptr;
}

size_t hg_usable_size(const void *mem) {
  const heapglass::Word in_slab = heapglass::bytes_in_slab(mem);
  if (in_slab != 0) return in_slab;
  if constexpr (heapglass::kChecked || heapglass::kHardened) {  // of the default heap; no other is named here
    const Heap *const made = Heap::default_heap_if_made();
    const Locked locked(made);
    const bool is_its = mem != nullptr && made != nullptr && made->owns(mem, heapglass::kWord);
    if (is_its) heapglass::Guard::check_in_use(*made, mem);
    if constexpr (heapglass::kHardened) {
      if (mem != nullptr && !is_its) heapglass::HardenedHeap::check_elsewhere(mem);
    }
  }
  return Heap::usable_size(mem);
}

size_t hg_chunk_overhead(void) { return heapglass::kWord; }

size_t hg_heap_trim(hg_heap *heap, size_t pad) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  if (h == nullptr) return 0;
  const heapglass::Word bytes = h->trim(pad);
  heapglass::FreePages::discard(*h);
  return bytes;
}

// ---- the expansion command ----

hg_command_result hg_heap_command(hg_heap *heap, uint32_t flags, size_t object_size, size_t limit, size_t preferred,
                                  void *reuse) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  if (h == nullptr) return {nullptr, 0, HG_STATUS_out_of_memory, 0};
  if (heapglass::is_in_slab(reuse)) return heapglass::command_on_slab_block(*h, flags, object_size, limit, preferred, reuse);
  return h->command(flags, object_size, limit, preferred, reuse);
}

// ---- bursts ----

size_t hg_heap_burst_nodes(hg_heap *heap, size_t count, size_t size, size_t contiguous, hg_chain *chain) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  return h != nullptr ? h->burst_nodes(count, size, contiguous, chain) : 0;
}

size_t hg_heap_burst_arrays(hg_heap *heap, size_t count, const size_t *lengths, size_t object_size, size_t contiguous,
                            hg_chain *chain) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  return h != nullptr ? h->burst_arrays(count, lengths, object_size, contiguous, chain) : 0;
}

void hg_heap_burst_deallocate(hg_heap *heap, hg_chain *chain) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  heapglass::free_slab_blocks(chain);
  if (h != nullptr) h->burst_deallocate(chain);
}

void **hg_heap_independent_calloc(hg_heap *heap, size_t count, size_t size, void **blocks) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  return h != nullptr ? h->independent_calloc(count, size, blocks) : nullptr;
}

void **hg_heap_independent_comalloc(hg_heap *heap, size_t count, const size_t *sizes, void **blocks) {
  Heap *const h = heap_of(heap);
  const Locked locked(h);
  return h != nullptr ? h->independent_comalloc(count, sizes, blocks) : nullptr;
}

}  // extern "C"
