// See solo_cache.hpp.
#include "malloc/solo_cache.hpp"

#include "malloc/flush.hpp"
#include "platform/threads.hpp"
#include "slab/slabs.hpp"

namespace heapglass {

#if !HG_THREADS

SoloCache g_solo_cache;

namespace {

constexpr unsigned kRefill = 16;  // chunks
constexpr Word kWantedPart = 32;  // malloc.L3

// An operation that would do nothing is not written to the trace.
[[maybe_unused]] bool all_empty(void *const (&lists)[kHeads]) {
  for (const void *list : lists) {
    if (list != nullptr) return false;
  }
  if constexpr (kSlabs) return !g_slabs.would_flush();
  return true;
}

Word flush_slabs([[maybe_unused]] Heap &heap) {
  if constexpr (kSlabs) return g_slabs.flush(heap);
  return 0;
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

// magazines.G3
void SoloCache::unload() {
  if constexpr (!kMagazines) return;
  magazines_.each([this](void *mem) {
    if (const unsigned slab_class = g_slab_map.class_at(mem)) {
      put_in_slab(slab_class, mem);
    } else {
      link(mem, lists[class_of_head(chunk_of(mem)->head)]);
    }
  });
  magazines_.open();
}

void SoloCache::put_in_slab(unsigned slab_class, void *mem) {
  if constexpr (kSlabs) g_slabs.push(slab_class, mem);
}

void *SoloCache::pop_chunk(unsigned slab_class, unsigned size_class, Heap &) {
  if constexpr (!kMagazines) return pop(size_class);
  if (lists[size_class] == nullptr && !refill(size_class)) return nullptr;
  for (void *mem = lists[size_class]; mem != nullptr; mem = lists[size_class]) {
    void *const next = next_cached(mem);
    if (!magazines_.push(slab_class, mem)) break;
    lists[size_class] = next;
  }
  void *const mem = magazines_.pop(slab_class);
  if constexpr (kMarksCached) unmark_cached(chunk_of(mem));
  return mem;
}

void *SoloCache::fetch(unsigned size_class, Heap &) {
  if (refill(size_class)) return pop(size_class);
  for (unsigned k = size_class + 1, end = end_of_near(size_class); k < end; ++k) {
    if (first(k) != nullptr || refill(k)) return pop(k);
  }
  return nullptr;
}

// The bytes that went back to the heap; of each wanted list until it has given so many.
Word SoloCache::age(Heap &heap, Word from_wanted) {
  Word bytes = 0;
  unload();
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
  if (kTraced && all_empty(old_) && magazines_.empty()) {
    age(heap, from_wanted);
    flush_slabs(heap);
    return;
  }
  const FlushOperation operation(heap);
  const Word bytes = age(heap, from_wanted);
  operation.ended(bytes + flush_slabs(heap));
}

bool SoloCache::before_growth(Heap &heap) {
  return carved_since_flush_ >= heap.footprint() / kShare && flush(heap) != 0;
}

Word SoloCache::flush(Heap &heap) {
  if (kTraced && magazines_.empty() && all_empty(lists) && all_empty(old_) && waiting_.bytes() == 0) {
    age(heap, kAll);  // there is more to it than chunks
    flush_slabs(heap);
    return 0;
  }
  const FlushOperation operation(heap);
  const Word old_bytes = waiting_.release(heap) + age(heap, kAll);
  const Word listed_bytes = age(heap, kAll);
  const Word bytes = operation.ended(old_bytes + listed_bytes + flush_slabs(heap));
  if (bytes != 0) carved_since_flush_ = 0;
  return bytes;
}

Word SoloCache::bytes() const {
  Word bytes = waiting_.bytes() + (kSlabs ? g_slabs.idle_bytes() : 0);
  for (unsigned k = 0; k < kHeads; ++k) bytes += bytes_of_chain(lists[k]) + bytes_of_chain(old_[k]);
  magazines_.each([&bytes](const void *mem) {
    const unsigned slab_class = kSlabs ? g_slab_map.class_at(mem) : 0;
    bytes += slab_class != 0 ? slab_block_bytes(slab_class) : size_of_block(mem);
  });
  return bytes;
}

#endif

}  // namespace heapglass
