// An arena on a heap that starts small and needs few blocks later: each block is twice the one before, up to 64 times the
// first; from there on they stay as they are.
//
//   step      0      1      2      3       4        5        6        6        6
//   block    +1K+   +-2K-+ +-4K-+ +--8K--+ +--16K--+ +--32K--+ +--64K--+ +--64K--+ ...     first_bytes = 1024
//
//  arena.W1  The blocks of a pool are equal, so each step has a pool of its own; all but the last have one block.
//  arena.W2  The manager's list goes through the blocks of all steps. What a step's pool is shown of it are the nodes in its own.
//  arena.W3  A step's pool that ends looks at the list once more in a traced program. So the steps end one by one, each while the
//      list holds no node of another: the manager deals it out before.
//
// A heap without room for the next block ends the growth, though a smaller one might still fit. The heap must outlive the
// arena.
#pragma once

#include <heapglass/heapglass.h>

#include <cstddef>
#include <cstdint>

#include <heapglass/heap_blocks.hpp>
#include <heapglass/static_arena.hpp>

namespace heapglass {

class growing_arena {
 public:
  static constexpr std::size_t kSteps = 7;

  // first_bytes: of the first block; more when eight nodes do not fit.
  constexpr explicit growing_arena(hg_heap *heap = nullptr, std::size_t first_bytes = 1024)
      : steps_{step{heap}, step{heap}, step{heap}, step{heap}, step{heap}, step{heap}, step{heap}},
        first_bytes_(first_bytes) {}

  fixed::node_run acquire(fixed::node_shape shape, fixed::free_nodes nodes) {
    nodes_ = nodes;
    step &at = steps_[used_ < kSteps ? used_ : kSteps - 1];
    at.arena = this;
    at.number = used_ < kSteps ? used_ : kSteps - 1;
    const fixed::node_run run = at.blocks.acquire(shape, {bytes_of(at.number, shape), 0}, 0, {&at, &next_free});
    if (run.count != 0 && used_ < kSteps) ++used_;
    return run;
  }
  // pre: arena.W3 when the library traces
  void clear() {
    for (step &each : steps_) each.blocks.clear();
    used_ = 0;
  }
  void clear_step(std::size_t number) { steps_[number].blocks.clear(); }
  std::size_t step_of(const void *node) const {
    std::size_t number = 0;
    while (number + 1 < kSteps && !steps_[number].blocks.newest_holds(node)) ++number;
    return number;
  }
  bool holds(const void *mem) const { return steps_[step_of(mem)].blocks.holds(mem); }
  std::size_t arenas() const { return used_ < kSteps ? used_ : kSteps - 1 + steps_[kSteps - 1].blocks.blocks(); }
  std::size_t bytes_held() const {
    std::size_t bytes = 0;
    for (const step &each : steps_) bytes += each.blocks.bytes_held();
    return bytes;
  }
  void tell_taken(const void *node) const { steps_[step_of(node)].blocks.tell_taken(node); }
  void tell_returned(const void *node) const { steps_[step_of(node)].blocks.tell_returned(node); }

 private:
  struct step {
    constexpr explicit step(hg_heap *heap) : blocks(heap) {}
    fixed::heap_blocks blocks;
    const growing_arena *arena = nullptr;
    std::size_t number = 0;
  };

  std::size_t bytes_of(std::size_t number, fixed::node_shape shape) const {
    std::size_t least = fixed::tag_place + sizeof(std::size_t) + shape.alignment;
    if (shape.size <= UINT32_MAX / 8 / (1u << kSteps)) least += 8 * shape.size; else return 0;
    std::size_t bytes = first_bytes_ < 64 ? 64 : first_bytes_;
    while (bytes < least) bytes *= 2;
    return bytes << number;
  }
  // W2.
  static const void *next_free(const void *owner, hg_free_cursor *cursor) {
    const auto *const only = static_cast<const step *>(owner);
    const growing_arena *const arena = only->arena;
    const void *node = arena->nodes_.next(arena->nodes_.owner, cursor);
    while (node != nullptr && arena->step_of(node) != only->number) {
      node = arena->nodes_.next(arena->nodes_.owner, cursor);
    }
    return node;
  }

  step steps_[kSteps];
  std::size_t first_bytes_;
  std::size_t used_ = 0;  // steps with a block
  fixed::free_nodes nodes_ = {};
};

}  // namespace heapglass
