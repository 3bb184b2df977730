// realloc: in place, through the cache, or moved; and realloc_in_place, the same text without what moves a block.
//
//  malloc.R1  A block stays where it is when the new size fits and less than a chunk would be cut off. For sizes that have a list
//             "less" is a 16th of the block, which requests are rounded by.
//  malloc.R2  A small block moves to a cached chunk of its new class, if there is one: copying up to kMovedBytes costs less than
//             cutting or joining, and leaves no hole that nobody asks for.
//  malloc.R3  Else it grows into the free chunk behind it or into top, or gives its tail back; the heap extends top when the
//             block lies before it. Only then it moves. Where memory is out, the cache is flushed and malloc.R3 tried once more.
//  malloc.R4  A block without a list moves into a hole that has half of its new size free behind it, if there is one, and else
//             to where any block would. What grew will grow again: so a block that grows by small steps is not copied at each.
//  malloc.R6  A block of a slab has no neighbour to grow into: it stays while the new size fits and at least three quarters are used, and
//             moves otherwise.
//  malloc.R5  Size 0 frees nothing: the block shrinks to the least size, as in dlmalloc, Emscripten's default. A program that
//             takes NULL for failure would free the block a second time.
#include "malloc/malloc.hpp"

namespace heapglass {

namespace {

constexpr Word kMovedBytes = 256;

void *move(void *mem, void *to, Word bytes) {
  if (to == nullptr) return nullptr;
  __builtin_memcpy(to, mem, bytes);
  Malloc::deallocate(mem);
  return to;
}

// nullptr: the block is a chunk.
const Slab *slab_of(const void *mem) {
  if constexpr (kSlabs) return g_slab_map.slab_at(mem);
  return nullptr;
}

// malloc.R6.  pre: slab = slab_of(mem)
template <bool kMayMove>
void *resize_in_slab(Heap &heap, const Slab *slab, void *mem, Word request) {
  if constexpr (!kSlabs) return nullptr;
  const Word have = Malloc::usable_size(mem);
  if (request <= have && (!kMayMove || have - request < have / 4 || slab_class_for(request) == class_of(slab))) return mem;
  if (!kMayMove) {
    heap.set_status(HG_STATUS_cannot_expand);
    return nullptr;
  }
  void *const to = move(mem, Malloc::allocate_called(request), have < request ? have : request);
  return to == nullptr && request <= have ? mem : to;
}

// nullptr: no chunk of the class is cached.
void *move_through_cache(void *mem, Word have, Word request) {
  if (kLeastCode || have > kMovedBytes || request > kMovedBytes) return nullptr;
  if (!my_cache().offers(request)) return nullptr;
  const Word bytes = have - kWord < request ? have - kWord : request;
  return move(mem, Malloc::allocate_called(request), bytes);
}

bool fits(Word have, Word size) {
  const Word rest = have - size;
  return rest < kMinChunk || (!kLeastCode && have < kListedBytes && rest <= have >> kStepLog);
}

// In place, or nullptr.
void *resize_in_place(Heap &heap, void *mem, Word size) {
  my_cache().before_heap(heap);
  return heap.resize_chunk(chunk_of(mem), size) ? mem : nullptr;
}

// malloc.R4
void *take_to_grow(Heap &heap, Word size, Word request) {
  if (kLeastCode || size < kListedBytes) return Malloc::allocate_called(request);
  const HeapLock lock(heap);
  my_cache().before_carving(heap, size);
  Chunk *const c = heap.take_chunk_to_grow(size, request);
  if (c == nullptr) return nullptr;
  if constexpr (kChecked) CacheGuard::fill_new(mem_of(c));
  return mem_of(c);
}

// Memory is out. A cached chunk behind the block is in use for the heap; flushed, it is free, and the block may grow over it.
[[gnu::noinline]] void *resize_after_flush(Heap &heap, void *mem, Word size) {
  Malloc::flush();
  const HeapLock lock(heap);
  void *const same = resize_in_place(heap, mem, size);
  heap.set_status(same != nullptr ? HG_STATUS_ok : HG_STATUS_out_of_memory);
  return same;
}

template <bool kMayMove>
void *resize(Heap &heap, void *mem, Word request) {
  const Word have = size_of_block(mem);
  const Word size = chunk_size_for(request);
  if (size <= have && fits(have, size)) return mem;
  if constexpr (kMayMove) {
    if (void *const to = move_through_cache(mem, have, request)) return to;
  }
  {
    const HeapLock lock(heap);
    void *const same = resize_in_place(heap, mem, size);
    if (!kMayMove && same == nullptr) heap.set_status(HG_STATUS_cannot_expand);
    if (!kMayMove || same != nullptr) return same;
  }
  // It grows: a smaller size is always to be had in place.
  if (void *const to = take_to_grow(heap, size, request)) return move(mem, to, have - kWord);
  return kLeastCode ? nullptr : resize_after_flush(heap, mem, size);
}

// The operation of both commands.
template <bool kMayMove>
void *reallocate_block(void *mem, Word request) {
  Heap &heap = *Heap::default_heap_if_made();  // mem is from it
  const Slab *const slab = slab_of(mem);
  if (slab == nullptr) CacheGuard::check_returned(heap, mem);
  HG_PROBE(op_begun, heap.id(), HG_OP_reallocate, mem, request, !kMayMove);
  if constexpr (kTraced) heap.set_status(HG_STATUS_ok);
  void *result = nullptr;
  if (request > kMaxRequest) {
    Malloc::set_status(heap, HG_STATUS_too_large);
  } else if (slab != nullptr) {
    result = resize_in_slab<kMayMove>(heap, slab, mem, request);
  } else {
    result = resize<kMayMove>(heap, mem, request);
  }
  HG_PROBE(op_ended, heap.id(), HG_OP_reallocate, result, Malloc::usable_size(result), heap.status());
  return result;
}

}  // namespace

void *Malloc::reallocate(void *mem, Word request) {
  return mem != nullptr ? reallocate_block<true>(mem, request) : allocate_called(request);
}

void *Malloc::reallocate_in_place(void *mem, Word request) {
  return mem != nullptr ? reallocate_block<false>(mem, request) : nullptr;
}

}  // namespace heapglass
