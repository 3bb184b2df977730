// A class whose objects come from a fixed-block manager of its own: one line more in the class.
//
//   struct Particle : heapglass::fixed_block_new<Particle> { ... };
//   Particle *p = new Particle;                                        // the pop of a list
//   delete p;                                                          // the push
//
// A class derived from it that is no larger shares the manager. A larger one goes to the global operator new and, since
// delete tells the size, to the global operator delete; a class that is deleted through a pointer to its base needs a
// virtual destructor for that, as everywhere in C++. Arrays go to the global operators too: their size is not one size.
//
// The manager is static and never ends, so objects may be deleted after main, too. manager().clear() takes all back at
// once, without destructors. Not for classes whose objects several threads make or delete.
#pragma once

#include <cstddef>
#include <new>

#include <heapglass/endless.hpp>
#include <heapglass/fixed_block.hpp>
#include <heapglass/growing_arena.hpp>

namespace heapglass {
namespace fixed {

// The global operators, kept out of line: those who inline class operators must not think them mismatched.
template <class... Arguments>
[[gnu::noinline]] void *global_new(std::size_t size, const Arguments &...arguments) {
  return ::operator new(size, arguments...);
}
template <class... Arguments>
[[gnu::noinline]] void global_delete(void *mem, Arguments... arguments) noexcept {
  ::operator delete(mem, arguments...);
}

}  // namespace fixed

// Arena: any that is made from nothing, growing_arena (on the default heap) or inline_arena<Bytes>.
template <class T, class Arena = growing_arena>
class fixed_block_new {
 public:
  using manager_type = fixed_block_manager<Arena>;
  static manager_type &manager() { return manager_.value; }

  static void *operator new(std::size_t size) {
    if (size != sizeof(T)) [[unlikely]] return fixed::global_new(size);
    return manager().allocate(sizeof(T), alignment_of_nodes());
  }
  static void *operator new(std::size_t size, const std::nothrow_t &nothrow) noexcept {
    if (size != sizeof(T)) [[unlikely]] return fixed::global_new(size, nothrow);
    return manager().try_allocate(sizeof(T), alignment_of_nodes());
  }
  static void *operator new(std::size_t size, std::align_val_t alignment) {
    if (!is_ours(size, alignment)) [[unlikely]] return fixed::global_new(size, alignment);
    return manager().allocate(sizeof(T), alignment_of_nodes());
  }
  static void *operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t &nothrow) noexcept {
    if (!is_ours(size, alignment)) [[unlikely]] return fixed::global_new(size, alignment, nothrow);
    return manager().try_allocate(sizeof(T), alignment_of_nodes());
  }
  static void *operator new(std::size_t, void *place) noexcept { return place; }  // else hidden by those above

  static void operator delete(void *mem, std::size_t size) noexcept {
    if (size == sizeof(T)) [[likely]] manager().deallocate(mem); else fixed::global_delete(mem);
  }
  static void operator delete(void *mem, std::size_t size, std::align_val_t alignment) noexcept {
    if (is_ours(size, alignment)) [[likely]] manager().deallocate(mem); else fixed::global_delete(mem, alignment);
  }
  // Called when a constructor throws after one of the nothrow forms, and told no size.
  static void operator delete(void *mem, const std::nothrow_t &) noexcept {
    if (manager().holds(mem)) manager().deallocate(mem); else fixed::global_delete(mem);
  }
  static void operator delete(void *mem, std::align_val_t alignment, const std::nothrow_t &) noexcept {
    if (manager().holds(mem)) manager().deallocate(mem); else fixed::global_delete(mem, alignment);
  }
  static void operator delete(void *, void *) noexcept {}

 private:
  // What a class of that size can ask for without naming an alignment, or what T names.
  static constexpr std::size_t alignment_of_nodes() {
    constexpr std::size_t divides = sizeof(T) & (~sizeof(T) + 1);
    constexpr std::size_t unnamed = divides < __STDCPP_DEFAULT_NEW_ALIGNMENT__ ? divides : __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    return alignof(T) > unnamed ? alignof(T) : unnamed;
  }
  static bool is_ours(std::size_t size, std::align_val_t alignment) {
    return size == sizeof(T) && static_cast<std::size_t>(alignment) <= alignof(T);
  }

  inline static constinit fixed::endless<manager_type> manager_ = {};
};

}  // namespace heapglass
