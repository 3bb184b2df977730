// Operations on single chunks: what a program does all day. Each is a small struct with perform(state).
//
// `slot` and `pick` are raw random numbers, reduced to what is there when the operation is performed.
#pragma once

#include "state.hpp"

namespace contract {

struct Allocate {
  static constexpr const char *kName = "allocate";
  uint32_t slot;
  size_t size;
  void perform(State &state) const;
};

struct Deallocate {
  static constexpr const char *kName = "deallocate";
  uint32_t slot, pick;
  void perform(State &state) const;
};

struct AllocateZeroed {
  static constexpr const char *kName = "allocate_zeroed";
  uint32_t slot;
  size_t count, size;
  void perform(State &state) const;
};

struct Reallocate {
  static constexpr const char *kName = "reallocate";
  uint32_t slot, pick;
  size_t size;
  void perform(State &state) const;
};

struct ReallocateInPlace {
  static constexpr const char *kName = "reallocate_in_place";
  uint32_t slot, pick;
  size_t size;
  void perform(State &state) const;
};

struct AllocateAligned {
  static constexpr const char *kName = "allocate_aligned";
  uint32_t slot;
  uint32_t alignment_log2;
  size_t size;
  void perform(State &state) const;
};

// Requests no heap can meet; all must be refused with the right status and leave everything as it was.
struct AskTheImpossible {
  static constexpr const char *kName = "ask_the_impossible";
  uint32_t slot, which, near_the_end;
  void perform(State &state) const;
};

}  // namespace contract
