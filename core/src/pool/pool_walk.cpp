// Implements pool_walk.hpp. Between two parts of a walk its state contains counts and no addresses. So continuing in a tree repeats
// the steps up to there, which is rare because readers use large buffers.
#include "pool/pool_walk.hpp"

#include "pool/adaptive_pool.hpp"
#include "pool/free_marks.hpp"
#include "trace/probes.hpp"

namespace heapglass {
namespace {

uint32_t walk_head(const Pool *pool, uint32_t kind) { return kind | pool->heap->id() << 8 | pool->id << 16; }

// The subject of record `at` of a block: the block (0), a sub-block or a node.
struct BlockPlace {
  uint32_t kind;
  uint32_t number;  // of the sub-block or node
};

BlockPlace place_in_block(const BlockLayout &layout, uint32_t at) {
  if (at == 0) return {HG_WALK_block, 0};
  uint32_t rest = at - 1;
  if (layout.sub_blocks == 0) return {HG_WALK_node_in_use, rest};
  if (rest == 0) return {HG_WALK_sub_block, 0};
  if (rest <= layout.first_nodes) return {HG_WALK_node_in_use, rest - 1};
  rest -= 1 + layout.first_nodes;
  const uint32_t later = rest / (1 + layout.later_nodes);  // sub-blocks before this one, without the first
  const uint32_t in_sub_block = rest % (1 + layout.later_nodes);
  if (in_sub_block == 0) return {HG_WALK_sub_block, 1 + later};
  return {HG_WALK_node_in_use, layout.first_nodes + later * layout.later_nodes + in_sub_block - 1};
}

uint32_t count_free_nodes_of(const Pool *pool, const void *block) {
  if (is_adaptive(pool)) return static_cast<const AdaptiveBlock *>(block)->link.free_nodes;
  uint32_t count = 0;
  FreeMarks marks;
  for (uint32_t first = 0; first < pool->layout.nodes_per_block; first += kMarks) {
    mark_free_nodes(pool, block, first, &marks);
    count += marks.count;
  }
  return count;
}

}  // namespace

Word walk_pool_block(const Heap &, const void *mem, Word *state, hg_walk_record *records, Word capacity) {
  const Pool *pool = static_cast<const BlockHead *>(mem)->pool;
  const BlockLayout &layout = pool->layout;
  const uint32_t block = offset_of(mem);
  const Word all = Word{1} + layout.sub_blocks + layout.nodes_per_block;
  FreeMarks marks;
  bool marked = false;
  Word written = 0;
  for (Word at = state[0]; at < all && written < capacity; ++at, ++written) {
    const BlockPlace place = place_in_block(layout, static_cast<uint32_t>(at));
    hg_walk_record &record = records[written];
    if (place.kind == HG_WALK_block) {
      record = {walk_head(pool, HG_WALK_block), block, layout.block_bytes, count_free_nodes_of(pool, mem)};
    } else if (place.kind == HG_WALK_sub_block) {
      const uint32_t start = block + place.number * layout.sub_block_bytes;
      record = {walk_head(pool, HG_WALK_sub_block), start, sub_block_size(layout, place.number), block};
    } else {
      if (!marked || !marks.covers(place.number)) mark_free_nodes(pool, mem, place.number, &marks);
      marked = true;
      const uint32_t kind = marks.is_free(place.number) ? HG_WALK_node_free : HG_WALK_node_in_use;
      record = {walk_head(pool, kind), block + node_offset(layout, place.number), layout.node_size, block};
    }
  }
  state[0] += written;
  return written;
}

Word walk_pool_trees(const Heap &heap, Word *state, hg_walk_record *records, Word capacity) {
  const Pool *pool = static_cast<const Pool *>(heap.pools());
  for (Word done = 0; done < state[0] && pool != nullptr; ++done) pool = pool->next;
  Word written = 0;
  for (; pool != nullptr; pool = pool->next, ++state[0], state[1] = 0) {
    const FreeCountLink *link = pool->adaptive.tree.first();
    for (Word walked = 0; walked < state[1]; ++walked) link = FreeCountTree::next(link);
    for (; link != nullptr; link = FreeCountTree::next(link), ++state[1], ++written) {
      if (written == capacity) return written;
      const uint32_t block = offset_of(block_of_link(const_cast<FreeCountLink *>(link)));
      records[written] = {walk_head(pool, HG_WALK_tree_entry), block, link->free_nodes, static_cast<uint32_t>(state[1])};
    }
  }
  return written;
}

void report_pool(const Pool *pool) {
  [[maybe_unused]] const BlockLayout &layout = pool->layout;
  [[maybe_unused]] const uint32_t kept =
      pool->max_free_blocks < kKeepAllFreeBlocks ? pool->max_free_blocks : kKeepAllFreeBlocks;
  HG_PROBE(pool_created, pool->heap->id(), pool->id, pool, layout.node_size, layout.nodes_per_block);
  HG_PROBE(pool_shaped, pool->heap->id(), pool->id, layout.sub_block_bytes, layout.sub_blocks, layout.shape | kept << 8);
  HG_PROBE(pool_ruled, pool->heap->id(), pool->id, layout.first_node, layout.later_node, layout.block_bytes);
}

}  // namespace heapglass
