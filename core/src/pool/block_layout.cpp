// Finds block layouts. For an adaptive pool it first finds the smallest power of two S for which a block of a few sub-blocks keeps
// the allowed overhead (layout.L4, layout.L5), then the fewest sub-blocks that hold the requested nodes. Each further sub-block
// lowers the overhead, because only the first one holds the block header and only the last one loses a word to packing. So the
// loop that grows k ends at kSubBlocksForOverhead at the latest.
#include "pool/block_layout.hpp"

#include <heapglass/event.h>

namespace heapglass {
namespace {

// The parts that all shapes share. False when the options are out of range.
bool start_layout(const hg_pool_options& options, size_t header_bytes, BlockLayout *layout) {
  if (options.node_size == 0 || options.node_size > kMaxNodeSize) return false;
  *layout = BlockLayout{};
  layout->shape = options.shape;
  layout->node_size = static_cast<uint32_t>(round_up(options.node_size, kWord));
  layout->node_alignment = static_cast<uint32_t>(layout->node_size % kAlign == 0 ? kAlign : kWord);
  layout->nodes_per_block = options.nodes_per_block == 0 ? kDefaultNodesPerBlock : options.nodes_per_block;
  layout->first_node = static_cast<uint32_t>(round_up(header_bytes, layout->node_alignment));
  return layout->nodes_per_block <= kMaxBlockBytes / layout->node_size;
}

// Sets size and number of the sub-blocks, and everything that follows from them. False when the first sub-block holds no node.
bool cut(BlockLayout *layout, size_t sub_block_bytes, size_t sub_blocks) {
  const size_t node_size = layout->node_size;
  const size_t last_end = sub_block_bytes - kBlockOverhead;
  const size_t first_end = sub_blocks == 1 ? last_end : sub_block_bytes;
  if (first_end < layout->first_node + node_size) return false;
  layout->sub_block_bytes = static_cast<uint32_t>(sub_block_bytes);
  layout->sub_blocks = static_cast<uint32_t>(sub_blocks);
  layout->block_alignment = layout->sub_block_bytes;
  layout->block_bytes = static_cast<uint32_t>(sub_blocks * sub_block_bytes - kBlockOverhead);
  layout->first_nodes = static_cast<uint32_t>((first_end - layout->first_node) / node_size);
  size_t nodes = layout->first_nodes;
  layout->later_node = 0;
  layout->later_nodes = 0;
  if (sub_blocks > 1) {
    layout->later_node = layout->node_alignment;  // the back word, padded so that layout.L3 holds
    layout->later_nodes = static_cast<uint32_t>((sub_block_bytes - layout->later_node) / node_size);
    nodes += (sub_blocks - 2) * layout->later_nodes + (last_end - layout->later_node) / node_size;
  }
  layout->nodes_per_block = static_cast<uint32_t>(nodes);
  return true;
}

bool keeps_overhead(const BlockLayout& layout, uint32_t percent) {
  const uint64_t chunk = uint64_t{layout.sub_blocks} * layout.sub_block_bytes;
  const uint64_t nodes = uint64_t{layout.nodes_per_block} * layout.node_size;
  return (chunk - nodes) * 100 <= percent * chunk;
}

}  // namespace

bool make_adaptive_layout(const hg_pool_options& options, size_t header_bytes, BlockLayout *layout) {
  const uint32_t percent = options.overhead_percent == 0 ? kDefaultOverheadPercent : options.overhead_percent;
  if (percent > 100 || !start_layout(options, header_bytes, layout)) return false;
  const uint32_t wished = layout->nodes_per_block;

  size_t sub_block_bytes = 2 * kAlign;
  while (!cut(layout, sub_block_bytes, kSubBlocksForOverhead) || !keeps_overhead(*layout, percent)) {
    sub_block_bytes *= 2;
    if (sub_block_bytes > kMaxSubBlockBytes) return false;
  }
  // A block of fewer sub-blocks cannot hold the requested nodes, so the loop starts close to its end.
  size_t sub_blocks = size_t{wished} * layout->node_size / sub_block_bytes;
  if (sub_blocks == 0) sub_blocks = 1;
  while (!cut(layout, sub_block_bytes, sub_blocks) || layout->nodes_per_block < wished ||
         !keeps_overhead(*layout, percent)) {
    ++sub_blocks;
    if (sub_blocks * sub_block_bytes > kMaxBlockBytes) return false;
  }
  return true;
}

bool make_aligned_only_layout(const hg_pool_options& options, size_t header_bytes, BlockLayout *layout) {
  if (!start_layout(options, header_bytes, layout)) return false;
  const size_t least = layout->first_node + size_t{layout->nodes_per_block} * layout->node_size + kBlockOverhead;
  size_t sub_block_bytes = 2 * kAlign;
  while (sub_block_bytes < least) sub_block_bytes *= 2;
  return sub_block_bytes <= kMaxBlockBytes && cut(layout, sub_block_bytes, 1);
}

bool make_segregated_layout(const hg_pool_options& options, size_t header_bytes, BlockLayout *layout) {
  if (!start_layout(options, header_bytes, layout)) return false;
  const size_t least = layout->first_node + size_t{layout->nodes_per_block} * layout->node_size;
  if (least > kMaxBlockBytes) return false;
  // The heap rounds the chunk up anyway: use the added bytes when a node fits in them.
  const size_t usable = round_up(least + kBlockOverhead, kAlign) - kBlockOverhead;
  layout->nodes_per_block = static_cast<uint32_t>((usable - layout->first_node) / layout->node_size);
  layout->first_nodes = layout->nodes_per_block;
  layout->block_bytes = static_cast<uint32_t>(layout->first_node + layout->nodes_per_block * layout->node_size);
  return true;
}

bool make_owned_layout(const hg_owned_pool_options& options, BlockLayout *layout) {
  const uint64_t nodes = uint64_t{options.nodes_per_block} * options.node_size;
  if (nodes == 0 || options.first_node < HG_OWNED_BLOCK_HEAD) return false;
  if (options.first_node + nodes > options.block_bytes) return false;
  if ((options.block_alignment & (options.block_alignment - 1)) != 0) return false;
  *layout = BlockLayout{};
  layout->shape = options.shape;
  layout->node_size = options.node_size;
  layout->block_alignment = options.block_alignment;
  layout->nodes_per_block = options.nodes_per_block;
  layout->first_node = options.first_node;
  layout->first_nodes = options.nodes_per_block;
  layout->block_bytes = options.block_bytes;
  return true;
}

uint32_t node_at_offset(const BlockLayout& layout, size_t offset) {
  if (offset >= layout.block_bytes) return layout.nodes_per_block;
  const size_t sub_block = layout.sub_block_bytes == 0 ? 0 : offset / layout.sub_block_bytes;
  const size_t in_sub_block = offset - sub_block * layout.sub_block_bytes;
  const size_t first = sub_block == 0 ? layout.first_node : layout.later_node;
  const size_t capacity = sub_block == 0 ? layout.first_nodes : layout.later_nodes;
  if (in_sub_block < first || (in_sub_block - first) % layout.node_size != 0) return layout.nodes_per_block;
  const size_t i = (in_sub_block - first) / layout.node_size;
  if (i >= capacity) return layout.nodes_per_block;
  const size_t number = sub_block == 0 ? i : layout.first_nodes + (sub_block - 1) * layout.later_nodes + i;
  return number < layout.nodes_per_block ? static_cast<uint32_t>(number) : layout.nodes_per_block;
}

}  // namespace heapglass
