// Slabs of a hardened malloc, as a test sees and damages them: it knows the layout (core/src/slab/slab.hpp) and, unlike an attacker, the secret.
#pragma once

#include <gtest/gtest.h>
#include <heapglass/malloc.h>

#include <cstring>
#include <vector>

#include "malloc/malloc.hpp"

namespace heapglass {
struct SlabsInspector {
  static SlabMap::Entry &entry(const void *at) { return g_slab_map.entries_[index(at)]; }
  static void *map() { return g_slab_map.block(); }
  static Word index(const void *at) { return address_of(at) / kSlabStep - g_slab_map.first_; }
};
}  // namespace heapglass

namespace heapglass_test {

using heapglass::Slab;

inline constexpr size_t kSmall = 48;

inline Slab *slab_of(const void *mem) { return heapglass::g_slab_map.slab_at(mem); }

// So many blocks of kSmall bytes, more than the single chunks of a young class.
inline std::vector<void *> take_blocks(size_t count = 600) {
  std::vector<void *> blocks(count);
  for (void *&mem : blocks) std::memset(mem = hg_malloc(kSmall), 0x5a, kSmall);
  return blocks;
}

// Blocks of one slab that is full and not the current one.
inline std::vector<void *> blocks_of_full_slab(const std::vector<void *> &blocks) {
  const Slab *const slab = slab_of(blocks[blocks.size() / 2]);
  std::vector<void *> found;
  for (void *mem : blocks) {
    if (slab_of(mem) == slab) found.push_back(mem);
  }
  return found;
}

}  // namespace heapglass_test
