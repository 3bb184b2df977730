// The seeded generator: which operation comes next, and with which arguments.
//
// A run goes through phases (growing, steady, shrinking; small, large sizes), so that the heap takes many shapes.
// Nothing here depends on an address: the same seed makes the same calls on every platform.
#pragma once

#include "prng.hpp"
#include "state.hpp"

namespace contract {

class Generator {
 public:
  explicit Generator(uint64_t seed) : prng_(seed) {}

  // Makes operation number `index` and performs it.
  void perform_next(State &state, uint32_t index);

 private:
  Prng prng_;
  uint32_t growth_ = 50;   // percent of calls that take rather than give back
  uint32_t largest_ = 0;   // log2 of the sizes of this phase

  void choose_phase(const State &state);
  size_t some_size();
  uint32_t some_slot(const State &state);
  void take(State &state, uint32_t index);
  void give(State &state, uint32_t index);
  void change(State &state, uint32_t index);
  void use_pool(State &state, uint32_t index);
  void use_malloc(State &state, uint32_t index, bool full);
  void rarely(State &state, uint32_t index);
};

}  // namespace contract
