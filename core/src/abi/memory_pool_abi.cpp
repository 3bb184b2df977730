// The C functions of memory pools. A function that finds a pool by an address does not know its heap before.
#include <heapglass/heapglass.h>

#include "heap/default_heap.hpp"
#include "pool/memory_pool.hpp"

namespace {

heapglass::MemoryPool *memory_of(hg_memory_pool *pool) { return reinterpret_cast<heapglass::MemoryPool *>(pool); }
hg_memory_pool *memory_handle_of(heapglass::MemoryPool *pool) { return reinterpret_cast<hg_memory_pool *>(pool); }

}  // namespace

extern "C" {

hg_memory_pool *hg_memory_pool_create(size_t fixed_size) {
  const heapglass::Locked locked(nullptr);
  return memory_handle_of(heapglass::create_memory_pool(fixed_size));
}

void hg_memory_pool_destroy(hg_memory_pool *pool) {
  const heapglass::Locked locked(nullptr);  // whoever destroys it is the last to use it
  if (pool != nullptr) heapglass::destroy_memory_pool(memory_of(pool));
}

void *hg_memory_pool_allocate(hg_memory_pool *pool, size_t size) {
  heapglass::Heap *const heap = memory_of(pool)->heap;
  const heapglass::Locked locked(heap);
  return heap->allocate(size);
}

void hg_memory_pool_deallocate(hg_memory_pool *pool, void *mem) {
  heapglass::Heap *const heap = memory_of(pool)->heap;
  const heapglass::Locked locked(heap);
  heap->deallocate(mem);
}

void *hg_memory_pool_allocate_fixed(hg_memory_pool *pool) {
  const heapglass::Locked locked(memory_of(pool)->heap);
  return heapglass::allocate_fixed(memory_of(pool));
}

void hg_memory_pool_deallocate_fixed(void *mem) {
  if (mem == nullptr) return;
  heapglass::MemoryPool *const pool = heapglass::memory_pool_of_fixed(mem);
  const heapglass::Locked locked(pool->heap);
  heapglass::deallocate_fixed(pool, mem);
}

hg_heap *hg_memory_pool_heap(hg_memory_pool *pool) { return memory_of(pool)->heap->handle(); }

hg_memory_pool *hg_memory_pool_of_fixed(const void *mem) {
  return memory_handle_of(heapglass::memory_pool_of_fixed(mem));
}

}  // extern "C"
