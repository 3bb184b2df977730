// What the heap's functions do with a block of malloc that lies in a slab (slab/slab.hpp): it is no chunk, so malloc answers for it. Builds
// without slabs have no such blocks, and no code for them.
//
//  slab_block.A1  For the expansion command such a block is one without room beside it: it is reused where the limit fits its bytes, and
//                 neither grows nor shrinks.
//  slab_block.A2  Reallocated, it stays where its bytes fit and little of them is left over; else it moves into a chunk of the heap.
#pragma once

#include <heapglass/heapglass.h>

#include <cstring>

#include "heap/expansion.hpp"
#include "slab/slab_hooks.hpp"

namespace heapglass {

#if HG_SLABS

inline void *reallocate_slab_block(Heap &heap, void *mem, Word request) {
  heap.set_status(HG_STATUS_ok);
  const Word have = bytes_in_slab(mem);
  if (request != 0 && request <= have && have - request < have / 4) return mem;
  void *const to = request != 0 ? heap.allocate(request) : nullptr;
  if (to == nullptr && request != 0) return request <= have ? mem : nullptr;
  if (to != nullptr) std::memcpy(to, mem, have < request ? have : request);
  free_slab_block(mem);
  return to;
}

inline void *reallocate_slab_block_in_place(Heap &heap, void *mem, Word request) {
  const bool fits = request <= bytes_in_slab(mem);
  heap.set_status(fits ? HG_STATUS_ok : HG_STATUS_cannot_expand);
  return fits ? mem : nullptr;
}

inline hg_command_result command_on_slab_block(Heap &heap, std::uint32_t flags, Word object_size, Word limit, Word preferred, void *mem) {
  hg_command_result result = {nullptr, 0, broken_precondition(flags, object_size, limit, preferred, mem), 0};
  if (result.status == HG_STATUS_ok) {
    const bool shrinks = (flags & (HG_SHRINK_IN_PLACE | HG_TRY_SHRINK_IN_PLACE)) != 0;
    const bool expands = (flags & (HG_EXPAND_FWD | HG_EXPAND_BWD)) != 0;
    result.received = bytes_in_slab(mem) / object_size;
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
  if (g_slab_hooks == nullptr) return;
  hg_chain chunks;
  hg_chain_init(&chunks);
  for (Word left = chain->count; left != 0 && chain->first != nullptr; --left) {  // its links lie in the program's blocks
    void *const mem = hg_chain_pop_front(chain);
    if (is_in_slab(mem)) free_slab_block(mem);
    else hg_chain_push_back(&chunks, mem);
  }
  *chain = chunks;
}

#else

inline void *reallocate_slab_block(Heap &, void *, Word) { return nullptr; }
inline void *reallocate_slab_block_in_place(Heap &, void *, Word) { return nullptr; }
inline hg_command_result command_on_slab_block(Heap &, std::uint32_t, Word, Word, Word, void *) { return {}; }
inline void free_slab_blocks(hg_chain *) {}

#endif

}  // namespace heapglass
