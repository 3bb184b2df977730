// node_allocator<T, Version, NodesPerBlock>: simple segregated storage for node containers: the fastest and smallest
// nodes. The pool keeps their memory until trim(), which costs O(blocks * free nodes), or destroy_pool().
// core/src/pool/segregated_pool.hpp describes the algorithm, detail/pooled_allocator.hpp the versions.
#pragma once

#include <heapglass/detail/pooled_allocator.hpp>

namespace heapglass {

inline constexpr std::size_t kSegregatedNodesPerBlock = 256;

template <class T, unsigned Version = 2, std::size_t NodesPerBlock = kSegregatedNodesPerBlock>
using node_allocator = detail::pooled_allocator<T, Version, detail::pool_rule<HG_SHAPE_segregated, NodesPerBlock, 0, 0>>;

}  // namespace heapglass
