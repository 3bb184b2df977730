// Implements pool_guard.hpp. No argument is trusted: every address is first found to lie in the heap.
#include "pool/pool_guard.hpp"

#include "pool/adaptive_pool.hpp"
#include "pool/free_marks.hpp"
#include "pool/pool_ids.hpp"
#include "pool/segregated_pool.hpp"

namespace heapglass {
namespace {

bool lies_in_block(const Pool *pool, const void *block, const void *node) {
  return address_of(node) - address_of(block) < pool->layout.block_bytes;
}

bool is_node_of_block(const Pool *pool, const void *block, const void *node) {
  return node_at_offset(pool->layout, address_of(node) - address_of(block)) < pool->layout.nodes_per_block;
}

const void *listed_block_around(const Pool *pool, const void *node) {
  const void *block = pool->listed.blocks;
  while (block != nullptr && !lies_in_block(pool, block, node)) block = next_listed_block(block);
  return block;
}

// Searches all blocks and trusts no back word. Runs only before a failure.
bool lies_in_adaptive_block(const Pool *pool, const void *node) {
  for (FreeCountLink *link = pool->adaptive.tree.first(); link != nullptr; link = FreeCountTree::next(link)) {
    if (lies_in_block(pool, block_of_link(link), node)) return true;
  }
  for (FreeCountLink *link = pool->adaptive.full; link != nullptr; link = link->right) {
    if (lies_in_block(pool, block_of_link(link), node)) return true;
  }
  return false;
}

// The block that the node's sub-block names, if it is sound; otherwise nullptr.
const void *sound_adaptive_block(const Pool *pool, const void *node) {
  const BlockLayout &layout = pool->layout;
  const Word in_sub_block = address_of(node) & (layout.sub_block_bytes - 1);
  const void *sub_block = before<void>(node, in_sub_block);
  if (!pool->heap->owns(sub_block, kWord)) return nullptr;
  const AdaptiveBlock *block = *static_cast<AdaptiveBlock *const *>(sub_block);
  const Word distance = address_of(sub_block) - address_of(block);
  if (distance % layout.sub_block_bytes != 0 || distance / layout.sub_block_bytes >= layout.sub_blocks) return nullptr;
  if (!pool->heap->owns(block, layout.block_bytes) || !Heap::block_mark(block)) return nullptr;
  if (block->back != block || block->pool != pool) return nullptr;
  return block->link.free_nodes <= layout.nodes_per_block ? block : nullptr;
}

// Whether the node is on the free list that holds its block's nodes.
bool is_on_free_list(const Pool *pool, const void *block, const void *node) {
  Word filled;
  __builtin_memset(&filled, kReturnedByte, kWord);
  if (pool->layout.node_size >= 2 * kWord && *at_offset<Word>(node, kWord) != filled) return false;
  size_t left = free_list_limit(pool);
  FreeNodes nodes(pool, block);
  for (const void *free = nodes.next(); free != nullptr && left != 0; free = nodes.next(), --left) {
    if (free == node) return true;
  }
  return false;
}

}  // namespace

void guard_returned_node(const Pool *pool, const void *node) {
  const void *block;
  if (is_listed(pool)) {
    block = listed_block_around(pool, node);
    if (block == nullptr) fail(kFailure_foreign_node, node, nullptr);
    if (static_cast<const BlockHead *>(block)->pool != pool) fail(kFailure_damaged_block, block, nullptr);
  } else {
    block = sound_adaptive_block(pool, node);
    const bool inside = block != nullptr || lies_in_adaptive_block(pool, node);
    if (block == nullptr) fail(inside ? kFailure_damaged_block : kFailure_foreign_node, node, nullptr);
  }
  if (!is_node_of_block(pool, block, node)) {
    fail(kFailure_foreign_node, node, "no node begins here; block", offset_of(block));
  }
  if (is_on_free_list(pool, block, node)) fail(kFailure_double_free, node, "a node of pool", pool->id);
}

void guard_taken_node(const Pool *pool, void *node) {
  const FreeNode *next = static_cast<const FreeNode *>(node)->next;
  if (next != nullptr) {
    const void *block = is_listed(pool) ? listed_block_around(pool, next) : block_of_node(pool, node);
    if (block == nullptr || !is_node_of_block(pool, block, next)) {
      fail(kFailure_damaged_link, node, "a free node of a pool names", address_of(next));
    }
  }
  __builtin_memset(node, kTakenByte, pool->layout.node_size);
}

void fill_returned_node(const Pool *pool, void *node) {
  __builtin_memset(at_offset<void>(node, kWord), kReturnedByte, pool->layout.node_size - kWord);
}

namespace {
[[maybe_unused]] const Pool *g_made[kMaxPools + 1];  // by id
}

void note_pool([[maybe_unused]] uint32_t id, [[maybe_unused]] const Pool *pool) {
  if constexpr (kChecked) g_made[id] = pool;
}
bool is_made(const Pool *pool) { return !kChecked || (pool->id <= kMaxPools && g_made[pool->id] == pool); }

}  // namespace heapglass
