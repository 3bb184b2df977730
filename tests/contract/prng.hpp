// A small deterministic generator (splitmix64): the same seed gives the same run on every platform and compiler.
//
// The C++ library's distributions are not used: their results differ between libraries.
#pragma once

#include <cstddef>
#include <cstdint>

namespace contract {

class Prng {
 public:
  explicit Prng(uint64_t seed) : state_(seed) {}

  uint32_t next() {
    state_ += 0x9e3779b97f4a7c15ull;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<uint32_t>((z ^ (z >> 31)) >> 32);
  }

  // 0 .. limit - 1; 0 for limit 0.
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>((static_cast<uint64_t>(next()) * limit) >> 32); }

  // first .. last, both included.
  uint32_t between(uint32_t first, uint32_t last) { return first + below(last - first + 1); }

  bool chance(uint32_t per_mille) { return below(1000) < per_mille; }

 private:
  uint64_t state_;
};

}  // namespace contract
