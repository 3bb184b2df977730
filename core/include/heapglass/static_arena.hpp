// What a fixed-block manager (fixed_block.hpp) asks of an arena, and the arenas that are there from the beginning: an
// array the program gives, or one inside the arena.
//
// An arena has memory and knows nothing of single nodes. It hands out runs, each cut by the manager, and takes all of
// them back at once. Any class with these members is one:
//
//   node_run acquire(node_shape, free_nodes)      one more run of nodes side by side; count 0 when there is none
//   void clear()                                  all runs are the arena's again; those from a heap go back to it
//   bool holds(mem) const                         mem lies in one of them; for rare paths
//   size_t arenas() const                         runs handed out and not cleared
//   size_t bytes_held() const                     memory the arena has, in bytes
//   void tell_taken(node), tell_returned(node)    for traces; nothing where no heap is involved
//
//  static_arena.N1  All runs between two clears are of one node_shape.
//  static_arena.N2  A node's size is a multiple of its alignment, and both of the word.
//
// Static arenas lie outside every heap, so walks, checks and traces do not see their nodes. In an array that is itself a
// block of a heap, the map shows the block in use, and not what is in it.
#pragma once

#include <heapglass/heapglass.h>

#include <cstddef>
#include <cstdint>

namespace heapglass {
namespace fixed {

struct node_shape {
  std::size_t size;
  std::size_t alignment;  // a power of two
};

struct node_run {
  unsigned char *first;
  std::size_t count;
};

// Who keeps the list of free nodes, and how to visit it: what heapglass.h calls the owner of a pool.
struct free_nodes {
  const void *owner;
  hg_next_free next;
};

// The alignment of any object of this size that asks for no special one.
constexpr std::size_t natural_alignment(std::size_t size) {
  const std::size_t bits = (size == 0 ? 1 : size) | HG_ALIGNMENT;
  return bits & (~bits + 1);
}

constexpr std::size_t round_up(std::size_t size, std::size_t alignment) {  // pre: alignment is a power of two
  return (size + alignment - 1) & ~(alignment - 1);
}

inline bool lies_in(const void *mem, const void *first, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(mem) - reinterpret_cast<std::uintptr_t>(first) < bytes;
}

// The nodes that fit in [storage, storage + bytes): exactly bytes / shape.size of them when the storage is aligned for
// them, else what is left behind the first address that is.
inline node_run cut_nodes(unsigned char *storage, std::size_t bytes, node_shape shape) {
  const auto address = reinterpret_cast<std::uintptr_t>(storage);
  const std::size_t skipped = static_cast<std::size_t>(-address & (shape.alignment - 1));
  if (skipped > bytes) return {nullptr, 0};
  return {storage + skipped, (bytes - skipped) / shape.size};
}

}  // namespace fixed

// An array of the program. It must live as long as the arena.
class static_arena {
 public:
  template <std::size_t N>
  constexpr explicit static_arena(char (&storage)[N]) : storage_(storage), bytes_(N) {}
  static_arena(void *storage, std::size_t bytes) : storage_(static_cast<char *>(storage)), bytes_(bytes) {}
  static_arena(const static_arena &) = delete;
  static_arena &operator=(const static_arena &) = delete;

  fixed::node_run acquire(fixed::node_shape shape, fixed::free_nodes) {
    if (taken_) return {nullptr, 0};
    const fixed::node_run run = fixed::cut_nodes(reinterpret_cast<unsigned char *>(storage_), bytes_, shape);
    taken_ = run.count != 0;
    return run;
  }
  void clear() { taken_ = false; }
  bool holds(const void *mem) const { return fixed::lies_in(mem, storage_, bytes_); }
  std::size_t arenas() const { return taken_; }
  std::size_t bytes_held() const { return bytes_; }
  void tell_taken(const void *) const {}
  void tell_returned(const void *) const {}

 private:
  char *storage_;
  std::size_t bytes_;
  bool taken_ = false;
};

// Bytes of its own. All zero before first use, so that a static one costs the program file nothing.
template <std::size_t Bytes>
class inline_arena {
 public:
  constexpr inline_arena() = default;
  inline_arena(const inline_arena &) = delete;
  inline_arena &operator=(const inline_arena &) = delete;

  fixed::node_run acquire(fixed::node_shape shape, fixed::free_nodes) {
    if (taken_) return {nullptr, 0};
    const fixed::node_run run = fixed::cut_nodes(storage_, Bytes, shape);
    taken_ = run.count != 0;
    return run;
  }
  void clear() { taken_ = false; }
  bool holds(const void *mem) const { return fixed::lies_in(mem, storage_, Bytes); }
  std::size_t arenas() const { return taken_; }
  std::size_t bytes_held() const { return Bytes; }
  void tell_taken(const void *) const {}
  void tell_returned(const void *) const {}

 private:
  alignas(64) unsigned char storage_[Bytes] = {};
  bool taken_ = false;
};

}  // namespace heapglass
