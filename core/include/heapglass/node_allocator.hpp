// node_allocator<T, NodesPerBlock, Version>, in the order of Boost.Container: simple segregated storage for node containers, with
// the fastest and smallest nodes. The pool keeps their memory until trim(), which costs O(blocks * free nodes), or destroy_pool().
// core/src/pool/segregated_pool.hpp describes the algorithm, detail/pooled_allocator.hpp the versions.
#pragma once

#include <heapglass/detail/pooled_allocator.hpp>

namespace heapglass {

inline constexpr std::size_t kSegregatedNodesPerBlock = 256;

template <class T, std::size_t NodesPerBlock = kSegregatedNodesPerBlock, unsigned Version = 2>
class node_allocator
    : public detail::pooled_allocator<T, Version, detail::pool_rule<HG_SHAPE_segregated, NodesPerBlock, 0, 0>> {
 public:
  template <class U>
  struct rebind {
    using other = node_allocator<U, NodesPerBlock, Version>;
  };
  node_allocator() = default;
  template <class U>
  node_allocator(const node_allocator<U, NodesPerBlock, Version> &) noexcept {}
};

}  // namespace heapglass
