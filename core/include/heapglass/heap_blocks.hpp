// Blocks of a heap for the arenas in heap_arenas.hpp, growing_arena.hpp and fast_fit.hpp: equal ones, the blocks of one owned
// pool (heapglass.h), so walks, checks, traces and the map see every node in them, free or in use.
//
//   block    +------+-----+-------+--------+--------+-- ... -+--------+-------+
//            | head | tag | (gap) | node 0 | node 1 |        | node n | waste |    tag: one word of whoever made the blocks
//            +------+-----+-------+--------+--------+-- ... -+--------+-------+
//            0      HG_OWNED_BLOCK_HEAD
//
//  heap_blocks.K1  The first node lies behind the tag, at the first multiple of the node's alignment; all of the block's nodes are in
//      the run that acquire() gave.
//  heap_blocks.K2  clear() ends the pool: all blocks go back to the heap, nodes in use included. So the heap must outlive its user.
//
// A traced program (HG_TRACE=1, with the traced library) records each node taken and returned.
#pragma once

#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <cstddef>
#include <cstdint>
#include <new>

#include <heapglass/static_arena.hpp>

namespace heapglass::fixed {

struct block_size {
  std::size_t bytes;
  std::size_t alignment;  // a power of two; 0: the heap's own
};

inline constexpr std::size_t tag_place = HG_OWNED_BLOCK_HEAD;

inline std::size_t tag_of(const void *block) {
  return *reinterpret_cast<const std::size_t *>(static_cast<const char *>(block) + tag_place);
}

// Equal blocks, one owned pool.
class heap_blocks {
 public:
  constexpr explicit heap_blocks(hg_heap *heap) : heap_(heap) {}
  heap_blocks(const heap_blocks &) = delete;
  heap_blocks &operator=(const heap_blocks &) = delete;

  constexpr void use(hg_heap *heap) { heap_ = heap; }  // pre: no block is held

  // pre: shape and size are those of the first call since the last clear.
  node_run acquire(node_shape shape, block_size size, std::size_t tag, free_nodes nodes) {
    const std::size_t first = round_up(tag_place + sizeof(std::size_t), shape.alignment);
    if (first > size.bytes || size.bytes > UINT32_MAX) return {nullptr, 0};
    const std::size_t count = (size.bytes - first) / shape.size;
    if (count == 0) return {nullptr, 0};
    if (pool_ == nullptr && !make_pool(shape, size, first, count, nodes)) return {nullptr, 0};
    auto *const block = static_cast<unsigned char *>(hg_owned_pool_acquire_block(pool_));
    if (block == nullptr) {
      if (blocks_ == 0) clear();
      return {nullptr, 0};
    }
    ::new (block + tag_place) std::size_t(tag);
    ++blocks_;
    bytes_ = size.bytes;
    newest_ = block;
    return {block + first, count};
  }
  void clear() {
    if (pool_ != nullptr) hg_pool_destroy(pool_);
    pool_ = nullptr;
    newest_ = nullptr;
    blocks_ = bytes_ = 0;
  }

  std::size_t blocks() const { return blocks_; }
  std::size_t bytes_held() const { return blocks_ * bytes_; }
  bool newest_holds(const void *mem) const { return lies_in(mem, newest_, bytes_); }
  bool holds(const void *mem) const {
    if (pool_ == nullptr) return false;
    const void *block = hg_owned_pool_next_block(pool_, nullptr);
    while (block != nullptr && !lies_in(mem, block, bytes_)) block = hg_owned_pool_next_block(pool_, block);
    return block != nullptr;
  }
  void tell_taken(const void *node) const { hg_owned_node_taken(pool_, node); }
  void tell_returned(const void *node) const { hg_owned_node_returned(pool_, node); }

 private:
  bool make_pool(node_shape shape, block_size size, std::size_t first, std::size_t count, free_nodes nodes) {
    const std::size_t alignment = shape.alignment > HG_ALIGNMENT ? shape.alignment : 0;
    hg_owned_pool_options options = {};
    options.shape = HG_SHAPE_fixed_block;
    options.node_size = static_cast<std::uint32_t>(shape.size);  // all fit: they are less than size.bytes
    options.first_node = static_cast<std::uint32_t>(first);
    options.nodes_per_block = static_cast<std::uint32_t>(count);
    options.block_bytes = static_cast<std::uint32_t>(size.bytes);
    options.block_alignment = static_cast<std::uint32_t>(alignment > size.alignment ? alignment : size.alignment);
    options.owner = nodes.owner;
    options.next_free = nodes.next;
    pool_ = hg_owned_pool_create(heap_, &options);
    return pool_ != nullptr;
  }

  hg_heap *heap_;  // nullptr: the default heap
  hg_pool *pool_ = nullptr;
  const unsigned char *newest_ = nullptr;
  std::size_t blocks_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace heapglass::fixed
