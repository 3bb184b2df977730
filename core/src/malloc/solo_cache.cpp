// See solo_cache.hpp.
#include "malloc/solo_cache.hpp"

#include "malloc/flush.hpp"

namespace heapglass {

SoloCache g_solo_cache;

namespace {

// Of a small heap a share is soon carved by chance, and each aging makes malloc carve what went back.
constexpr Word kLeastShare = 128 * 1024;  // bytes
constexpr unsigned kRefill = 16;         // chunks
constexpr Word kWantedPart = 16;         // malloc.L3

// An operation that would do nothing is not written to the trace.
[[maybe_unused]] bool all_empty(void *const (&lists)[kHeads]) {
  for (const void *list : lists) {
    if (list != nullptr) return false;
  }
  return true;
}

}  // namespace

void *SoloCache::fetch(unsigned size_class, Heap &) {
  const unsigned list = list_to_take(old_, size_class);
  void *const first = old_[list];
  if (first == nullptr) return nullptr;
  CacheGuard::check_linked(first);
  void *last = first;
  for (unsigned n = 1; n < kRefill && next_cached(last) != nullptr; ++n) {
    last = next_cached(last);
    CacheGuard::check_linked(last);
  }
  old_[list] = next_cached(last);
  wanted_[list] = true;
  set_next_cached(last, nullptr);
  lists[list] = first;
  return pop(size_class);
}

// The bytes that went back to the heap; of each wanted list until it has given so many.
Word SoloCache::age(Heap &heap, Word from_wanted) {
  Word bytes = 0;
  for (unsigned k = kHeads; k-- > 0;) {
    bytes += release_chain(heap, old_[k], wanted_[k] ? from_wanted : kAll);
    wanted_[k] = false;
    if (old_[k] != nullptr) continue;
    old_[k] = lists[k];
    lists[k] = nullptr;
  }
  return bytes;
}

void SoloCache::age_now(Heap &heap) {
  const Word share = heap.footprint() / kShare;
  until_aging_ = share > kLeastShare ? share : kLeastShare;
  const Word from_wanted = until_aging_ / kWantedPart;
  if (kTraced && all_empty(old_)) {
    age(heap, from_wanted);
    return;
  }
  const FlushOperation operation(heap);
  operation.ended(age(heap, from_wanted));
}

bool SoloCache::before_growth(Heap &heap) {
  return carved_since_flush_ >= heap.footprint() / kShare && flush(heap) != 0;
}

Word SoloCache::flush(Heap &heap) {
  if (kTraced && all_empty(lists) && all_empty(old_) && waiting_.bytes() == 0) return 0;
  const FlushOperation operation(heap);
  const Word old_bytes = waiting_.release(heap) + age(heap, kAll);
  const Word bytes = operation.ended(old_bytes + age(heap, kAll));
  if (bytes != 0) carved_since_flush_ = 0;
  return bytes;
}

Word SoloCache::bytes() const {
  Word bytes = waiting_.bytes();
  for (unsigned k = 0; k < kHeads; ++k) bytes += bytes_of_chain(lists[k]) + bytes_of_chain(old_[k]);
  return bytes;
}

}  // namespace heapglass
