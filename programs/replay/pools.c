/* Pools for streams that try one out (stream.S4): adaptive pools over malloc's own heap, made when they are first asked. */
#include <heapglass/heapglass.h>
#include <stddef.h>
#include <stdint.h>

enum { kPools = 32, kAdaptive = 2, kFreeBlocks = 2 };

static hg_pool *pools[kPools];

void *replay_take_node(uint32_t pool, size_t size) {
  if (pools[pool] == NULL) {
    const hg_pool_options options = {.shape = kAdaptive, .node_size = (uint32_t)size, .max_free_blocks = kFreeBlocks};
    pools[pool] = hg_pool_create(NULL, &options);
  }
  return pools[pool] == NULL ? NULL : hg_pool_allocate(pools[pool]);
}

void replay_give_node(uint32_t pool, void *node) { hg_pool_deallocate(pools[pool], node); }
