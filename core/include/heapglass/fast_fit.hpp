// Fast-fit manager: any size, served from one list of free nodes a power of two. Up to Largest a request takes a node of
// the next power of two from the fixed-block manager of that class, larger ones are chunks of the heap.
//
//   class 0: 16   1: 32   2: 64  ...  8: 4096       larger: the heap
//
//   block of a class, at a multiple of kBlock                      chunk of a larger request, at a multiple of kBlock
//   +------+-------+--------+--------+--------+ ...                 +------------------------------ ...
//   | head | class | (gap)  | node 0 | node 1 |                     | the caller's bytes
//   +------+-------+--------+--------+--------+ ...                 +------------------------------ ...
//   0              first node: a multiple of the class's size, never 0
//
//  fast_fit.Q1  A node never begins at a multiple of kBlock, a larger chunk always does: the address alone tells which it is, and
//      no byte of the caller's is read for it.
//  fast_fit.Q2  The block of a node is at its address rounded down to a multiple of kBlock, and its tag is the number of the class.
//  fast_fit.Q3  A node is aligned to its class's size. So a request for an alignment is one for a size of at least that.
//  fast_fit.Q4  A class's block is kBlock less what a chunk costs, so that blocks can lie side by side in the heap.
//
// The cost of fast_fit.Q1: before a larger chunk up to kBlock bytes of the heap can stay free, for other requests to fill. At most
// half of a node is waste, a quarter on average.
//
// Not for several threads at once. clear() and the end of the manager give all classes' blocks back, nodes in use
// included; larger chunks stay until each is given back, before the manager ends.
#pragma once

#include <heapglass/heapglass.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include <heapglass/fixed_block.hpp>
#include <heapglass/heap_blocks.hpp>
#include <heapglass/raise.hpp>

namespace heapglass {

template <std::size_t Smallest = 16, std::size_t Largest = 4096>
class fast_fit {
  static_assert(std::has_single_bit(Smallest) && std::has_single_bit(Largest) && Smallest <= Largest);
  static_assert(Smallest >= sizeof(void *) && Largest <= std::size_t{1} << 24);

 public:
  static constexpr std::size_t kBlock = 8 * Largest < 4096 ? 4096 : 8 * Largest;
  static constexpr unsigned kClasses = static_cast<unsigned>(std::countr_zero(Largest) - std::countr_zero(Smallest)) + 1;

  constexpr explicit fast_fit(hg_heap *heap = nullptr) : heap_(heap) {
    for (unsigned number = 0; number < kClasses; ++number) classes_[number].arena().serve(heap, number);
  }
  fast_fit(const fast_fit &) = delete;
  fast_fit &operator=(const fast_fit &) = delete;

  // At least `size` bytes. Throws std::bad_alloc when out of memory.
  void *allocate(std::size_t size, std::size_t alignment = 1) {
    void *const mem = try_allocate(size, alignment);
    if (mem == nullptr) [[unlikely]] raise_bad_alloc();
    return mem;
  }
  // The same, with nullptr instead of an exception.
  void *try_allocate(std::size_t size, std::size_t alignment = 1) noexcept {
    const std::size_t fitting = size > alignment ? size : alignment;  // fast_fit.Q3
    if (fitting > Largest) [[unlikely]] return hg_heap_allocate_aligned(heap_, larger_alignment(alignment), size);
    const unsigned number = class_of(fitting);
    return classes_[number].try_allocate(Smallest << number, Smallest << number);
  }

  // pre: mem came from this manager, nullptr does nothing; alignment is that of the request, and size lies between the request and
  // the usable size. A smaller one may be of another class.
  void deallocate(void *mem, std::size_t size, std::size_t alignment = 1) noexcept {
    const std::size_t fitting = size > alignment ? size : alignment;
    if (fitting > Largest) hg_heap_deallocate(heap_, mem); else classes_[class_of(fitting)].deallocate(mem);
  }
  // For callers that do not know the size: one word of the block more is read.
  void deallocate(void *mem) noexcept {
    if (is_larger(mem)) hg_heap_deallocate(heap_, mem); else classes_[class_at(mem)].deallocate(mem);  // nullptr: is_larger
  }

  std::size_t usable_size(const void *mem) const noexcept {
    return is_larger(mem) ? hg_usable_size(mem) : Smallest << class_at(mem);
  }
  std::size_t usable_size(const void *mem, std::size_t) const noexcept { return usable_size(mem); }

  void clear() noexcept {
    for (manager &each : classes_) each.clear();
  }
  std::size_t arenas() const { return sum([](const manager &each) { return each.arena().arenas(); }); }
  std::size_t bytes_held() const { return sum([](const manager &each) { return each.arena().bytes_held(); }); }
  std::size_t capacity() const { return sum([](const manager &each) { return each.capacity(); }); }  // nodes
  std::size_t free_count() const { return sum([](const manager &each) { return each.free_count(); }); }

  static constexpr unsigned class_of(std::size_t size) {  // pre: size <= Largest
    return size <= Smallest ? 0 : static_cast<unsigned>(std::bit_width((size - 1) / Smallest));
  }

 private:
  // The blocks of one class: fast_fit.Q2, Q4.
  class class_arena {
   public:
    constexpr class_arena() = default;
    constexpr void serve(hg_heap *heap, std::size_t number) {  // before the first request
      blocks_.use(heap);
      number_ = number;
    }
    fixed::node_run acquire(fixed::node_shape shape, fixed::free_nodes nodes) {
      return blocks_.acquire(shape, {kBlock - HG_ALIGNMENT, kBlock}, number_, nodes);
    }
    void clear() { blocks_.clear(); }
    bool holds(const void *mem) const { return blocks_.holds(mem); }
    std::size_t arenas() const { return blocks_.blocks(); }
    std::size_t bytes_held() const { return blocks_.bytes_held(); }
    void tell_taken(const void *node) const { blocks_.tell_taken(node); }
    void tell_returned(const void *node) const { blocks_.tell_returned(node); }

   private:
    fixed::heap_blocks blocks_{nullptr};
    std::size_t number_ = 0;
  };
  using manager = fixed_block_manager<class_arena>;

  static std::size_t larger_alignment(std::size_t alignment) { return alignment > kBlock ? alignment : kBlock; }
  static bool is_larger(const void *mem) { return (reinterpret_cast<std::uintptr_t>(mem) & (kBlock - 1)) == 0; }  // fast_fit.Q1
  static std::size_t class_at(const void *mem) {                                                                 // fast_fit.Q2
    const std::uintptr_t into = reinterpret_cast<std::uintptr_t>(mem) & (kBlock - 1);
    return fixed::tag_of(static_cast<const char *>(mem) - into);
  }
  template <class Count>
  std::size_t sum(Count count) const {
    std::size_t all = 0;
    for (const manager &each : classes_) all += count(each);
    return all;
  }

  hg_heap *heap_;  // nullptr: the default heap
  manager classes_[kClasses];
};

}  // namespace heapglass
