// heapglass: size classes at compile time, and `new` that is the pop of a list.
//
//   struct Particle : heapglass::small_object<Particle> { ... };
//   Particle *p = new Particle;                     // no search, no size, no call while the thread has a free block
//   auto *q = heapglass::small_new<Vertex>(1, 2);   // the same for a type that derives from nothing
//   heapglass::small_delete(q);
//
// A size known to the compiler becomes the constant number of its class, and what is left of an allocation is a load, a
// test, a load and two stores (<heapglass/small.h>). Sizes beyond HG_SMALL_MAX go to hg_small_allocate.
//
// Every T up to an alignment of 64 KiB lies right: sizeof(T) is a multiple of alignof(T), and so is its class's (size_class.hpp,
// size_class.Z2), and blocks are aligned to the largest power of two that divides their class's size.
#pragma once

#include <heapglass/raise.hpp>
#include <heapglass/size_class.hpp>
#include <heapglass/small.h>

#include <cstddef>
#include <new>
#include <utility>

namespace heapglass {

// nullptr when out of memory. With a constant size: hg_small_allocate_class of a constant.
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

// An object in a block of its class; nullptr when out of memory. Of T itself, not of a class derived from it.
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

// Gives a class `new` and `delete` from the front. `delete` through a base needs a virtual destructor, as ever: it is how
// the compiler knows the size. Out of memory: bad_alloc, or a trap where there are no exceptions; `new (std::nothrow)` gives nullptr.
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
  // Called when a constructor throws after a nothrow or placement new: the size is not told.
  static void operator delete(void *mem, const std::nothrow_t &) noexcept { hg_small_deallocate(mem); }
  static void operator delete[](void *mem, const std::nothrow_t &) noexcept { hg_small_deallocate(mem); }
  static void operator delete(void *, void *) noexcept {}

 protected:
  small_object() = default;
  ~small_object() = default;
};

}  // namespace heapglass
