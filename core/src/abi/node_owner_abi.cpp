// hg_pool_owns_node: calls pool/node_owner.hpp under the lock of the pool's heap.
#include "heap/locked.hpp"
#include "pool/node_owner.hpp"

extern "C" uint32_t hg_pool_owns_node(const hg_pool *pool, const void *mem) {
  const heapglass::Pool *const asked = reinterpret_cast<const heapglass::Pool *>(pool);
  const heapglass::Locked locked(asked->heap);
  return heapglass::owns_node(asked, mem) ? 1 : 0;
}
