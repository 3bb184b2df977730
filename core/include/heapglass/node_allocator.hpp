// node_allocator<T, Version, NodesPerBlock>: simple segregated storage for node containers. The fastest and leanest nodes,
// and the ones whose memory stays with the pool until trim() is called, which takes O(blocks * free nodes), or
// destroy_pool(). core/src/pool/segregated_pool.hpp tells how it works, detail/pooled_allocator.hpp what the versions are.
#pragma once

#include <heapglass/detail/pooled_allocator.hpp>

namespace heapglass {

inline constexpr std::size_t kSegregatedNodesPerBlock = 256;

template <class T, unsigned Version = 2, std::size_t NodesPerBlock = kSegregatedNodesPerBlock>
using node_allocator = detail::pooled_allocator<T, Version, detail::pool_rule<HG_SHAPE_segregated, NodesPerBlock, 0, 0>>;

}  // namespace heapglass
