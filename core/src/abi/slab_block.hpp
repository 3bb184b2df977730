// What the heap's functions do with a block of malloc that lies in a slab (slab/slab.hpp): it is no chunk, so malloc answers for it. Builds
// without slabs have no such blocks, and no code for them.
//
//  slab_block.A1  For the expansion command such a block is one without room beside it: it is reused where the limit fits its bytes, and
//                 neither grows nor shrinks.
#pragma once

#include "heap/expansion.hpp"
#include "malloc/malloc.hpp"

namespace heapglass {

inline bool is_slab_block(const void *mem) {
  if constexpr (kSlabs) return mem != nullptr && g_slabs.slab_at(mem) != nullptr;
  return false;
}

#if HG_HARDENED && !HG_THREADS

inline void *reallocate_slab_block(Heap &heap, void *mem, Word request) {
  heap.set_status(HG_STATUS_ok);
  if (request != 0) return Malloc::reallocate(mem, request);
  Malloc::deallocate(mem);
  return nullptr;
}

inline hg_command_result command_on_slab_block(Heap &heap, std::uint32_t flags, Word object_size, Word limit, Word preferred, void *mem) {
  hg_command_result result = {nullptr, 0, broken_precondition(flags, object_size, limit, preferred, mem), 0};
  if (result.status == HG_STATUS_ok) {
    const bool shrinks = (flags & (HG_SHRINK_IN_PLACE | HG_TRY_SHRINK_IN_PLACE)) != 0;
    const bool expands = (flags & (HG_EXPAND_FWD | HG_EXPAND_BWD)) != 0;
    result.received = Malloc::usable_size(mem) / object_size;
    const bool worked = shrinks ? preferred <= result.received && result.received <= limit : expands && limit <= result.received;
    if (!worked && (flags & HG_ALLOCATE_NEW) != 0) return heap.command(HG_ALLOCATE_NEW, object_size, limit, preferred, nullptr);
    if (!worked) result.status = shrinks ? HG_STATUS_cannot_shrink : HG_STATUS_cannot_expand;
    if (worked) result.mem = mem;
    result.reused = worked ? 1 : 0;
  }
  heap.set_status(result.status);
  return result;
}

// Frees those of the chain; the others stay in it, in order.
inline void free_slab_blocks(hg_chain *chain) {
  hg_chain chunks;
  hg_chain_init(&chunks);
  while (void *const mem = hg_chain_pop_front(chain)) {
    if (is_slab_block(mem)) {
      Malloc::deallocate(mem);
    } else {
      hg_chain_push_back(&chunks, mem);
    }
  }
  *chain = chunks;
}

#else

inline void free_slab_blocks(hg_chain *) {}
inline void *reallocate_slab_block(Heap &, void *, Word) { return nullptr; }
inline hg_command_result command_on_slab_block(Heap &, std::uint32_t, Word, Word, Word, void *) { return {}; }

#endif

}  // namespace heapglass
