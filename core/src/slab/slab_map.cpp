// See slab_map.hpp.
#include "slab/slab_map.hpp"

#include "heap/hardened_heap.hpp"
#include "trace/probes.hpp"

namespace heapglass {

#if HG_SLABS

SlabMap g_slab_map;

bool SlabMap::cover(Heap &heap, const Slab *slab, Word steps) {
  constexpr Word kSpare = 64;  // steps
  const Word needed = index_of(slab) + steps, had = length();
  if (needed <= had) return true;
  const Word longer = (kThreads ? 2 * had : had + had / 4) + kSpare;
  const Word new_length = longer > needed + kSpare ? longer : needed + kSpare;
  const Word bytes = kFront + new_length * sizeof(Entry);
  Chunk *const c = heap.take_chunk(chunk_size_for(bytes), bytes);
  if (c == nullptr) return false;
  if constexpr (kHardened) HardenedHeap::set_own(mem_of(c));
  auto *const entries = at_offset<Entry>(mem_of(c), kFront);
  if constexpr (kThreads) *static_cast<Word *>(mem_of(c)) = new_length;
  if (had != 0) __builtin_memcpy(entries, entries_, had * sizeof(Entry));
  if (!kThreads || kTraced) release(heap);  // slab_map.M3: with probes one thread acts at a time
  HG_PROBE(slab_made, heap.id(), HG_SLAB_WORDS, c, 0, 0);
  __builtin_memset(entries + had, 0, (new_length - had) * sizeof(Entry));
  if constexpr (kThreads) __atomic_store_n(&entries_, entries, __ATOMIC_RELEASE);
  else entries_ = entries;
  length_ = new_length;
  kept_bytes_ += size_of(c);
  return true;
}

Word SlabMap::release(Heap &heap) {
  if (entries_ == nullptr) return 0;
  if constexpr (kHardened) HardenedHeap::clear_own(heap, block());
  Chunk *const c = chunk_of(block());
  const Word bytes = size_of(c);
  HG_PROBE(slab_ended, heap.id(), HG_SLAB_WORDS, c, 0, 0);
  heap.release_chunk(c);
  entries_ = nullptr;
  length_ = 0;
  return bytes;
}

Word SlabMap::release_if_empty(Heap &heap) { return slabs_ == 0 && (!kThreads || kTraced) ? release(heap) : 0; }

#endif

}  // namespace heapglass
