// See solo_cache.hpp.
#include "malloc/solo_cache.hpp"

#include "malloc/flush.hpp"
#include "platform/threads.hpp"
#include "slab/slabs.hpp"

namespace heapglass {

SoloCache g_solo_cache;

namespace {

constexpr unsigned kRefill = 16;  // chunks
constexpr Word kRunBytes = 2048;  // malloc.L7
constexpr Word kWantedPart = 32;  // malloc.L3

// An operation that would do nothing is not written to the trace.
[[maybe_unused]] bool all_empty(void *const (&lists)[kHeads]) {
  for (const void *list : lists) {
    if (list != nullptr) return false;
  }
  return true;
}

}  // namespace

// Whether the list has chunks now.  pre: it has none
bool SoloCache::refill(unsigned size_class) {
  const unsigned list = list_to_take(old_, size_class);
  void *const first = old_[list];
  if (first == nullptr) return false;
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
  return true;
}

void *SoloCache::fetch(unsigned size_class, Heap &) {
  if (refill(size_class)) return pop(size_class);
  for (unsigned k = size_class + 1, end = end_of_near(size_class); k < end; ++k) {
    if (first(k) != nullptr || refill(k)) return pop(k);
  }
  return nullptr;
}

// malloc.L7. The last one is cached first, so that the list gives them in the order of addresses.
void SoloCache::after_carving(Heap &heap, unsigned size_class, Word size) {
  Word &rate = rate_[size_class];
  const Word most = is_small(size) ? kRunBytes / size - 1 : 0;
  Word wanted = rate / 8;
  if (wanted < most) {
    rate += 1 + wanted;
  } else {
    wanted = most;
  }
  if (wanted == 0) return;
  Chunk *c;
  Word bytes = heap.take_neighbours(size, wanted, &c) * size;
  carved_since_flush_ += bytes;
  until_aging_ = until_aging_ > bytes ? until_aging_ - bytes : 0;
  while (bytes != 0) {
    bytes -= size;
    keep(heap, size_class, mem_of(chunk_at(c, bytes)));
  }
}

// On the old list, so that the list itself stays empty (malloc.L6).
void SoloCache::keep(Heap &heap, unsigned size_class, void *mem) {
  Chunk *const c = chunk_of(mem);
  CacheGuard::fill_freed(mem);
  set_next_cached(mem, old_[size_class]);
  old_[size_class] = mem;
  if constexpr (kMarksCached) mark_cached(c, c->head);
  set_holder(mem, thread_number());
  HG_PROBE(chunk_cached, heap.id(), list_in_events(size_of(c)), c, size_of(c), thread_number());
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
  for (Word &rate : rate_) rate = 0;
  if constexpr (kSlabs) bytes += g_slabs.flush(heap);
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
  if (kTraced && all_empty(lists) && all_empty(old_) && waiting_.bytes() == 0) {
    age(heap, kAll);  // there is more to it than chunks
    return 0;
  }
  const FlushOperation operation(heap);
  const Word old_bytes = waiting_.release(heap) + age(heap, kAll);
  const Word bytes = operation.ended(old_bytes + age(heap, kAll));
  if (bytes != 0) carved_since_flush_ = 0;
  return bytes;
}

Word SoloCache::bytes() const {
  Word bytes = waiting_.bytes() + (kSlabs ? g_slabs.idle_bytes() : 0);
  for (unsigned k = 0; k < kHeads; ++k) bytes += bytes_of_chain(lists[k]) + bytes_of_chain(old_[k]);
  return bytes;
}

}  // namespace heapglass
