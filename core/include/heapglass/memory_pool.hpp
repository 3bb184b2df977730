// Memory pools in C++: a separate heap for each data structure, with the C functions hg_memory_pool_*.
//
//   struct Link : heapglass::pooled<Link> { char *value; Link *next; };
//
//   heapglass::memory_pool pool(sizeof(Link));
//   Link *link = new (pool) Link{};                 // the fixed path: pops a free list
//   link->value = new (pool) char[40];              // any size: the pool's heap
//   delete link;                                    // finds its pool by its address
//   pool.deallocate(value);
//                                                   // the destructor of `pool` frees the rest in constant time, and
//                                                   // runs no destructor of objects
//
// Failure: when out of memory, functions that allocate throw std::bad_alloc, or trap in programs without exceptions;
// functions with try_ return nullptr. If a constructor throws, the memory of its `new` is freed.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include <heapglass/heapglass.h>
#include <heapglass/raise.hpp>

namespace heapglass {

class memory_pool {
 public:
  // fixed_size: bytes of a block of the fixed path, at most 2048; 0: no fixed path.
  explicit memory_pool(std::size_t fixed_size = 0)
      : pool_(hg_memory_pool_create(fixed_size)), fixed_size_(fixed_size) {
    if (pool_ == nullptr) raise_bad_alloc();
  }
  memory_pool(memory_pool &&other) noexcept
      : pool_(std::exchange(other.pool_, nullptr)), fixed_size_(std::exchange(other.fixed_size_, 0)) {}
  // Frees everything in this pool at once.
  memory_pool &operator=(memory_pool &&other) noexcept {
    memory_pool moved(std::move(other));
    std::swap(pool_, moved.pool_);
    std::swap(fixed_size_, moved.fixed_size_);
    return *this;
  }
  memory_pool(const memory_pool &) = delete;
  memory_pool &operator=(const memory_pool &) = delete;
  ~memory_pool() { hg_memory_pool_destroy(pool_); }

  void *allocate(std::size_t size) { return proved(try_allocate(size)); }
  void *try_allocate(std::size_t size) noexcept { return hg_memory_pool_allocate(pool_, size); }
  void deallocate(void *mem) noexcept { hg_memory_pool_deallocate(pool_, mem); }

  void *allocate_fixed() { return proved(try_allocate_fixed()); }
  void *try_allocate_fixed() noexcept { return hg_memory_pool_allocate_fixed(pool_); }
  static void deallocate_fixed(void *mem) noexcept { hg_memory_pool_deallocate_fixed(mem); }

  // Destroys an object made with new (pool) T whose class is not pooled.
  template <class T>
  void destroy(T *object) noexcept {
    if (object == nullptr) return;
    object->~T();
    deallocate(object);
  }

  std::size_t fixed_size() const noexcept { return fixed_size_; }
  hg_heap *heap() const noexcept { return hg_memory_pool_heap(pool_); }
  hg_memory_pool *handle() const noexcept { return pool_; }  // nullptr: moved from

 private:
  static void *proved(void *mem) {
    if (mem == nullptr) raise_bad_alloc();
    return mem;
  }

  hg_memory_pool *pool_;
  std::size_t fixed_size_;
};

// Gives a class operators new and delete on the fixed path. The pool must have been made for objects of that size. A size
// above its fixed_size, or an alignment that its blocks do not have, fails like out of memory. `delete` finds the pool by
// the address. When the pool ends, its objects are gone.
template <class T>
struct pooled {
  static void *operator new(std::size_t size, memory_pool &pool) {
    static_assert(alignof(T) <= HG_ALIGNMENT, "pools align to HG_ALIGNMENT");
    const bool aligned = alignof(T) <= sizeof(void *) || pool.fixed_size() % HG_ALIGNMENT == 0;
    if (size > pool.fixed_size() || !aligned) raise_bad_alloc();
    return pool.allocate_fixed();
  }
  static void operator delete(void *mem) noexcept { memory_pool::deallocate_fixed(mem); }
  static void operator delete(void *mem, memory_pool &) noexcept { memory_pool::deallocate_fixed(mem); }
};

}  // namespace heapglass

// new (pool) T and new (pool) T[n] for any class: memory of any size from the pool's heap. Free it with pool.destroy or
// pool.deallocate, or by ending the pool.
inline void *operator new(std::size_t size, heapglass::memory_pool &pool) { return pool.allocate(size); }
inline void *operator new[](std::size_t size, heapglass::memory_pool &pool) { return pool.allocate(size); }
inline void operator delete(void *mem, heapglass::memory_pool &pool) noexcept { pool.deallocate(mem); }
inline void operator delete[](void *mem, heapglass::memory_pool &pool) noexcept { pool.deallocate(mem); }
