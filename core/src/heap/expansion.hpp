// One run of the expansion command: the chunk to reuse, the requested sizes, and the trials. Sizes here are chunk sizes.
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

inline constexpr Word kImpossible = ~kFlags;  // a chunk size that no heap has

// Backward expansion moves the start by multiples of this: lcm(object_size, kAlign); 0 when that is out of range.
Word backward_step(Word object_size);

// HG_STATUS_ok, or what is wrong with the arguments of a command.
std::uint32_t broken_precondition(std::uint32_t flags, Word object_size, Word limit, Word preferred, const void *reuse);

enum class Goal { kPreferred, kLimit };  // exactly preferred; or as close to it as possible, at least limit

struct Expansion {
  static constexpr Word kWorked = Word{1} << 8;  // the bit of command_tried that says so

  Heap &heap_;
  Chunk *chunk_;  // nullptr only when the command is allocate_new alone
  Word object_size_;
  Word limit_;
  Word preferred_;
  Word step_;

  void run(std::uint32_t flags, hg_command_result *result);
  void shrink(bool commit, Word preferred, Word limit, hg_command_result *result);

 private:
  // Each trial writes command_tried. It returns the resulting chunk, or nullptr, and then has changed nothing.
  Chunk *forward();
  [[gnu::noinline]] Chunk *backward(Goal goal);
  [[gnu::noinline]] Chunk *both(Goal goal);
  [[gnu::noinline]] Chunk *allocate_new(Goal goal);

  Word best_limit(bool fwd, bool bwd, bool fresh) const;
  Word objects_in(Word size) const { return (size - kWord) / object_size_; }
  Word wanted(Goal goal) const { return goal == Goal::kPreferred ? preferred_ : limit_; }
  Word space_backward() const;
  Word least_distance(Word missing) const;
  [[gnu::noinline]] Word most_distance() const;
  [[gnu::noinline]] Word distance(Word have, Goal goal) const;
  [[gnu::noinline]] Chunk *move_back(Word distance);
};

}  // namespace heapglass
