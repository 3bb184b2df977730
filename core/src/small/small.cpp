// See small.hpp.
#include "small/small.hpp"

#include "small/small_guard.hpp"
#include "trace/acting_thread.hpp"
#include "trace/probes.hpp"

namespace heapglass {

namespace {

void *take_node(Heap *heap, unsigned size_class) {
  SmallCache *const cache = registered_cache();
  if (cache == nullptr) return fetch_nodes(heap, size_class, 1).first;
  if (void *const node = pop_node(*cache, size_class)) return node;
  return refill_list(*cache, heap, size_class) ? pop_node(*cache, size_class) : nullptr;
}

void *allocate_large(Heap *heap, Word size) {
  HG_PROBE(op_begun, heap->id(), HG_OP_small_allocate, nullptr, size, 0);
  const Hold hold(heap->lock());
  void *const mem = heap->allocate_aligned(kSpanBytes, size);
  HG_PROBE(op_ended, heap->id(), HG_OP_small_allocate, mem, Heap::usable_size(mem), heap->status());
  return mem;
}

void deallocate_large(Heap *heap, void *mem) {
  HG_PROBE(op_begun, heap->id(), HG_OP_small_deallocate, mem, 0, 0);
  const Hold hold(heap->lock());
  heap->deallocate(mem);
  HG_PROBE(op_ended, heap->id(), HG_OP_small_deallocate, nullptr, 0, HG_STATUS_ok);
}

}  // namespace

void *allocate_node_of(Heap *heap, unsigned size_class, Word size) {
  if constexpr (kTraced) {
    // A new pool's event comes before the operation that names the pool.
    [[maybe_unused]] const Pool *const pool = pool_of_class(heap, size_class);
    HG_PROBE(op_begun, heap->id(), HG_OP_small_allocate, nullptr, size, pool != nullptr ? pool->id : 0);
  }
  void *const node = take_node(heap, size_class);
  if (node != nullptr) {
    HG_PROBE(node_taken, heap->id(), g_central[size_class].pool->id, node, nullptr, 0);
    if constexpr (kChecked) guard_taken_small(heap, size_class, node);
  }
  HG_PROBE(op_ended, heap->id(), HG_OP_small_allocate, node, node != nullptr ? size_of_class(size_class) : 0,
           node != nullptr ? HG_STATUS_ok : HG_STATUS_out_of_memory);
  return node;
}

void deallocate_node_of(Heap *heap, unsigned size_class, void *mem) {
  if constexpr (kChecked) guard_returned_small(heap, size_class, mem);
  HG_PROBE(op_begun, heap->id(), HG_OP_small_deallocate, mem, size_of_class(size_class),
           g_central[size_class].pool->id);
  if (SmallCache *const cache = registered_cache()) {
    if (cache->lists[size_class].room == 0) make_room(*cache, size_class);
    push_node(*cache, size_class, mem);
    HG_PROBE(node_returned, heap->id(), g_central[size_class].pool->id, mem, nullptr, 0);
  } else {
    HG_PROBE(node_returned, heap->id(), g_central[size_class].pool->id, mem, nullptr, 0);
    set_link(mem, nullptr);
    store_loose(size_class, {mem, 1});
  }
  HG_PROBE(op_ended, heap->id(), HG_OP_small_deallocate, nullptr, 0, HG_STATUS_ok);
}

void *small_allocate(Heap *heap, Word size) {
  if (size > kSmallMax) return allocate_large(heap, size);
  return allocate_node_of(heap, size_class_of(size), size);
}

void small_deallocate(Heap *heap, void *mem) {
  if (is_large(mem)) {
    deallocate_large(heap, mem);
    return;
  }
  if constexpr (kChecked) guard_span_of(heap, mem);
  deallocate_node_of(heap, span_of(mem)->size_class, mem);
}

Word small_usable_size(const void *mem) {
  if (!is_large(mem)) return size_of_class(span_of(mem)->size_class);
  if (mem == nullptr) return 0;
  // The header word also holds a bit of the chunk before, which another thread may change.
  const Hold hold(Heap::default_heap_if_made()->lock());
  return Heap::usable_size(mem);
}

Word small_squeeze(Heap *heap) {
  HG_PROBE(op_begun, heap->id(), HG_OP_small_squeeze, nullptr, 0, 0);
  Word given = 0;
  for (unsigned k = 0; k < kSizeClasses; ++k) given += squeeze_class(heap, k);
  {
    const Hold hold(heap->lock());
    heap->trim(0);
  }
  HG_PROBE(op_ended, heap->id(), HG_OP_small_squeeze, nullptr, given, HG_STATUS_ok);
  return given;
}

void small_flush(Heap *heap) {
  if (!has_thread_locals()) return;
  HG_PROBE(op_begun, heap->id(), HG_OP_small_flush, nullptr, 0, thread_number());
  flush_cache(thread_cache());
  HG_PROBE(op_ended, heap->id(), HG_OP_small_flush, nullptr, 0, HG_STATUS_ok);
}

}  // namespace heapglass
