// The proof of node_owner.hpp.
#include "pool/node_owner.hpp"

#include "pool/adaptive_pool.hpp"

namespace heapglass {
namespace {

bool begins_node(const Pool *pool, const void *block, const void *mem) {
  return node_at_offset(pool->layout, address_of(mem) - address_of(block)) < pool->layout.nodes_per_block;
}

// node_owner.N2. Reads only words that were found to lie in the heap.
bool is_node_of_adaptive(const Pool *pool, const void *mem) {
  const BlockLayout &layout = pool->layout;
  const Word in_sub_block = address_of(mem) & (layout.sub_block_bytes - 1);
  const void *const sub_block = before<const void>(mem, in_sub_block);
  if (!pool->heap->owns(sub_block, kWord)) return false;
  const AdaptiveBlock *const block = *static_cast<AdaptiveBlock *const *>(sub_block);
  const Word distance = address_of(sub_block) - address_of(block);
  if (distance % layout.sub_block_bytes != 0 || distance / layout.sub_block_bytes >= layout.sub_blocks) return false;
  const void *const chunk = before<const void>(block, kWord);
  if (!pool->heap->owns(chunk, layout.block_bytes + kWord)) return false;
  if (!Heap::block_mark(block) || Heap::usable_size(block) < layout.block_bytes) return false;
  return block->back == block && block->pool == pool && begins_node(pool, block, mem);
}

bool is_node_of_listed(const Pool *pool, const void *mem) {
  for (const void *block = pool->listed.blocks; block != nullptr; block = next_listed_block(block)) {
    if (address_of(mem) - address_of(block) < pool->layout.block_bytes) return begins_node(pool, block, mem);
  }
  return false;
}

}  // namespace

bool owns_node(const Pool *pool, const void *mem) {
  return is_adaptive(pool) ? is_node_of_adaptive(pool, mem) : is_node_of_listed(pool, mem);
}

}  // namespace heapglass
