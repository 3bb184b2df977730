// Creating, ending and inspecting pools; and the operations, which call the functions of the pool's kind.
//
// Each public operation writes one pair of op_begun and op_ended. The operations of the heap inside it write pairs of their own.
// The heap's status afterwards is the result of the pool's operation, not of its last inner step.
#include "pool/pool.hpp"

#include <new>

#include "pool/adaptive_pool.hpp"
#include "pool/free_marks.hpp"
#include "pool/owned_pool.hpp"
#include "pool/pool_check.hpp"
#include "pool/pool_guard.hpp"
#include "pool/pool_ids.hpp"
#include "pool/pool_walk.hpp"
#include "pool/segregated_pool.hpp"
#include "trace/probes.hpp"

namespace heapglass {
namespace {

bool make_layout(const hg_pool_options &options, BlockLayout *layout) {
  switch (options.shape) {
    case HG_SHAPE_segregated: return make_segregated_layout(options, sizeof(BlockHead), layout);
    case HG_SHAPE_adaptive: return make_adaptive_layout(options, sizeof(AdaptiveBlock), layout);
    case HG_SHAPE_aligned_only: return make_aligned_only_layout(options, sizeof(AdaptiveBlock), layout);
    default: return false;
  }
}

void insert_pool(Heap *heap, Pool *pool) {  // pool.B3
  Pool *before = nullptr;
  Pool *after = static_cast<Pool *>(heap->pools());
  while (after != nullptr && after->id < pool->id) {
    before = after;
    after = after->next;
  }
  pool->next = after;
  if (before == nullptr) heap->pools() = pool; else before->next = pool;
  if constexpr (kChecked) note_pool(pool->id, pool);
}

void remove_pool(Pool *pool) {
  Pool *before = nullptr;
  for (Pool *at = static_cast<Pool *>(pool->heap->pools()); at != pool; at = at->next) before = at;
  if (before == nullptr) pool->heap->pools() = pool->next; else before->next = pool->next;
  if constexpr (kChecked) note_pool(pool->id, nullptr);
}

// Runs when the heap ends. The heap's memory returns as a whole, so this releases the ids and touches no pool's state. Traced
// builds also record the end of each block and node.
void destroy_pools(Heap &heap) {
  if constexpr (kTraced) {
    while (heap.pools() != nullptr) destroy_pool(static_cast<Pool *>(heap.pools()));
  }
  release_pool_ids(heap.id());
  heap.pools() = nullptr;
}

constexpr PoolHooks kPoolHooks = {walk_pool_block, walk_pool_trees, check_pools, destroy_pools};

// Ends an operation: sets the heap's status and writes op_ended.
void end_operation(Pool *pool, [[maybe_unused]] uint32_t op, [[maybe_unused]] const void *result,
                   [[maybe_unused]] size_t size, uint32_t status) {
  pool->heap->set_status(status);
  HG_PROBE(op_ended, pool->heap->id(), op, result, size, status);
}

// Rejects operations that an owned pool leaves to its owner.
void refuse_owned(Pool *pool) { pool->heap->set_status(HG_STATUS_bad_argument); }

}  // namespace

Pool *place_pool(Heap *heap, const BlockLayout &layout, uint32_t max_free_blocks, hg_next_free next_free) {
  const uint32_t id = acquire_pool_id(heap->id());
  if (id == 0) return nullptr;
  void *mem = heap->allocate(sizeof(Pool));
  if (mem == nullptr) {
    release_pool_id(heap->id(), id);
    return nullptr;
  }
  Pool *pool = new (mem) Pool{};
  pool->heap = heap;
  pool->id = id;
  pool->max_free_blocks = max_free_blocks;
  pool->layout = layout;
  pool->next_free = next_free;
  heap->set_pool_hooks(&kPoolHooks);
  insert_pool(heap, pool);
  report_pool(pool);
  return pool;
}

Pool *create_pool(Heap *heap, const hg_pool_options *options) {
  HG_PROBE(op_begun, heap->id(), HG_OP_pool_create, nullptr, options->node_size, options->shape);
  BlockLayout layout;
  Pool *pool = nullptr;
  uint32_t status = HG_STATUS_bad_argument;
  if (make_layout(*options, &layout)) {
    const bool keeps_all = options->max_free_blocks >= kKeepAllFreeBlocks;
    const hg_next_free next_free = is_adaptive_shape(layout.shape) ? next_adaptive_free : next_segregated_free;
    pool = place_pool(heap, layout, keeps_all ? UINT32_MAX : options->max_free_blocks, next_free);
    if (pool != nullptr) pool->listed.owner = &pool->listed.free;
    status = pool != nullptr ? HG_STATUS_ok : HG_STATUS_out_of_memory;
  }
  heap->set_status(status);
  HG_PROBE(op_ended, heap->id(), HG_OP_pool_create, pool, pool == nullptr ? 0 : sizeof(Pool), status);
  return pool;
}

void destroy_pool(Pool *pool) {
  Heap *heap = pool->heap;
  HG_PROBE(op_begun, heap->id(), HG_OP_pool_destroy, pool, 0, pool->id);
  if (is_adaptive(pool)) {
    adaptive_destroy(pool);
  } else if (is_segregated(pool)) {
    segregated_destroy(pool);
  } else {
    owned_destroy(pool);
  }
  remove_pool(pool);
  release_pool_id(heap->id(), pool->id);
  HG_PROBE(pool_destroyed, heap->id(), pool->id, pool, 0, 0);
  heap->deallocate(pool);
  heap->set_status(HG_STATUS_ok);
  HG_PROBE(op_ended, heap->id(), HG_OP_pool_destroy, nullptr, 0, HG_STATUS_ok);
}

void *allocate_node(Pool *pool) {
  if (is_owned(pool)) return refuse_owned(pool), nullptr;
  HG_PROBE(op_begun, pool->heap->id(), HG_OP_pool_allocate, nullptr, pool->layout.node_size, pool->id);
  void *node = is_segregated(pool) ? segregated_allocate(pool) : adaptive_allocate(pool);
  const uint32_t status = node != nullptr ? HG_STATUS_ok : HG_STATUS_out_of_memory;
  end_operation(pool, HG_OP_pool_allocate, node, node != nullptr ? pool->layout.node_size : 0, status);
  return node;
}

void deallocate_node(Pool *pool, void *node) {
  if (is_owned(pool)) return refuse_owned(pool);
  HG_PROBE(op_begun, pool->heap->id(), HG_OP_pool_deallocate, node, pool->layout.node_size, pool->id);
  if (is_segregated(pool)) segregated_deallocate(pool, node); else adaptive_deallocate(pool, node);
  end_operation(pool, HG_OP_pool_deallocate, nullptr, 0, HG_STATUS_ok);
}

size_t allocate_burst(Pool *pool, size_t count, hg_chain *chain) {
  if (is_owned(pool)) return refuse_owned(pool), 0;
  HG_PROBE(op_begun, pool->heap->id(), HG_OP_pool_burst, nullptr, count, pool->id);
  // No heap holds so many nodes; a smaller count cannot overflow any sum of nodes.
  uint32_t status = count > kMaxRequest / pool->layout.node_size ? HG_STATUS_too_large : HG_STATUS_ok;
  size_t taken = 0;
  const void *first = nullptr;
  if (status == HG_STATUS_ok && count != 0) {
    hg_chain nodes = {};
    taken = is_segregated(pool) ? segregated_burst(pool, count, &nodes) : adaptive_burst(pool, count, &nodes);
    first = nodes.first;  // the chain may begin with nodes of earlier calls
    hg_chain_splice_back(chain, &nodes);
    if (taken == 0) status = HG_STATUS_out_of_memory;
  }
  end_operation(pool, HG_OP_pool_burst, first, taken, status);
  return taken;
}

void deallocate_burst(Pool *pool, hg_chain *chain) {
  if (is_owned(pool)) return refuse_owned(pool);
  HG_PROBE(op_begun, pool->heap->id(), HG_OP_pool_burst_deallocate, chain->first, chain->count, pool->id);
  if (is_segregated(pool)) segregated_burst_deallocate(pool, chain); else adaptive_burst_deallocate(pool, chain);
  end_operation(pool, HG_OP_pool_burst_deallocate, nullptr, 0, HG_STATUS_ok);
}

size_t trim_pool(Pool *pool) {
  if (is_owned(pool)) return refuse_owned(pool), 0;
  HG_PROBE(op_begun, pool->heap->id(), HG_OP_pool_trim, pool, 0, pool->id);
  const size_t given = is_segregated(pool) ? segregated_trim(pool) : adaptive_trim(pool);
  end_operation(pool, HG_OP_pool_trim, nullptr, given, HG_STATUS_ok);
  return given;
}

void get_pool_stats(const Pool *pool, hg_pool_stats *stats) {
  const BlockLayout &layout = pool->layout;
  *stats = hg_pool_stats{};
  stats->node_size = layout.node_size;
  stats->nodes_per_block = layout.nodes_per_block;
  stats->block_bytes = layout.block_bytes;
  stats->sub_block_bytes = layout.sub_block_bytes;
  stats->sub_blocks = layout.sub_blocks;
  stats->blocks = pool->blocks;
  stats->free_blocks = pool->adaptive.free_blocks;
  stats->nodes_free = is_owned(pool) ? count_listed_free_nodes(pool) : pool->nodes_free;
  stats->nodes_in_use = pool->blocks * layout.nodes_per_block - stats->nodes_free;
}

void *acquire_block(Pool *pool) {
  const BlockLayout &layout = pool->layout;
  void *block = layout.block_alignment > kAlign ? pool->heap->allocate_aligned(layout.block_alignment, layout.block_bytes)
                                                : pool->heap->allocate(layout.block_bytes);
  if (block == nullptr) return nullptr;
  Heap::set_block_mark(block, true);
  static_cast<BlockHead *>(block)->pool = pool;
  ++pool->blocks;
  HG_PROBE(block_made, pool->heap->id(), pool->id, block, layout.block_bytes, 0);
  return block;
}

void release_block(Pool *pool, void *block) {
  HG_PROBE(block_retired, pool->heap->id(), pool->id, block, pool->layout.block_bytes, 0);
  Heap::set_block_mark(block, false);
  --pool->blocks;
  pool->heap->deallocate(block);
}

}  // namespace heapglass
