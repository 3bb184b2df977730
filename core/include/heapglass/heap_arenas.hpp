// Arenas on a heap, of equal blocks (heap_blocks.hpp):
//
//   heap_arena     one block, and then no more
//   arena_chain    as many blocks as are needed; they are freed together
//
// growing_arena.hpp has the third, whose blocks grow. A heap must outlive its arenas.
#pragma once

#include <heapglass/heapglass.h>

#include <cstddef>
#include <cstdint>

#include <heapglass/heap_blocks.hpp>
#include <heapglass/static_arena.hpp>

namespace heapglass {
namespace fixed {

// At most `Most` blocks.
template <std::size_t Most>
class equal_blocks {
 public:
  // bytes: of each block, head and tag included. heap nullptr: the default heap.
  constexpr explicit equal_blocks(hg_heap *heap = nullptr, std::size_t bytes = 4096) : blocks_(heap), bytes_(bytes) {}

  node_run acquire(node_shape shape, free_nodes nodes) {
    if (blocks_.blocks() >= Most) return {nullptr, 0};
    return blocks_.acquire(shape, {bytes_, 0}, 0, nodes);
  }
  void clear() { blocks_.clear(); }
  bool holds(const void *mem) const { return blocks_.holds(mem); }
  std::size_t arenas() const { return blocks_.blocks(); }
  std::size_t bytes_held() const { return blocks_.bytes_held(); }
  void tell_taken(const void *node) const { blocks_.tell_taken(node); }
  void tell_returned(const void *node) const { blocks_.tell_returned(node); }

 private:
  heap_blocks blocks_;
  std::size_t bytes_;
};

}  // namespace fixed

class heap_arena : public fixed::equal_blocks<1> {
 public:
  using equal_blocks::equal_blocks;
};

class arena_chain : public fixed::equal_blocks<SIZE_MAX> {
 public:
  using equal_blocks::equal_blocks;
};

}  // namespace heapglass
