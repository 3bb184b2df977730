// Marking free nodes: free_marks.hpp.
#include "pool/free_marks.hpp"

#include "pool/adaptive_pool.hpp"
#include "trace/probes.hpp"

namespace heapglass {

const FreeNode *free_list_of(const Pool *pool, const void *block) {
  return is_segregated(pool) ? pool->segregated.free : static_cast<const AdaptiveBlock *>(block)->free;
}

size_t free_list_limit(const Pool *pool) {
  return is_segregated(pool) ? pool->nodes_free : pool->layout.nodes_per_block;
}

void mark_free_nodes(const Pool *pool, const void *block, uint32_t first, FreeMarks *marks) {
  *marks = FreeMarks{};
  marks->first = first;
  size_t left = free_list_limit(pool);
  for (const FreeNode *node = free_list_of(pool, block); node != nullptr; node = node->next) {
    const Word offset = address_of(node) - address_of(block);
    const uint32_t i = node_at_offset(pool->layout, offset);
    // Of a segregated pool's list only what lies in this block is looked at; of a block's own list everything must.
    const bool elsewhere = is_segregated(pool) && offset >= pool->layout.block_bytes;
    if (left-- == 0 || (!elsewhere && i == pool->layout.nodes_per_block)) {
      marks->damaged = true;
      return;
    }
    if (elsewhere || i < first || !marks->covers(i)) continue;
    if (marks->is_free(i)) {
      marks->damaged = true;
      return;
    }
    marks->bits[(i - first) / 32] |= 1u << ((i - first) % 32);
    ++marks->count;
  }
}

void tell_nodes_returned(const Pool *pool, const void *block, uint32_t free_nodes) {
  [[maybe_unused]] const bool counted = !is_segregated(pool);
  FreeMarks marks;
  mark_free_nodes(pool, block, 0, &marks);
  for (uint32_t i = 0; i < pool->layout.nodes_per_block; ++i) {
    if (!marks.covers(i)) mark_free_nodes(pool, block, i, &marks);
    if (marks.is_free(i)) continue;
    ++free_nodes;
    HG_PROBE(node_returned, pool->heap->id(), pool->id, node_of(pool, const_cast<void *>(block), i),
             counted ? block : nullptr, counted ? free_nodes : 0);
  }
}

}  // namespace heapglass
