// Allocators for the containers of the C++ standard library: two styles over any source of memory.
//
//   minimal_allocator<T, Source>   what C++11 asks for and no more; std::allocator_traits fills in the rest
//   classic_allocator<T, Source>   every member C++98 asked for, for containers that do not go through the traits
//
//   Source                    state         two are equal     serves
//   from_default_heap         none          always            any size
//   from_heap                 hg_heap *     of one heap       any size
//   from_static<manager>      none          always            what the manager serves: fixed_block_manager one size of
//   from_manager<Manager>     Manager *     of one manager    node (list, map, set), fast_fit any size
//
//   std::list<int, minimal_allocator<int>> a;                                          // default heap
//   std::list<int, minimal_allocator<int, from_heap>> b{minimal_allocator<int, from_heap>(heap)};
//   constinit fixed_block_manager<growing_arena> nodes;
//   std::map<int, int, std::less<>, minimal_allocator<std::pair<const int, int>, from_static<nodes>>> c;
//
//  standard.G1  Equal means: what one allocated, the other may deallocate. Stateless sources are always equal, so containers splice,
//      move and swap without looking.
//  standard.G2  A source with state moves and is swapped along with the memory it gave, so that both are O(1) and never copy
//      elements; a copy-assigned container stays with its own source; a copy-constructed one has the original's.
//  standard.G3  More than max_size() objects is std::bad_array_new_length, no memory std::bad_alloc (raise.hpp). alignof(T) is kept,
//      however large.
//
// allocate_at_least (where the library has it) tells how many objects the memory really holds; deallocate then takes any
// count between the one asked for and that one.
#pragma once

#include <heapglass/heapglass.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <heapglass/raise.hpp>

namespace heapglass {

// ---- sources. allocate gives nullptr when it cannot ----

struct from_heap {
  from_heap(hg_heap *heap) : heap_(heap == nullptr ? hg_default_heap() : heap) {}
  hg_heap *heap() const { return heap_; }

  void *allocate(std::size_t bytes, std::size_t alignment) const {
    return alignment > HG_ALIGNMENT ? hg_heap_allocate_aligned(heap_, alignment, bytes) : hg_heap_allocate(heap_, bytes);
  }
  void deallocate(void *mem, std::size_t, std::size_t) const { hg_heap_deallocate(heap_, mem); }
  std::size_t usable_size(const void *mem, std::size_t) const { return hg_usable_size(mem); }
  friend bool operator==(from_heap a, from_heap b) { return a.heap_ == b.heap_; }

 private:
  hg_heap *heap_;
};

struct from_default_heap {
  void *allocate(std::size_t bytes, std::size_t alignment) const {
    return alignment > HG_ALIGNMENT ? hg_heap_allocate_aligned(nullptr, alignment, bytes) : hg_heap_allocate(nullptr, bytes);
  }
  void deallocate(void *mem, std::size_t, std::size_t) const { hg_heap_deallocate(nullptr, mem); }
  std::size_t usable_size(const void *mem, std::size_t) const { return hg_usable_size(mem); }
  friend bool operator==(from_default_heap, from_default_heap) { return true; }
};

// A manager: fixed_block_manager, fast_fit, or any class with their try_allocate, deallocate and usable_size. It must live
// longer than the containers.
template <class Manager>
struct from_manager {
  from_manager(Manager &manager) : manager_(&manager) {}
  Manager &manager() const { return *manager_; }

  void *allocate(std::size_t bytes, std::size_t alignment) const { return manager_->try_allocate(bytes, alignment); }
  void deallocate(void *mem, std::size_t bytes, std::size_t alignment) const {
    manager_->deallocate(mem, bytes, alignment);
  }
  std::size_t usable_size(const void *mem, std::size_t bytes) const { return manager_->usable_size(mem, bytes); }
  friend bool operator==(from_manager a, from_manager b) { return a.manager_ == b.manager_; }

 private:
  Manager *manager_;
};

// The same for one manager in static storage.
template <auto &manager>
struct from_static {
  void *allocate(std::size_t bytes, std::size_t alignment) const { return manager.try_allocate(bytes, alignment); }
  void deallocate(void *mem, std::size_t bytes, std::size_t alignment) const {
    manager.deallocate(mem, bytes, alignment);
  }
  std::size_t usable_size(const void *mem, std::size_t bytes) const { return manager.usable_size(mem, bytes); }
  friend bool operator==(from_static, from_static) { return true; }
};

namespace fixed {

inline constexpr std::size_t most_bytes = static_cast<std::size_t>(-1) / 2;  // differences of pointers stay in range

template <class T, class Source>
T *allocate_objects(const Source &source, std::size_t count) {
  if (count > most_bytes / sizeof(T)) [[unlikely]] raise_bad_array_new_length();
  void *const mem = source.allocate(count * sizeof(T), alignof(T));
  if (mem == nullptr) [[unlikely]] raise_bad_alloc();
  return static_cast<T *>(mem);
}

}  // namespace fixed

template <class T, class Source = from_default_heap>
class minimal_allocator {
 public:
  using value_type = T;
  using is_always_equal = std::is_empty<Source>;
  using propagate_on_container_move_assignment = std::true_type;  // standard.G2
  using propagate_on_container_swap = std::true_type;

  minimal_allocator() = default;  // where the source has no state
  constexpr explicit minimal_allocator(Source source) : source_(source) {}
  template <class U>
  constexpr minimal_allocator(const minimal_allocator<U, Source> &other) : source_(other.source()) {}

  [[nodiscard]] T *allocate(std::size_t count) { return fixed::allocate_objects<T>(source_, count); }
  void deallocate(T *objects, std::size_t count) { source_.deallocate(objects, count * sizeof(T), alignof(T)); }
#if defined(__cpp_lib_allocate_at_least)
  [[nodiscard]] std::allocation_result<T *> allocate_at_least(std::size_t count) {
    T *const objects = allocate(count);
    return {objects, source_.usable_size(objects, count * sizeof(T)) / sizeof(T)};
  }
#endif

  constexpr const Source &source() const { return source_; }
  template <class U>
  friend constexpr bool operator==(const minimal_allocator &a, const minimal_allocator<U, Source> &b) {
    return a.source() == b.source();
  }

 private:
  [[no_unique_address]] Source source_;
};

template <class T, class Source = from_default_heap>
class classic_allocator {
 public:
  using value_type = T;
  using pointer = T *;
  using const_pointer = const T *;
  using reference = T &;
  using const_reference = const T &;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  template <class U>
  struct rebind {
    using other = classic_allocator<U, Source>;
  };
  // C++98 had no names for these; the traits would assume that nothing moves along.
  using is_always_equal = std::is_empty<Source>;
  using propagate_on_container_move_assignment = std::true_type;  // standard.G2
  using propagate_on_container_swap = std::true_type;

  classic_allocator() = default;  // where the source has no state
  constexpr explicit classic_allocator(Source source) : source_(source) {}
  template <class U>
  constexpr classic_allocator(const classic_allocator<U, Source> &other) : source_(other.source()) {}

  pointer address(reference object) const { return std::addressof(object); }
  const_pointer address(const_reference object) const { return std::addressof(object); }
  // The hint, an address to be near to, is not used.
  pointer allocate(size_type count, const void * = nullptr) { return fixed::allocate_objects<T>(source_, count); }
  void deallocate(pointer objects, size_type count) { source_.deallocate(objects, count * sizeof(T), alignof(T)); }
  size_type max_size() const { return fixed::most_bytes / sizeof(T); }
  template <class U, class... Arguments>
  void construct(U *place, Arguments &&...arguments) {
    ::new (static_cast<void *>(place)) U(std::forward<Arguments>(arguments)...);
  }
  template <class U>
  void destroy(U *object) {
    object->~U();
  }

  constexpr const Source &source() const { return source_; }
  template <class U>
  friend constexpr bool operator==(const classic_allocator &a, const classic_allocator<U, Source> &b) {
    return a.source() == b.source();
  }

 private:
  [[no_unique_address]] Source source_;
};

}  // namespace heapglass
