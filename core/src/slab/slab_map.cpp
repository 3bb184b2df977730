// See slab_map.hpp.
#include "slab/slab_map.hpp"

#include "heap/hardened_heap.hpp"
#include "trace/probes.hpp"

namespace heapglass {

#if HG_SLABS

SlabMap g_slab_map;

bool SlabMap::cover(Heap &heap, const Slab *slab, Word steps) {
  constexpr Word kSpare = 64;  // steps
  const Word needed = index_of(slab) + steps, was = length();
  if (needed <= was) return true;
  const Word longer = (kThreads ? 2 * was : was + was / 4) + kSpare;
  const Word new_length = longer > needed + kSpare ? longer : needed + kSpare;
  const Word bytes = kFront + new_length * sizeof(Entry);
  Chunk *const c = heap.take_chunk(chunk_size_for(bytes), bytes);
  if (c == nullptr) return false;
  if constexpr (kHardened) HardenedHeap::set_own(mem_of(c));
  const Word had = length();  // slab_map.M4
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

const char *SlabMap::check(const Heap &heap) const {
  if (entries_ == nullptr) return slabs_ == 0 ? nullptr : "slab_map.M2 there are slabs, and no map";
  const bool fits = heap.owns(block(), kMinChunk) && in_use(chunk_of(block())) && size_of(chunk_of(block())) >= kWord + kFront + length() * sizeof(Entry);
  if (!fits) return "slab_map.M2 it lies in no chunk, or is longer than that";
  Word seen = 0;
  for (Word i = 0, steps = 1; i < length(); i += steps) {
    const Word part = entry(entries_, i) & kPart;
    steps = 1;
    if (part == 0) continue;
    const auto *const s = reinterpret_cast<const Slab *>((first_ + i) * kSlabStep);
    if (part % kMaxSteps != 0 || !heap.owns(s, kSlabHead) || !in_use(chunk_of(s))) return "slab_map.M1 it names a slab where none begins";
    steps = steps_of(s);
    const bool agrees = class_of(s) == part / kMaxSteps && steps <= length() - i && size_of(chunk_of(s)) >= steps * kSlabStep;
    if (!agrees) return "slab_map.M1 a slab's tag says something else";
    for (Word n = 1; n < steps; ++n) {
      if ((entry(entries_, i + n) & kPart) != part + n) return "slab_map.M1 it does not name all of a slab";
    }
    ++seen;
  }
  return seen == slabs_ ? nullptr : "slab_map.M1 it names too few slabs, or too many";
}

#endif

}  // namespace heapglass
