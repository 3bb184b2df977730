// The C functions of owned pools. The owners are in other translation units, often inline in programs, so each function takes the
// heap's lock by itself. Functions that only record are empty in builds without probes.
#include <heapglass/heapglass.h>

#include "abi/pool_handle.hpp"
#include "heap/default_heap.hpp"
#include "pool/owned_pool.hpp"

namespace {

hg_pool *handle_of(heapglass::Pool *pool) { return reinterpret_cast<hg_pool *>(pool); }

}  // namespace

extern "C" {

hg_pool *hg_owned_pool_create(hg_heap *heap, const hg_owned_pool_options *options) {
  heapglass::Heap *const on = heapglass::heap_of(heap);
  if (on == nullptr) return nullptr;
  const heapglass::Locked locked(on);
  return handle_of(heapglass::create_owned_pool(on, options));
}

void *hg_owned_pool_acquire_block(hg_pool *pool) {
  const heapglass::Locked locked(heapglass::pool_of(pool)->heap);
  return heapglass::acquire_owned_block(heapglass::pool_of(pool));
}

void hg_owned_pool_release_block(hg_pool *pool, void *block) {
  if (block == nullptr) return;
  const heapglass::Locked locked(heapglass::pool_of(pool)->heap);
  heapglass::release_owned_block(heapglass::pool_of(pool), block);
}

void *hg_owned_pool_next_block(const hg_pool *pool, const void *block) {
  const heapglass::Locked locked(heapglass::pool_of(pool)->heap);
  return heapglass::next_owned_block(heapglass::pool_of(pool), block);
}

hg_pool *hg_owned_pool_of_block(const void *block) { return handle_of(heapglass::pool_of_owned_block(block)); }

#if HG_TRACE

void hg_owned_node_taken(hg_pool *pool, const void *node) {
  const heapglass::Locked locked(heapglass::pool_of(pool)->heap);
  heapglass::report_owned_node_taken(heapglass::pool_of(pool), node);
}

void hg_owned_node_returned(hg_pool *pool, const void *node) {
  const heapglass::Locked locked(heapglass::pool_of(pool)->heap);
  heapglass::report_owned_node_returned(heapglass::pool_of(pool), node);
}

#else

void hg_owned_node_taken(hg_pool *, const void *) {}
void hg_owned_node_returned(hg_pool *, const void *) {}

#endif

}  // extern "C"
