// One pool for all allocators of a program that cut equal nodes by equal rules: made at the first node, on the default
// heap, and shared by every type of that size.
//
//  SP1  rule and node size name the pool; containers of different types with nodes of one size use the same pool.
//  SP2  threads may ask at the same time: each may make a pool, the first one stays, the others end theirs.
//  SP3  it lives until destroy(), which nobody but the owner of the whole program should need. Its nodes go with it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <heapglass/event.h>
#include <heapglass/heapglass.h>

namespace heapglass::detail {

template <unsigned Shape, std::size_t NodesPerBlock, std::size_t MaxFreeBlocks, std::size_t OverheadPercent>
struct pool_rule {
  static_assert(NodesPerBlock >= 1 && NodesPerBlock <= 4096, "nodes per block: 1 .. 4096");
  static_assert(OverheadPercent <= 100, "overhead is given in percent");
  static constexpr hg_pool_options options(std::size_t node_size) {
    return {Shape, static_cast<std::uint32_t>(node_size), static_cast<std::uint32_t>(NodesPerBlock),
            static_cast<std::uint32_t>(MaxFreeBlocks < 0xffff ? MaxFreeBlocks : 0xffff),
            static_cast<std::uint32_t>(OverheadPercent)};
  }
};

template <class Rule, std::size_t NodeSize>
class shared_pool {
 public:
  // nullptr before the first node.
  static hg_pool *if_made() { return pool_.load(std::memory_order_acquire); }
  // nullptr when out of memory.
  static hg_pool *get() {
    hg_pool *const made = if_made();
    return made != nullptr ? made : make();
  }
  // pre: no node is in use, and no other thread is at work.
  static void destroy() { hg_pool_destroy(pool_.exchange(nullptr)); }

 private:
  static hg_pool *make() {
    const hg_pool_options options = Rule::options(NodeSize);
    hg_pool *const mine = hg_pool_create(nullptr, &options);
    hg_pool *first = nullptr;
    if (mine == nullptr || pool_.compare_exchange_strong(first, mine, std::memory_order_acq_rel)) return mine;
    hg_pool_destroy(mine);
    return first;
  }
  inline static std::atomic<hg_pool *> pool_ = nullptr;
};

}  // namespace heapglass::detail
