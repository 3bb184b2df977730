// Operations on whole heaps: several live in one linear memory, some on fixed regions of it.
#pragma once

#include "state.hpp"

namespace contract {

struct HeapCreate {
  static constexpr const char *kName = "heap_create";
  void perform(State &state) const;
};

struct HeapCreateFixed {
  static constexpr const char *kName = "heap_create_fixed";
  size_t bytes;
  uint32_t skew;  // the heap's memory begins this many bytes into the region: any address must do
  void perform(State &state) const;
};

struct HeapDestroy {
  static constexpr const char *kName = "heap_destroy";
  uint32_t slot;
  void perform(State &state) const;
};

struct HeapTrim {
  static constexpr const char *kName = "trim";
  uint32_t slot;
  size_t pad;
  void perform(State &state) const;
};

// Frees everything heap by heap in a random order and proves that each heap is one free chunk again.
struct FreeAll {
  static constexpr const char *kName = "free_all";
  uint32_t seed;
  void perform(State &state) const;
};

}  // namespace contract
