// The proofs of pool_check.hpp, pool by pool and block by block.
#include "pool/pool_check.hpp"

#include "base/failure.hpp"
#include "pool/adaptive_pool.hpp"
#include "pool/free_marks.hpp"
#include "pool/owned_pool.hpp"

namespace heapglass {
namespace {

const char *pool_report(const char *rule, const void *where) {
  static char text[160];
  write_report(text, sizeof text, rule, where, nullptr, 0);
  return text;
}

// The invariants of a block of either kind (pool.B1).
const char *check_block_head(const Pool *pool, const void *block) {
  if (!pool->heap->owns(block, pool->layout.block_bytes)) return pool_report("pool.B1 a block outside the heap", block);
  if (!Heap::block_mark(block)) return pool_report("pool.B1 a block without its mark", block);
  if (Heap::usable_size(block) < pool->layout.block_bytes) return pool_report("pool.B1 a block larger than its chunk", block);
  if (static_cast<const BlockHead *>(block)->pool != pool) return pool_report("pool.B1 a block names another pool", block);
  return nullptr;
}

const char *check_owned_head(const Pool *pool, const void *block, const void *before) {
  if (!is_owned(pool)) return nullptr;
  const uint32_t alignment = pool->layout.block_alignment;
  if (alignment != 0 && address_of(block) % alignment != 0) return pool_report("owned_pool.O2 a block off its alignment", block);
  const bool leads_back = static_cast<const OwnedBlock *>(block)->back == before;
  return leads_back ? nullptr : pool_report("owned_pool.O1 the list of blocks does not lead back", block);
}

// Counts the nodes of the block on the list, each once (pool.B4, segregated.G1). Sets *damaged when the list is not sound.
size_t count_marked(const Pool *pool, const void *block, bool *damaged) {
  size_t count = 0;
  FreeMarks marks;
  for (uint32_t first = 0; first < pool->layout.nodes_per_block; first += kMarks) {
    mark_free_nodes(pool, block, first, &marks);
    if (marks.damaged) *damaged = true;
    count += marks.count;
  }
  return count;
}

const char *check_adaptive_block(const Pool *pool, const AdaptiveBlock *block) {
  if (const char *text = check_block_head(pool, block)) return text;
  if (address_of(block) % pool->layout.sub_block_bytes != 0) return pool_report("layout.L2 a block off its alignment", block);
  for (uint32_t i = 0; i < pool->layout.sub_blocks; ++i) {
    const void *mem = block;
    const void *sub_block = at_offset<void>(mem, Word{i} * pool->layout.sub_block_bytes);
    const AdaptiveBlock *back = *static_cast<AdaptiveBlock *const *>(sub_block);
    if (back != block) return pool_report("adaptive.D1 a back word does not name its block", sub_block);
  }
  bool damaged = false;
  if (count_marked(pool, block, &damaged) != block->link.free_nodes || damaged) {
    return pool_report("adaptive.D2 a block's free list is not as long as it says, or not sound", block);
  }
  return nullptr;
}

const char *check_adaptive_pool(const Pool *pool) {
  const AdaptiveState &state = pool->adaptive;
  size_t blocks = 0;
  if (const char *rule = state.tree.check(&blocks)) return pool_report(rule, pool);
  size_t free_nodes = 0;
  size_t free_blocks = 0;
  for (FreeCountLink *link = state.tree.first(); link != nullptr; link = FreeCountTree::next(link)) {
    if (const char *text = check_adaptive_block(pool, block_of_link(link))) return text;
    if (link->free_nodes == 0) return pool_report("adaptive.D3 a full block is in the tree", block_of_link(link));
    free_nodes += link->free_nodes;
    free_blocks += link->free_nodes == pool->layout.nodes_per_block;
  }
  const FreeCountLink *before = nullptr;
  for (FreeCountLink *link = state.full; link != nullptr; before = link, link = link->right) {
    if (const char *text = check_adaptive_block(pool, block_of_link(link))) return text;
    if (link->free_nodes != 0) return pool_report("adaptive.D3 a block with a free node is not in the tree", block_of_link(link));
    if (link->left != before) return pool_report("adaptive.D3 the list of full blocks does not lead back", block_of_link(link));
    if (++blocks > pool->blocks) return pool_report("adaptive.D3 the list of full blocks does not end", pool);
  }
  if (blocks != pool->blocks) return pool_report("adaptive.D3 blocks in neither tree nor list", pool);
  if (free_nodes != pool->nodes_free) return pool_report("pool.B2 the count of free nodes is wrong", pool);
  if (free_blocks != state.free_blocks) return pool_report("adaptive.D4 the count of free blocks is wrong", pool);
  if (free_blocks > pool->max_free_blocks) return pool_report("adaptive.D4 too many free blocks", pool);
  return nullptr;
}

// For segregated pools (segregated.G1) and owned pools (owned_pool.O1, owned_pool.O3).
const char *check_listed_pool(const Pool *pool) {
  const size_t listed = count_listed_free_nodes(pool);
  if (is_segregated(pool) && listed != pool->nodes_free) {
    return pool_report("segregated.G1 the free list is not as long as the pool says", pool);
  }
  if (listed > free_list_limit(pool)) return pool_report("owned_pool.O3 the owner's free nodes do not end", pool);
  size_t blocks = 0;
  size_t marked = 0;
  bool damaged = false;
  const void *before = nullptr;
  for (const void *block = pool->listed.blocks; block != nullptr; before = block, block = next_listed_block(block)) {
    if (const char *text = check_block_head(pool, block)) return text;
    if (const char *text = check_owned_head(pool, block, before)) return text;
    if (++blocks > pool->blocks) break;
    marked += count_marked(pool, block, &damaged);
    if (damaged) return pool_report("segregated.G1 owned_pool.O3 the free list names what is no node, or a node twice", block);
  }
  if (blocks != pool->blocks) return pool_report("pool.B2 the list of blocks is not as long as the pool says", pool);
  return marked == listed ? nullptr : pool_report("segregated.G1 owned_pool.O3 a free node is in no block", pool);
}

}  // namespace

const char *check_pools(const Heap &heap) {
  uint32_t id = 0;
  for (const Pool *pool = static_cast<const Pool *>(heap.pools()); pool != nullptr; pool = pool->next) {
    if (!heap.owns(pool, sizeof(Pool)) || pool->heap != &heap) return pool_report("pool.B3 a pool of another heap", pool);
    if (pool->id <= id) return pool_report("pool.B3 the pools are not in the order of their ids", pool);
    id = pool->id;
    if (const char *text = is_listed(pool) ? check_listed_pool(pool) : check_adaptive_pool(pool)) return text;
  }
  return nullptr;
}

}  // namespace heapglass
