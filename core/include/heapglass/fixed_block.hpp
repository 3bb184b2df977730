// Fixed-block manager: equal nodes from an arena, with a list of free ones. Taking and giving back are a few
// instructions, inlined where they are used: no call, no header, no search, no lock.
//
//   arena's run    +------+------+------+------+------+------+---------------------+
//                  | used | free | used | free | free*| rest | rest      ...       |   * returned last
//                  +------+------+------+------+------+------+---------------------+
//                            ^------------^------+        ^                        ^
//                                           free_         rest_                    end_
//
//  fixed.F1  Node size and alignment are those of the first request since the manager was made or cleared. A request of at most
//      that size gets a node, a larger one fails.
//  fixed.F2  A free node is in the list of free_, linked through its first word, or lies in [rest_, end_), where no node has
//      been in use yet. The rest is cut one node at a time: neither a new run nor a clear visits its nodes.
//  fixed.F3  The node returned last is taken first; the rest is cut when the list is empty; the arena is asked for another run
//      when the rest is gone.
//
// Not for several threads at once. Memory goes back to where it came from when the manager ends or is cleared, nodes in
// use included; destructors of what lives in them are not called then. A manager on a heap must end before the heap.
#pragma once

#include <heapglass/heapglass.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include <heapglass/raise.hpp>
#include <heapglass/static_arena.hpp>

namespace heapglass {

template <class Arena>
class fixed_block_manager {
 public:
  // The arguments are the arena's: an array for static_arena, heap and bytes for those on a heap.
  template <class... Arguments>
    requires std::is_constructible_v<Arena, Arguments...>
  constexpr explicit fixed_block_manager(Arguments &&...arguments) : arena_(std::forward<Arguments>(arguments)...) {}
  ~fixed_block_manager() { arena_.clear(); }
  fixed_block_manager(const fixed_block_manager &) = delete;
  fixed_block_manager &operator=(const fixed_block_manager &) = delete;

  // A node for `size` bytes. Throws std::bad_alloc when the arena has no more or when size is over the node size.
  void *allocate(std::size_t size) { return allocate(size, fixed::natural_alignment(size)); }
  void *allocate(std::size_t size, std::size_t alignment) {
    void *const node = try_allocate(size, alignment);
    if (node == nullptr) [[unlikely]] raise_bad_alloc();
    return node;
  }
  // The same, with nullptr instead of an exception.
  void *try_allocate(std::size_t size) noexcept { return try_allocate(size, fixed::natural_alignment(size)); }
  void *try_allocate(std::size_t size, std::size_t alignment) noexcept {
    if (fits(size, alignment)) [[likely]] {
      if (free_ != nullptr) return pop();
      if (rest_ != end_) return cut();
    }
    return allocate_slow(size, alignment);
  }

  // pre: node came from this manager since it was last cleared. nullptr: nothing.
  void deallocate(void *node) noexcept {
    if (node == nullptr) return;
    free_ = ::new (node) FreeNode{free_};
#if HG_TRACE
    arena_.tell_returned(node);
#endif
  }
  // For callers that have them at hand; a manager of one size needs neither.
  void deallocate(void *node, std::size_t) noexcept { deallocate(node); }
  void deallocate(void *node, std::size_t, std::size_t) noexcept { deallocate(node); }

  // Frees every node and resets the manager. O(runs); no node is visited. A traced build does visit nodes: it records
  // each one that was in use.
  void clear() noexcept {
    clear_arena();  // first: a trace still needs the lists
    free_ = nullptr;
    rest_ = end_ = nullptr;
    shape_ = {};
    capacity_ = 0;
  }

  std::size_t node_size() const { return shape_.size; }  // 0 before the first request
  std::size_t capacity() const { return capacity_; }     // nodes of all runs so far
  bool empty() const { return capacity_ == 0; }          // no run was asked for yet
  // Free nodes of those; O(free nodes).
  std::size_t free_count() const {
    std::size_t count = shape_.size == 0 ? 0 : static_cast<std::size_t>(end_ - rest_) / shape_.size;
    for (const FreeNode *node = free_; node != nullptr; node = node->next) ++count;
    return count;
  }
  std::size_t usable_size(const void *, std::size_t) const { return shape_.size; }
  bool holds(const void *mem) const { return capacity_ != 0 && arena_.holds(mem); }
  constexpr Arena &arena() { return arena_; }
  constexpr const Arena &arena() const { return arena_; }

 private:
  struct FreeNode {
    FreeNode *next;
  };

  // The second test goes away where the alignment is a constant of at most a word.
  bool fits(std::size_t size, std::size_t alignment) const {
    return size <= shape_.size && (alignment <= alignof(FreeNode) || alignment <= shape_.alignment);
  }
  void *pop() {
    FreeNode *const node = free_;
    free_ = node->next;
    return taken(node);
  }
  void *cut() {
    void *const node = rest_;
    rest_ += shape_.size;
    return taken(node);
  }
  void *taken(void *node) {
#if HG_TRACE
    arena_.tell_taken(node);
#endif
    return node;
  }

  void clear_arena() {
#if HG_TRACE
    // Pool by pool, each with the free nodes of its own blocks alone: the others' may lie in blocks that are gone.
    if constexpr (requires { Arena::kSteps; }) {
      FreeNode *lists[Arena::kSteps] = {};
      while (free_ != nullptr) {
        FreeNode *const node = free_;
        FreeNode *&list = lists[arena_.step_of(node)];
        free_ = node->next;
        node->next = list;
        list = node;
      }
      for (std::size_t number = 0; number < Arena::kSteps; ++number) {
        free_ = lists[number];
        arena_.clear_step(number);
      }
    }
#endif
    arena_.clear();
  }

  [[gnu::noinline]] void *allocate_slow(std::size_t size, std::size_t alignment) noexcept {
    if (capacity_ != 0 && !fits(size, alignment)) return nullptr;
    if (size > static_cast<std::size_t>(-1) / 4 || alignment > static_cast<std::size_t>(-1) / 4) return nullptr;
    const fixed::node_shape shape = capacity_ != 0 ? shape_ : shape_of(size, alignment);
    const fixed::node_run run = arena_.acquire(shape, {this, &next_free});
    if (run.count == 0) return nullptr;
    shape_ = shape;
    rest_ = run.first;
    end_ = run.first + run.count * shape.size;
    capacity_ += run.count;
    return cut();
  }

  static fixed::node_shape shape_of(std::size_t size, std::size_t alignment) {  // static_arena.N2
    if (alignment < alignof(FreeNode)) alignment = alignof(FreeNode);
    if (size < sizeof(FreeNode)) size = sizeof(FreeNode);
    size = fixed::round_up(size, alignment);
    const std::size_t natural = fixed::natural_alignment(size);
    return {size, alignment > natural ? alignment : natural};
  }

  // What an owned pool calls: the list, then the rest. place is 0 in the list, 1 in the rest.
  static const void *next_free(const void *owner, hg_free_cursor *cursor) {
    const auto *const manager = static_cast<const fixed_block_manager *>(owner);
    if (cursor->place == 0) {
      const FreeNode *const node =
          cursor->node == nullptr ? manager->free_ : static_cast<const FreeNode *>(cursor->node)->next;
      if (node != nullptr) return cursor->node = node;
      *cursor = {nullptr, 1};
    }
    const unsigned char *const node = cursor->node == nullptr
                                          ? manager->rest_
                                          : static_cast<const unsigned char *>(cursor->node) + manager->shape_.size;
    return node == manager->end_ ? nullptr : cursor->node = node;
  }

  FreeNode *free_ = nullptr;
  unsigned char *rest_ = nullptr;
  unsigned char *end_ = nullptr;
  fixed::node_shape shape_ = {};  // {0, 0} before the first request
  std::size_t capacity_ = 0;
  Arena arena_;
};

}  // namespace heapglass
