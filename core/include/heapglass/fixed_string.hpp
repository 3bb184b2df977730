// Strings whose memory is always one block of one size: for programs that know the longest string they will ever hold.
// Growing is then one pop of a list, never a search, and freed blocks serve every other string.
//
//   heapglass::fixed_string<512> line;     // up to 511 characters
//
//  string.T1  Every allocation, whatever its size, is one node of BlockBytes from the manager of that block size; a request for
//      more is std::length_error. Strings within the library's own small buffer take no node.
//  string.T2  One manager a block size for the whole program, on the default heap: allocators are stateless and always equal. It
//      never ends; string_blocks<BlockBytes>::manager().clear() gives its memory back once no string is left.
//
// Libraries keep a few characters for themselves: libstdc++ holds up to BlockBytes - 1, libc++ up to 15 fewer. Not for
// strings of several threads.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include <heapglass/endless.hpp>
#include <heapglass/fixed_block.hpp>
#include <heapglass/growing_arena.hpp>
#include <heapglass/raise.hpp>

namespace heapglass {

template <std::size_t BlockBytes>
class string_blocks {
  static_assert(BlockBytes >= 2 * sizeof(void *));

 public:
  using manager_type = fixed_block_manager<growing_arena>;
  static manager_type &manager() { return manager_.value; }

 private:
  inline static constinit fixed::endless<manager_type> manager_ = {};
};

template <class T, std::size_t BlockBytes = 512>
class string_allocator {
 public:
  using value_type = T;
  using is_always_equal = std::true_type;
  template <class U>
  struct rebind {  // the traits cannot find it: BlockBytes is no type
    using other = string_allocator<U, BlockBytes>;
  };
  static constexpr std::size_t block_bytes = BlockBytes;

  string_allocator() = default;
  template <class U>
  constexpr string_allocator(const string_allocator<U, BlockBytes> &) {}

  [[nodiscard]] T *allocate(std::size_t count) {
    static_assert(alignof(T) <= alignof(void *));
    if (count > kInBlock) [[unlikely]] raise_length_error("heapglass: longer than a fixed string's block");
    return static_cast<T *>(string_blocks<BlockBytes>::manager().allocate(BlockBytes, alignof(void *)));
  }
  void deallocate(T *characters, std::size_t) { string_blocks<BlockBytes>::manager().deallocate(characters); }

  // What lets a string use its block to the end: until version 15 libstdc++ takes half of this for the longest string.
  std::size_t max_size() const {
#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 15
    return 2 * kInBlock - 1;
#else
    return kInBlock;
#endif
  }

  template <class U>
  friend constexpr bool operator==(const string_allocator &, const string_allocator<U, BlockBytes> &) {
    return true;
  }

 private:
  static constexpr std::size_t kInBlock = BlockBytes / sizeof(T);
};

template <std::size_t BlockBytes = 512>
using fixed_string = std::basic_string<char, std::char_traits<char>, string_allocator<char, BlockBytes>>;

}  // namespace heapglass
