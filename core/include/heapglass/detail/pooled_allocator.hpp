// What adaptive_pool and node_allocator are: memory for one object from a pool, memory for arrays from the heap.
//
//   Version 1   allocate(1) is a node of the pool, allocate(n) an array: a standard allocator for node containers.
//   Version 2   allocate_one and allocate_individual are nodes; allocate(n), for every n, is an array that the expansion
//               command can grow. For Boost.Container, which keeps the two halves apart.
//
//  PA1  version 2: deallocate(p, 1) takes nodes and arrays of one object, since Boost gives it nodes when a constructor throws;
//       the pool is asked which it is (hg_pool_owns_node: O(1) for adaptive, O(blocks) for segregated pools).
//       deallocate_one and deallocate_individual take nodes; deallocate(p, n) and deallocate_many arrays.
//  PA2  one pool for each rule and node size, on the default heap (detail/shared_pool.hpp); all allocators are equal.
//  PA3  what a node cannot hold comes from the heap: more than kMostPooled bytes, or alignment beyond HG_ALIGNMENT.
#pragma once

#include <heapglass/allocator.hpp>
#include <heapglass/detail/shared_pool.hpp>

namespace heapglass::detail {

inline constexpr std::size_t kMostPooled = 4096;

template <class T, unsigned Version, class Rule>
class pooled_allocator;

template <unsigned Version, class Rule>
class pooled_allocator<void, Version, Rule> {
 public:
  using value_type = void;
  using pointer = void *;
  using const_pointer = const void *;
  using version = std::integral_constant<unsigned, Version>;
  template <class U>
  struct rebind {
    using other = pooled_allocator<U, Version, Rule>;
  };
  pooled_allocator() = default;
  template <class U>
  pooled_allocator(const pooled_allocator<U, Version, Rule> &) noexcept {}
  friend bool operator==(const pooled_allocator &, const pooled_allocator &) noexcept { return true; }
};

template <class T, unsigned Version, class Rule>
class pooled_allocator {
  using array_half = heapglass::allocator<T, 2>;

 public:
  using value_type = T;
  using pointer = T *;
  using const_pointer = const T *;
  using reference = T &;
  using const_reference = const T &;
  using void_pointer = void *;
  using const_void_pointer = const void *;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using version = std::integral_constant<unsigned, Version>;
  using multiallocation_chain = burst_chain<T>;
  using is_always_equal = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  template <class U>
  struct rebind {
    using other = pooled_allocator<U, Version, Rule>;
  };

  pooled_allocator() = default;
  template <class U>
  pooled_allocator(const pooled_allocator<U, Version, Rule> &) noexcept {}
  static constexpr size_type max_size() noexcept { return array_half::max_size(); }
  friend bool operator==(const pooled_allocator &, const pooled_allocator &) noexcept { return true; }

  // ---- arrays ----

  [[nodiscard]] pointer allocate(size_type count, const void * = nullptr) {
    if (Version == 1 && count == 1) return one();
    return array_half().allocate(count);
  }
  void deallocate(pointer block, size_type count) noexcept {
    if (count == 1 && (Version == 1 || is_node(block))) return free_one(block);  // PA1
    array_half().deallocate(block, count);
  }
  [[nodiscard]] allocation_result<pointer> allocate_at_least(size_type count) {
    if (Version == 1 && count == 1) return {one(), 1};
    return array_half().allocate_at_least(count);
  }
  size_type size(pointer block) const noexcept requires(Version == 2) { return array_half().size(block); }
  pointer allocation_command(unsigned command, size_type limit, size_type &prefer_in_received_out, pointer &reuse)
      requires(Version == 2) {
    return array_half().allocation_command(command, limit, prefer_in_received_out, reuse);
  }
  void allocate_many(size_type length, size_type count, multiallocation_chain &chain) requires(Version == 2) {
    array_half().allocate_many(length, count, chain);
  }
  void allocate_many(const size_type *lengths, size_type count, multiallocation_chain &chain) requires(Version == 2) {
    array_half().allocate_many(lengths, count, chain);
  }
  void deallocate_many(multiallocation_chain &chain) noexcept requires(Version == 2) {
    array_half().deallocate_many(chain);
  }

  // ---- nodes ----

  [[nodiscard]] pointer allocate_one() requires(Version == 2) { return one(); }
  void deallocate_one(pointer node) noexcept requires(Version == 2) { free_one(node); }

  // Appends `count` nodes; all or nothing.
  void allocate_individual(size_type count, multiallocation_chain &chain) requires(Version == 2) {
    if constexpr (!pooled()) return array_half().allocate_individual(count, chain);
    if (count == 0) return;
    hg_pool *const pool = shared::get();
    hg_chain nodes = {};
    if (pool == nullptr || hg_pool_burst(pool, count, &nodes) == 0) raise_bad_alloc();
    chain.take_from(nodes);
  }
  void deallocate_individual(multiallocation_chain &chain) noexcept requires(Version == 2) {
    if constexpr (!pooled()) return array_half().deallocate_individual(chain);
    if (chain.empty()) return;
    hg_chain nodes = chain.give_to_c();
    hg_pool_burst_deallocate(shared::if_made(), &nodes);
  }

  // ---- the pool behind all of them ----

  // nullptr before the first node, and for types that no node can hold.
  static hg_pool *pool() { return shared::if_made(); }
  // Gives every wholly free block back; blocks given. Segregated: O(blocks * free nodes).
  static size_type trim() { return pool() != nullptr ? hg_pool_trim(pool()) : 0; }
  // Ends the pool, and all its memory goes back to the heap; the next node makes a new one. pre: no node is in use.
  static void destroy_pool() {
    if (pool() != nullptr) shared::destroy();
  }

 private:
  // In functions, since a container may name its allocator before its node is complete.
  static constexpr bool pooled() { return sizeof(T) <= kMostPooled && alignof(T) <= HG_ALIGNMENT; }
  static constexpr size_type node_size() { return (sizeof(T) + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *); }
  struct shared {
    static hg_pool *get() { return shared_pool<Rule, node_size()>::get(); }
    static hg_pool *if_made() { return shared_pool<Rule, node_size()>::if_made(); }
    static void destroy() { shared_pool<Rule, node_size()>::destroy(); }
  };

  static bool is_node(const T *block) {
    if constexpr (!pooled()) return false;
    hg_pool *const made = shared::if_made();
    return made != nullptr && hg_pool_owns_node(made, block) != 0;
  }
  static pointer one() {
    if constexpr (!pooled()) return array_half().allocate_one();
    hg_pool *const pool = shared::get();
    void *const node = pool != nullptr ? hg_pool_allocate(pool) : nullptr;
    if (node == nullptr) raise_bad_alloc();
    return static_cast<pointer>(node);
  }
  static void free_one(pointer node) noexcept {
    if constexpr (!pooled()) return array_half().deallocate_one(node);
    hg_pool_deallocate(shared::if_made(), node);
  }
};

}  // namespace heapglass::detail
