// Counts what a container asks of its allocator. A layer around any allocator, of its version; the timed runs go without.
#pragma once

#include <cstddef>
#include <memory>

#include <heapglass/allocator.hpp>

namespace experiments {

struct AllocatorCounts {
  std::size_t calls = 0;           // for memory: allocations and commands; freeing is not counted
  std::size_t allocations = 0;     // new blocks of memory for arrays
  std::size_t expansions_fwd = 0;  // grown in place at the end
  std::size_t expansions_bwd = 0;  // and at the start
  std::size_t shrinks = 0;         // made smaller in place
  std::size_t refusals = 0;        // commands that got nothing
  std::size_t nodes = 0;           // for one object each, in `bursts` and singly
  std::size_t bursts = 0;
  std::size_t held_bytes = 0;      // arrays now
  std::size_t peak_held_bytes = 0;
};
inline AllocatorCounts g_allocator_counts;

template <class Base>
class counted_allocator : public Base {
 public:
  using value_type = typename Base::value_type;
  using pointer = value_type *;
  using size_type = std::size_t;
  template <class U>
  struct rebind {
    using other = counted_allocator<typename std::allocator_traits<Base>::template rebind_alloc<U>>;
  };

  counted_allocator() = default;
  template <class Other>
  counted_allocator(const counted_allocator<Other> &other) : Base(static_cast<const Other &>(other)) {}

  pointer allocate(size_type count, const void * = nullptr) {
    const pointer block = Base::allocate(count);
    ++g_allocator_counts.calls;
    ++g_allocator_counts.allocations;
    hold(count, 0);
    return block;
  }
  void deallocate(pointer block, size_type count) {
    hold(0, count);
    Base::deallocate(block, count);
  }

  pointer allocation_command(unsigned command, size_type limit, size_type &prefer_in_received_out, pointer &reuse)
      requires requires(Base base) { base.allocation_command(command, limit, prefer_in_received_out, reuse); } {
    const pointer old = reuse;
    const size_type old_count = old != nullptr ? Base::size(old) : 0;
    const pointer block = Base::allocation_command(command, limit, prefer_in_received_out, reuse);
    AllocatorCounts &counts = g_allocator_counts;
    ++counts.calls;
    if (block == nullptr) {
      ++counts.refusals;
    } else if (reuse == nullptr) {
      ++counts.allocations;
      hold(prefer_in_received_out, 0);
    } else {
      if (prefer_in_received_out < old_count) ++counts.shrinks;
      else ++(block == old ? counts.expansions_fwd : counts.expansions_bwd);
      hold(prefer_in_received_out, old_count);
    }
    return block;
  }

  pointer allocate_one() requires requires(Base base) { base.allocate_one(); } {
    ++g_allocator_counts.calls;
    ++g_allocator_counts.nodes;
    return Base::allocate_one();
  }
  template <class Chain>
  void allocate_individual(size_type count, Chain &chain) {
    ++g_allocator_counts.calls;
    ++g_allocator_counts.bursts;
    g_allocator_counts.nodes += count;
    Base::allocate_individual(count, chain);
  }

 private:
  static void hold(size_type count, size_type old_count) {
    AllocatorCounts &counts = g_allocator_counts;
    counts.held_bytes += count * sizeof(value_type);
    counts.held_bytes -= old_count * sizeof(value_type);
    if (counts.held_bytes > counts.peak_held_bytes) counts.peak_held_bytes = counts.held_bytes;
  }
};

}  // namespace experiments
