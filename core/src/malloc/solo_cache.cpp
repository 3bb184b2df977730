// See solo_cache.hpp.
#include "malloc/solo_cache.hpp"

#include "heap/join_cached.hpp"
#include "malloc/flush.hpp"

namespace heapglass {

SoloCache g_solo_cache;

namespace {

constexpr Word kLeastShare = 64 * 1024;  // bytes: a smaller heap is not worth a walk

Word share_of(const Heap &heap) {
  const Word share = heap.footprint() / kShare;
  return share > kLeastShare ? share : kLeastShare;
}

}  // namespace

// Stops counting at the limit: what is far above it need not be known.
Word SoloCache::bytes_up_to(Word limit) const {
  Word bytes = 0;
  for (const void *mem : lists) {
    for (; mem != nullptr && bytes <= limit; mem = next_cached(mem)) bytes += size_of_block(mem);
  }
  return bytes;
}

void SoloCache::look(Heap &heap) {
  const Word share = share_of(heap);
  const Word limit = working_set_ + share;
  const Word cached = bytes_up_to(limit);
  until_look_ = cached * 2 > share ? cached * 2 : share;  // so looking costs O(1) for each byte carved
  if (cached > limit) {
    flush(heap);
    until_look_ = share;
  }
  const Word faded = working_set_ - working_set_ / 4;
  working_set_ = cached > faded ? cached : faded;
}

bool SoloCache::before_growth(Heap &heap) {
  return carved_since_flush_ >= heap.footprint() / kShare && flush(heap) != 0;
}

Word SoloCache::flush(Heap &heap) {
  bool any = false;
  for (void *&list : lists) {
    any |= list != nullptr;
    if constexpr (kChecked) {  // before the walk, which ends chunks to which links of others lead
      for (const void *mem = list; mem != nullptr; mem = next_cached(mem)) CacheGuard::check_cached(heap, mem);
    }
    list = nullptr;
  }
  if (!any) return 0;  // what was carved still counts: nothing was walked
  carved_since_flush_ = 0;
  const FlushOperation operation(heap);
  return operation.ended(heap.join_cached([&heap](Chunk *c, Word) { note_released(heap, mem_of(c)); }));
}

}  // namespace heapglass
