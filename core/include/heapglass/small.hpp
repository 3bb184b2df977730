// heapglass: size classes at compile time, and a `new` that pops a free list.
//
//   struct Particle : heapglass::small_object<Particle> { ... };
//   Particle *p = new Particle;                     // no search, no size, no call while the thread has a free block
//   auto *q = heapglass::small_new<Vertex>(1, 2);   // likewise, for a type without this base
//   heapglass::small_delete(q);
//
// If the compiler knows the size, the class number is a constant, and an allocation is a load, a test, a load and two stores
// (<heapglass/small.h>). Sizes above HG_SMALL_MAX go to hg_small_allocate.
//
// Every T with an alignment up to 64 KiB is aligned: sizeof(T) is a multiple of alignof(T), and so is its class's (size_class.hpp,
// size_class.Z2), and blocks are aligned to the largest power of two that divides their class's size.
#pragma once

#include <heapglass/raise.hpp>
#include <heapglass/size_class.hpp>
#include <heapglass/small.h>

#include <cstddef>
#include <new>
#include <utility>

namespace heapglass {

// Returns nullptr when out of memory. A constant size calls hg_small_allocate_class with a constant.
inline void *small_allocate_bytes(std::size_t size) {
  return size <= kSmallMax ? hg_small_allocate_class(size_class_of(size)) : hg_small_allocate(size);
}
// pre: mem came from an allocation of `size` bytes, or is nullptr
inline void small_deallocate_bytes(void *mem, std::size_t size) {
  if (size > kSmallMax) {
    hg_small_deallocate(mem);
  } else if (mem != nullptr) {
    hg_small_deallocate_class(size_class_of(size), mem);
  }
}

// Creates a T in a block of its class; nullptr when out of memory. Not for classes derived from T.
template <class T, class... Arguments>
T *small_new(Arguments &&...arguments) {
  static_assert(alignof(T) <= 65536, "spans begin at multiples of 64 KiB");
  void *const mem = small_allocate_bytes(sizeof(T));
  if (mem == nullptr) return nullptr;
#if defined(__cpp_exceptions)
  if constexpr (!noexcept(T(std::forward<Arguments>(arguments)...))) {
    try {
      return ::new (mem) T(std::forward<Arguments>(arguments)...);
    } catch (...) {
      small_deallocate_bytes(mem, sizeof(T));
      throw;
    }
  }
#endif
  return ::new (mem) T(std::forward<Arguments>(arguments)...);
}

// pre: object is what small_new<T> returned, or nullptr
template <class T>
void small_delete(T *object) {
  if (object == nullptr) return;
  object->~T();
  small_deallocate_bytes(object, sizeof(T));
}

// Gives a class `new` and `delete` on the small front. `delete` through a base needs a virtual destructor, as always, so that
// the compiler knows the size. When out of memory, `new` throws bad_alloc, or traps in programs without exceptions;
// `new (std::nothrow)` returns nullptr.
template <class T>
class small_object {
 public:
  static void *operator new(std::size_t size) {
    void *const mem = small_allocate_bytes(size);
    if (mem == nullptr) raise_bad_alloc();
    return mem;
  }
  static void *operator new[](std::size_t size) {
    void *const mem = small_allocate_bytes(size);
    if (mem == nullptr) raise_bad_alloc();
    return mem;
  }
  static void *operator new(std::size_t size, const std::nothrow_t &) noexcept { return small_allocate_bytes(size); }
  static void *operator new[](std::size_t size, const std::nothrow_t &) noexcept { return small_allocate_bytes(size); }
  static void *operator new(std::size_t, void *place) noexcept { return place; }
  static void operator delete(void *mem, std::size_t size) noexcept { small_deallocate_bytes(mem, size); }
  static void operator delete[](void *mem, std::size_t size) noexcept { small_deallocate_bytes(mem, size); }
  // Called without a size when a constructor throws after a nothrow or placement new.
  static void operator delete(void *mem, const std::nothrow_t &) noexcept { hg_small_deallocate(mem); }
  static void operator delete[](void *mem, const std::nothrow_t &) noexcept { hg_small_deallocate(mem); }
  static void operator delete(void *, void *) noexcept {}

 protected:
  small_object() = default;
  ~small_object() = default;
};

}  // namespace heapglass
