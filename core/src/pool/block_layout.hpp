// How a pool cuts its blocks: the sizes of blocks and sub-blocks, and the positions of nodes. This file computes numbers and
// touches no memory. The events pool_created, pool_shaped and pool_ruled give these numbers to readers of the trace (event.P1).
//
//   adaptive: a block of k sub-blocks of S bytes, S a power of two. | chunk header (one word), not part of the block
//
//        S-aligned             S-aligned             S-aligned
//        |                     |                     |
//   +----+---------+-----------+----+----------------+----+------------+----+
//   |hdr | header  | nodes ... |back| nodes ...      |back| nodes ...  |hdr | the next aligned block's
//   +----+---------+-----------+----+----------------+----+------------+----+
//        ^ block    ^first_node      ^later_node                        ^ block + k * S - word
//
//   layout.L1  block_bytes == k * S - chunk overhead. The chunk is exactly k * S bytes long, so the next chunk header ends at an
//       S-aligned address again, and the neighbour block packs without a gap.
//   layout.L2  every sub-block begins with a back word; that of sub-block 0 is in the block header. node & ~(S - 1) is a sub-block.
//   layout.L3  a node's address is a multiple of node_alignment: kAlign when node_size is, else a word.
//   layout.L4  (header bytes + rest too short for a node + chunk overhead) * 100 <= overhead_percent * k * S.
//   layout.L5  S depends only on node_size and overhead_percent, so the alignment stays low and constant as nodes_per_block
//       grows. aligned_only has k == 1 instead, and S grows with the nodes.
//   layout.L6  nodes_per_block >= the requested number.
//
//   segregated: one header, then nodes_per_block nodes; only the heap's own alignment, sub_block_bytes == 0.
//   owned: as segregated, but the owner sets the position of the first node, their number and the block's alignment.
#pragma once

#include <cstddef>
#include <cstdint>

#include <heapglass/heapglass.h>

#include "base/bits.hpp"

namespace heapglass {

inline constexpr size_t kBlockOverhead = kWord;  // bytes of a chunk beside its payload: hg_chunk_overhead()
inline constexpr size_t kMaxNodeSize = size_t{64} << 10;
inline constexpr size_t kMaxSubBlockBytes = size_t{1} << 20;
inline constexpr size_t kMaxBlockBytes = size_t{64} << 20;
inline constexpr uint32_t kDefaultNodesPerBlock = 256;
inline constexpr uint32_t kDefaultOverheadPercent = 5;
inline constexpr size_t kSubBlocksForOverhead = 4;  // a block of this many sub-blocks must already satisfy layout.L4

struct BlockLayout {
  uint32_t shape;            // HG_SHAPE_*
  uint32_t node_size;        // bytes, a multiple of the word
  uint32_t node_alignment;   // layout.L3
  uint32_t block_alignment;  // S; listed pools: the requested alignment, 0: the heap's own
  uint32_t nodes_per_block;
  uint32_t first_node;       // offset of the first node in a block
  uint32_t later_node;       // offset of the first node in sub-blocks 1 .. k-1; 0 when there are none
  uint32_t sub_block_bytes;  // S; 0 for listed
  uint32_t sub_blocks;       // k; 0 for listed
  uint32_t first_nodes;      // nodes in sub-block 0; listed: nodes_per_block
  uint32_t later_nodes;      // nodes in each of sub-blocks 1 .. k-2
  uint32_t block_bytes;      // the request to the heap
};

// header_bytes: the size of the block's header. False when an option is out of range or no layout satisfies it.
bool make_adaptive_layout(const hg_pool_options& options, size_t header_bytes, BlockLayout *layout);
bool make_aligned_only_layout(const hg_pool_options& options, size_t header_bytes, BlockLayout *layout);
bool make_segregated_layout(const hg_pool_options& options, size_t header_bytes, BlockLayout *layout);
bool make_owned_layout(const hg_owned_pool_options& options, BlockLayout *layout);

// Bytes of sub-block i: the last one ends where the block ends. pre: i < sub_blocks.
inline uint32_t sub_block_size(const BlockLayout& layout, uint32_t i) {
  return i + 1 < layout.sub_blocks ? layout.sub_block_bytes : layout.block_bytes - i * layout.sub_block_bytes;
}

// Offset of node i from its block. pre: i < nodes_per_block.
inline uint32_t node_offset(const BlockLayout& layout, uint32_t i) {
  if (i < layout.first_nodes) return layout.first_node + i * layout.node_size;
  const uint32_t later = i - layout.first_nodes;
  const uint32_t sub_block = 1 + later / layout.later_nodes;
  return sub_block * layout.sub_block_bytes + layout.later_node + later % layout.later_nodes * layout.node_size;
}

// Number of the node that begins `offset` bytes into its block, or nodes_per_block when none does.
uint32_t node_at_offset(const BlockLayout& layout, size_t offset);

}  // namespace heapglass
