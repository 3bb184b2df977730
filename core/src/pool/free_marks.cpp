// Marking free nodes: free_marks.hpp.
#include "pool/free_marks.hpp"

#include "pool/adaptive_pool.hpp"
#include "trace/probes.hpp"

namespace heapglass {

size_t free_list_limit(const Pool *pool) {
  if (is_adaptive(pool)) return pool->layout.nodes_per_block;
  return is_segregated(pool) ? pool->nodes_free : pool->blocks * pool->layout.nodes_per_block;
}

size_t count_listed_free_nodes(const Pool *pool) {
  const size_t limit = free_list_limit(pool);
  size_t count = 0;
  FreeNodes nodes(pool, nullptr);
  while (count <= limit && nodes.next() != nullptr) ++count;
  return count;
}

void mark_free_nodes(const Pool *pool, const void *block, uint32_t first, FreeMarks *marks) {
  *marks = FreeMarks{};
  marks->first = first;
  size_t left = free_list_limit(pool);
  FreeNodes nodes(pool, block);
  while (const void *const node = nodes.next()) {
    if (left-- == 0) {
      marks->damaged = true;
      return;
    }
    const Word offset = address_of(node) - address_of(block);
    // A pool's list also contains nodes of other blocks; a block's own list must not.
    if (offset >= pool->layout.block_bytes && is_listed(pool)) continue;
    const uint32_t i = node_at_offset(pool->layout, offset);
    const bool covered = i >= first && marks->covers(i);
    if (i == pool->layout.nodes_per_block || (covered && marks->is_free(i))) {
      marks->damaged = true;
      return;
    }
    if (!covered) continue;
    marks->bits[(i - first) / 32] |= 1u << ((i - first) % 32);
    ++marks->count;
  }
}

void report_nodes_returned(const Pool *pool, const void *block, uint32_t free_nodes) {
  [[maybe_unused]] const bool counted = is_adaptive(pool);
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
