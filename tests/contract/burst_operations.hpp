// Bursts: many blocks from one call, each freed on its own or by a chain of any blocks of the heap.
#pragma once

#include "state.hpp"

namespace contract {

struct BurstNodes {
  static constexpr const char *kName = "burst_nodes";
  uint32_t slot;
  size_t count, size, contiguous;
  void perform(State &state) const;
};

struct BurstArrays {
  static constexpr const char *kName = "burst_arrays";
  uint32_t slot;
  size_t count, object_size, contiguous;
  uint32_t lengths_seed;  // the lengths are made from it
  uint32_t longest;
  void perform(State &state) const;
};

// Frees a chain of `count` blocks picked from all that the heap returned, whatever function they came from.
struct BurstDeallocate {
  static constexpr const char *kName = "burst_deallocate";
  uint32_t slot, pick, count;
  void perform(State &state) const;
};

struct IndependentCalloc {
  static constexpr const char *kName = "independent_calloc";
  uint32_t slot;
  size_t count, size;
  bool own_array;  // the addresses go into the caller's array, else into one allocated with them
  void perform(State &state) const;
};

struct IndependentComalloc {
  static constexpr const char *kName = "independent_comalloc";
  uint32_t slot;
  size_t count;
  uint32_t sizes_seed, largest;
  bool own_array;
  void perform(State &state) const;
};

}  // namespace contract
