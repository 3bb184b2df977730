// adaptive_pool<T, NodesPerBlock, MaxFreeBlocks, OverheadPercent, Version>: an allocator for node containers. Nodes have
// no header, and free blocks return to the heap immediately.
//
// Parameters, in the order of Boost.Container, and the names of their defaults in Ion Gaztañaga, "Applying classic memory allocation strategies to C++
// containers" (core/src/pool/adaptive_pool.hpp describes the algorithm):
//
//   NodesPerBlock     fewest nodes in a block                               kAdaptiveNodesPerBlock     ADP_nodes_per_block
//   MaxFreeBlocks     free blocks to keep; the others return to the heap    kAdaptiveMaxFreeBlocks     ADP_max_free_blocks
//   OverheadPercent   most header bytes of a block, by cutting it in        kAdaptiveOverheadPercent   ADP_overhead_percent
//                     sub-blocks; or kOnlyAlignment: no sub-blocks,         kOnlyAlignment             ADP_only_alignment
//                     and alignment grows with NodesPerBlock
//
// Versions, sharing and the static functions pool, trim, destroy_pool: detail/pooled_allocator.hpp.
#pragma once

#include <heapglass/detail/pooled_allocator.hpp>

namespace heapglass {

inline constexpr std::size_t kAdaptiveNodesPerBlock = 256;
inline constexpr std::size_t kAdaptiveMaxFreeBlocks = 2;
inline constexpr std::size_t kAdaptiveOverheadPercent = 2;
inline constexpr std::size_t kOnlyAlignment = 0;

template <class T, std::size_t NodesPerBlock = kAdaptiveNodesPerBlock, std::size_t MaxFreeBlocks = kAdaptiveMaxFreeBlocks,
          std::size_t OverheadPercent = kAdaptiveOverheadPercent, unsigned Version = 2>
class adaptive_pool
    : public detail::pooled_allocator<
          T, Version,
          detail::pool_rule<OverheadPercent == kOnlyAlignment ? HG_SHAPE_aligned_only : HG_SHAPE_adaptive, NodesPerBlock,
                            MaxFreeBlocks, OverheadPercent>> {
 public:
  template <class U>
  struct rebind {
    using other = adaptive_pool<U, NodesPerBlock, MaxFreeBlocks, OverheadPercent, Version>;
  };
  adaptive_pool() = default;
  template <class U>
  adaptive_pool(const adaptive_pool<U, NodesPerBlock, MaxFreeBlocks, OverheadPercent, Version> &) noexcept {}
};

}  // namespace heapglass
