// allocator<T, Version, DisableMask>: what C++ containers need of a heap.
//
//   Version 1   the standard's: allocate, deallocate, allocate_at_least. For std containers, and for comparison.
//   Version 2   also what Boost.Container uses when an allocator says it is version 2 (it reads the nested type `version`):
//                 arrays   allocation_command: new memory, or the same grown or shrunk in place; size
//                 nodes    allocate_one, allocate_individual: memory for one object each, singly or in a burst
//                 many     allocate_many: arrays of one length, or of listed lengths, in a burst
//   DisableMask commands that are taken out of every allocation_command: `expand_fwd | expand_bwd` leaves new memory.
//
// allocator works on the program's default heap and holds nothing; heap_allocator<T, Version, DisableMask>(heap) is the
// same on a heap of one's own, and containers swap and move it with their contents.
//
//  AL1  every function that frees takes every block: one from allocate may go to deallocate_one, one from allocate_one to
//       deallocate(p, 1), both to deallocate_individual or deallocate_many. Containers do that when a constructor throws.
//  AL2  a command without allocate_new that cannot be done returns null. It never throws, with nothrow_allocation or not:
//       Boost's vector asks expand_fwd that way and takes null for no.
//  AL3  more objects than max_size() is std::bad_array_new_length, no memory is std::bad_alloc. A preferred count beyond
//       max_size() is cut to it, and one that cannot be had falls back to the limit.
//  AL4  memory is aligned to alignof(T), whatever that is. Beyond HG_ALIGNMENT new memory is asked for after both
//       expansions, and bursts are loops.
//  AL5  without exceptions (-fno-exceptions) the program traps where it would throw.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

#include <heapglass/burst_chain.hpp>
#include <heapglass/heapglass.h>
#include <heapglass/raise.hpp>

namespace heapglass {

// Bits of an allocation_command: the numbers of heapglass.h, which are Boost's too.
enum allocation_type : unsigned {
  allocate_new = HG_ALLOCATE_NEW,
  expand_fwd = HG_EXPAND_FWD,
  expand_bwd = HG_EXPAND_BWD,
  shrink_in_place = HG_SHRINK_IN_PLACE,
  nothrow_allocation = HG_NOTHROW_ALLOCATION,
  zero_memory = 0x20u,  // what is new is zeroed
  try_shrink_in_place = HG_TRY_SHRINK_IN_PLACE,
};

// What allocate_at_least returns: the library's type where it has one.
#if defined(__cpp_lib_allocate_at_least)
template <class Pointer>
using allocation_result = std::allocation_result<Pointer>;
#else
template <class Pointer>
struct allocation_result {
  Pointer ptr;
  std::size_t count;
};
#endif

// Which heap an allocator works on.
struct on_default_heap {
  using is_always_equal = std::true_type;
  static hg_heap *heap() { return nullptr; }
  friend bool operator==(on_default_heap, on_default_heap) { return true; }
};
struct on_heap {
  using is_always_equal = std::false_type;
  hg_heap *chosen = nullptr;  // nullptr: the default heap
  hg_heap *heap() const { return chosen; }
  friend bool operator==(on_heap, on_heap) = default;
};

template <class T, unsigned Version, unsigned DisableMask, class Place>
class basic_allocator;

template <class T, unsigned Version = 2, unsigned DisableMask = 0>
using allocator = basic_allocator<T, Version, DisableMask, on_default_heap>;

template <class T, unsigned Version = 2, unsigned DisableMask = 0>
using heap_allocator = basic_allocator<T, Version, DisableMask, on_heap>;

template <unsigned Version, unsigned DisableMask, class Place>
class basic_allocator<void, Version, DisableMask, Place> {
 public:
  using value_type = void;
  using pointer = void *;
  using const_pointer = const void *;
  using version = std::integral_constant<unsigned, Version>;
  template <class U>
  struct rebind {
    using other = basic_allocator<U, Version, DisableMask, Place>;
  };
  basic_allocator() = default;
  explicit basic_allocator(Place place) : place_(place) {}
  template <class U>
  basic_allocator(const basic_allocator<U, Version, DisableMask, Place> &other) noexcept : place_(other.place()) {}
  Place place() const { return place_; }
  friend bool operator==(const basic_allocator &left, const basic_allocator &right) = default;

 private:
  [[no_unique_address]] Place place_;
};

template <class T, unsigned Version, unsigned DisableMask, class Place>
class basic_allocator {
  static_assert(Version == 1 || Version == 2, "versions of allocators are 1 and 2");

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
  using is_always_equal = typename Place::is_always_equal;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using propagate_on_container_copy_assignment = std::false_type;
  template <class U>
  struct rebind {
    using other = basic_allocator<U, Version, DisableMask, Place>;
  };

  basic_allocator() = default;
  explicit basic_allocator(Place place) noexcept : place_(place) {}
  basic_allocator(hg_heap *heap) noexcept requires std::is_same_v<Place, on_heap> : place_{heap} {}
  template <class U>
  basic_allocator(const basic_allocator<U, Version, DisableMask, Place> &other) noexcept : place_(other.place()) {}

  Place place() const { return place_; }
  static constexpr size_type max_size() noexcept {
    return static_cast<size_type>(std::numeric_limits<difference_type>::max()) / sizeof(T);
  }
  friend bool operator==(const basic_allocator &left, const basic_allocator &right) noexcept {
    return left.place_ == right.place_;
  }

  // ---- arrays ----

  [[nodiscard]] pointer allocate(size_type count, const void * = nullptr) {
    if (count > max_size()) raise_bad_array_new_length();
    return proved(take(count * sizeof(T)));
  }
  void deallocate(pointer block, size_type) noexcept { hg_heap_deallocate(place_.heap(), block); }

  // At least `count` objects, and how many there is room for; any number between the two may be given to deallocate.
  [[nodiscard]] allocation_result<pointer> allocate_at_least(size_type count) {
    const pointer block = allocate(count);
    const size_type fitting = hg_usable_size(block) / sizeof(T);
    return {block, fitting > count ? fitting : count};
  }

  // Objects that the block has room for. pre: block is of an array (or of this allocator's nodes).
  size_type size(pointer block) const noexcept requires(Version == 2) { return hg_usable_size(block) / sizeof(T); }

  // The expansion command (heapglass.h), in the form containers call it. In: the least and the wanted number of objects, and
  // the block to reuse or null. Out: the block or null; its real number of objects (on failure: a limit that a new call
  // could meet); reuse is null when the block is new, as it was when it was expanded or shrunk.
  pointer allocation_command(unsigned command, size_type limit, size_type &prefer_in_received_out, pointer &reuse)
      requires(Version == 2) {
    unsigned flags = command & ~DisableMask;
    if (reuse == nullptr) flags &= ~(HG_EXPAND_FWD | HG_EXPAND_BWD);
    const bool throws = (command & (HG_ALLOCATE_NEW | HG_NOTHROW_ALLOCATION)) == HG_ALLOCATE_NEW;  // AL2
    const bool too_long = limit > max_size() && (flags & HG_SHRINK_IN_PLACE) == 0 && (flags & HG_TRY_SHRINK_IN_PLACE) == 0;
    const size_type preferred = prefer_in_received_out < max_size() ? prefer_in_received_out : max_size();
    hg_command_result result = {};
    const size_type old_count = (flags & zero_memory) != 0 && reuse != nullptr ? hg_usable_size(reuse) / sizeof(T) : 0;
    if (!too_long) result = run(flags & ~unsigned{zero_memory}, limit, preferred, reuse);
    prefer_in_received_out = result.received;
    if (result.mem == nullptr) {
      if (!throws) return nullptr;
      if (too_long) raise_bad_array_new_length();
      raise_bad_alloc();
    }
    if ((flags & zero_memory) != 0) zero_new(result, reuse, old_count);
    if (result.reused == 0) reuse = nullptr;
    return static_cast<pointer>(result.mem);
  }

  // ---- nodes: memory for one object ----

  [[nodiscard]] pointer allocate_one() requires(Version == 2) { return proved(take(sizeof(T))); }
  void deallocate_one(pointer block) noexcept requires(Version == 2) { hg_heap_deallocate(place_.heap(), block); }

  // Appends `count` blocks for one object each; all or nothing.
  void allocate_individual(size_type count, multiallocation_chain &chain) requires(Version == 2) {
    allocate_many(size_type{1}, count, chain);
  }
  void deallocate_individual(multiallocation_chain &chain) noexcept requires(Version == 2) { deallocate_many(chain); }

  // ---- many arrays ----

  // Appends `count` arrays of `length` objects; all or nothing.
  void allocate_many(size_type length, size_type count, multiallocation_chain &chain) requires(Version == 2) {
    if (count == 0) return;
    if (length > max_size()) raise_bad_array_new_length();
    if constexpr (kOverAligned<T>) {
      take_each([length](size_type) { return length; }, count, chain);
    } else {
      hg_chain made = {};
      append(hg_heap_burst_nodes(place_.heap(), count, length * sizeof(T), HG_CONTIGUOUS_DEFAULT, &made), made, chain);
    }
  }
  // Appends `count` arrays, the i-th of lengths[i] objects; all or nothing.
  void allocate_many(const size_type *lengths, size_type count, multiallocation_chain &chain) requires(Version == 2) {
    if (count == 0) return;
    for (size_type i = 0; i < count; ++i) {
      if (lengths[i] > max_size()) raise_bad_array_new_length();
    }
    if constexpr (kOverAligned<T>) {
      take_each([lengths](size_type i) { return lengths[i]; }, count, chain);
    } else {
      hg_chain made = {};
      append(hg_heap_burst_arrays(place_.heap(), count, lengths, sizeof(T), default_objects(), &made), made, chain);
    }
  }
  void deallocate_many(multiallocation_chain &chain) noexcept requires(Version == 2) {
    hg_chain blocks = chain.give_to_c();
    hg_heap_burst_deallocate(place_.heap(), &blocks);
  }

 private:
  template <class U>
  static constexpr bool kOverAligned = alignof(U) > HG_ALIGNMENT;
  static constexpr size_type default_objects() { return HG_CONTIGUOUS_DEFAULT; }

  static pointer proved(void *mem) {
    if (mem == nullptr) raise_bad_alloc();
    return static_cast<pointer>(mem);
  }
  void *take(size_type bytes) const {
    if constexpr (kOverAligned<T>) return hg_heap_allocate_aligned(place_.heap(), alignof(T), bytes);
    return hg_heap_allocate(place_.heap(), bytes);
  }

  // pre: limit <= max_size() unless the command is a shrink.
  hg_command_result run(unsigned flags, size_type limit, size_type preferred, pointer reuse) const {
    if constexpr (!kOverAligned<T>) {
      return hg_heap_command(place_.heap(), flags, sizeof(T), limit, preferred, reuse);
    } else {  // AL4. A start moves by multiples of sizeof(T), so expansion keeps the alignment.
      const unsigned in_place = flags & ~HG_ALLOCATE_NEW;
      hg_command_result result = {};
      if ((in_place & ~HG_NOTHROW_ALLOCATION) != 0) {
        result = hg_heap_command(place_.heap(), in_place, sizeof(T), limit, preferred, reuse);
        if (result.mem != nullptr) return result;
      }
      if ((flags & HG_ALLOCATE_NEW) == 0 || limit > preferred) return result;
      result.mem = take(preferred * sizeof(T));
      if (result.mem == nullptr) result.mem = take(limit * sizeof(T));
      if (result.mem != nullptr) result.received = hg_usable_size(result.mem) / sizeof(T);
      return result;
    }
  }

  // All of a new block; of an expanded one what lies before and behind the old objects, which may have to move yet.
  static void zero_new(const hg_command_result &result, const void *reuse, size_type old_count) {
    char *const begin = static_cast<char *>(result.mem);
    char *const end = begin + result.received * sizeof(T);
    if (result.reused == 0) {
      std::memset(begin, 0, static_cast<size_type>(end - begin));
      return;
    }
    char *const old_begin = begin + (static_cast<const char *>(reuse) - begin);
    char *const old_end = old_begin + old_count * sizeof(T);
    if (begin < old_begin) std::memset(begin, 0, static_cast<size_type>(old_begin - begin));
    if (old_end < end) std::memset(old_end, 0, static_cast<size_type>(end - old_end));
  }

  static void append(size_type made_count, hg_chain &made, multiallocation_chain &chain) {
    if (made_count == 0) raise_bad_alloc();
    chain.take_from(made);
  }

  template <class LengthOf>
  void take_each(LengthOf length_of, size_type count, multiallocation_chain &chain) {
    multiallocation_chain made;
    for (size_type i = 0; i < count; ++i) {
      void *const mem = take(length_of(i) * sizeof(T));
      if (mem == nullptr) {
        deallocate_many(made);
        raise_bad_alloc();
      }
      made.push_back(static_cast<pointer>(mem));
    }
    chain.splice_after(chain.last(), made);
  }

  [[no_unique_address]] Place place_;
};

}  // namespace heapglass
