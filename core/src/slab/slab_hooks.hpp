// What the heap's own functions ask malloc about a block that may lie in a slab.
//
//  slab_hooks.K1  malloc sets them with its first slab. A program that only uses the heap links none of malloc for them.
#pragma once

#include "base/build.hpp"
#include "base/bits.hpp"

namespace heapglass {

struct SlabHooks {
  Word (*usable_size)(const void *mem);  // 0: mem is in no slab
  void (*deallocate)(void *mem);
};
inline const SlabHooks *g_slab_hooks = nullptr;

inline Word bytes_in_slab(const void *mem) {
  if constexpr (!kSlabs) return 0;
  return g_slab_hooks != nullptr && mem != nullptr ? g_slab_hooks->usable_size(mem) : 0;
}
inline bool is_in_slab(const void *mem) { return bytes_in_slab(mem) != 0; }
inline void free_slab_block(void *mem) {
  if constexpr (kSlabs) g_slab_hooks->deallocate(mem);
}

}  // namespace heapglass
