// The operations of owned_pool.hpp.
#include "pool/owned_pool.hpp"

#include "pool/free_marks.hpp"
#include "trace/probes.hpp"

namespace heapglass {
namespace {

OwnedBlock *first_owned_block(const Pool *pool) { return static_cast<OwnedBlock *>(pool->listed.blocks); }

// The owner's list may still contain nodes of the block; it is not read again.
void drop_owned_block(Pool *pool, OwnedBlock *block) {
  OwnedBlock *const next = static_cast<OwnedBlock *>(block->next);
  if (next != nullptr) next->back = block->back;
  if (block->back != nullptr) block->back->next = next; else pool->listed.blocks = next;
  release_block(pool, block);
}

}  // namespace

Pool *create_owned_pool(Heap *heap, const hg_owned_pool_options *options) {
  HG_PROBE(op_begun, heap->id(), HG_OP_pool_create, nullptr, options->node_size, options->shape);
  BlockLayout layout;
  Pool *pool = nullptr;
  uint32_t status = HG_STATUS_bad_argument;
  if (is_owned_shape(options->shape) && options->next_free != nullptr && make_owned_layout(*options, &layout)) {
    pool = place_pool(heap, layout, UINT32_MAX, options->next_free);
    if (pool != nullptr) pool->listed.owner = options->owner;
    status = pool != nullptr ? HG_STATUS_ok : HG_STATUS_out_of_memory;
  }
  heap->set_status(status);
  HG_PROBE(op_ended, heap->id(), HG_OP_pool_create, pool, pool == nullptr ? 0 : sizeof(Pool), status);
  return pool;
}

void *acquire_owned_block(Pool *pool) {
  OwnedBlock *const block = static_cast<OwnedBlock *>(acquire_block(pool));
  if (block == nullptr) return nullptr;
  OwnedBlock *const next = first_owned_block(pool);
  block->next = next;
  block->back = nullptr;
  block->spare = nullptr;
  if (next != nullptr) next->back = block;
  pool->listed.blocks = block;
  return block;
}

void release_owned_block(Pool *pool, void *block) { drop_owned_block(pool, static_cast<OwnedBlock *>(block)); }

void *next_owned_block(const Pool *pool, const void *block) {
  return block == nullptr ? pool->listed.blocks : static_cast<const OwnedBlock *>(block)->next;
}

void report_owned_node_taken([[maybe_unused]] const Pool *pool, [[maybe_unused]] const void *node) {
  HG_PROBE(node_taken, pool->heap->id(), pool->id, node, nullptr, 0);
}

void report_owned_node_returned([[maybe_unused]] const Pool *pool, [[maybe_unused]] const void *node) {
  HG_PROBE(node_returned, pool->heap->id(), pool->id, node, nullptr, 0);
}

// Records all nodes before it releases the first block, because the owner's list leads through every block.
void owned_destroy(Pool *pool) {
  if constexpr (kTraced) {
    for (const void *block = pool->listed.blocks; block != nullptr; block = next_listed_block(block)) {
      report_nodes_returned(pool, block, 0);
    }
  }
  while (pool->listed.blocks != nullptr) drop_owned_block(pool, first_owned_block(pool));
}

}  // namespace heapglass
