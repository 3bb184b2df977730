// The C functions of pools: validate, then call. A pool's handle is the address of its state; the heap NULL is the default heap.
#include <heapglass/heapglass.h>

#include "abi/pool_handle.hpp"
#include "heap/default_heap.hpp"
#include "pool/pool.hpp"

namespace {

// A function on a pool holds the lock of the pool's heap, which provides its blocks and stores the status.
using heapglass::Locked;

}  // namespace

extern "C" {

hg_pool *hg_pool_create(hg_heap *heap, const hg_pool_options *options) {
  heapglass::Heap *on = heapglass::heap_of(heap);
  if (on == nullptr) return nullptr;
  const Locked locked(on);
  return reinterpret_cast<hg_pool *>(heapglass::create_pool(on, options));
}

void hg_pool_destroy(hg_pool *pool) {
  if (pool == nullptr) return;
  const Locked locked(heapglass::pool_of(pool)->heap);
  heapglass::destroy_pool(heapglass::pool_of(pool));
}

void *hg_pool_allocate(hg_pool *pool) {
  const Locked locked(heapglass::pool_of(pool)->heap);
  return heapglass::allocate_node(heapglass::pool_of(pool));
}

void hg_pool_deallocate(hg_pool *pool, void *node) {
  if (node == nullptr) return;
  const Locked locked(heapglass::pool_of(pool)->heap);
  heapglass::deallocate_node(heapglass::pool_of(pool), node);
}

size_t hg_pool_burst(hg_pool *pool, size_t count, hg_chain *chain) {
  const Locked locked(heapglass::pool_of(pool)->heap);
  return heapglass::allocate_burst(heapglass::pool_of(pool), count, chain);
}

void hg_pool_burst_deallocate(hg_pool *pool, hg_chain *chain) {
  const Locked locked(heapglass::pool_of(pool)->heap);
  heapglass::deallocate_burst(heapglass::pool_of(pool), chain);
}

size_t hg_pool_trim(hg_pool *pool) {
  const Locked locked(heapglass::pool_of(pool)->heap);
  return heapglass::trim_pool(heapglass::pool_of(pool));
}

uint32_t hg_pool_id(const hg_pool *pool) { return heapglass::pool_of(pool)->id; }

uint32_t hg_pool_status(const hg_pool *pool) { return heapglass::pool_of(pool)->heap->status(); }

void hg_pool_get_stats(const hg_pool *pool, hg_pool_stats *stats) {
  const Locked locked(heapglass::pool_of(pool)->heap);
  heapglass::get_pool_stats(heapglass::pool_of(pool), stats);
}

}  // extern "C"
