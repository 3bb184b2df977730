// Visits every free node of a class: the hg_next_free of its pool. Other threads are at rest.
//
// The state of a visit is two words: the last visited node, and
//
//   place     0                     before the first node
//             batch | 1             in the batch that begins there
//             2                     in the loose nodes
//             6                     in the uncut nodes
//             cache | 3             in the list of that cache
//             cache | 7             in its spare batch
//
// Batches begin at multiples of 4 and caches at multiples of 16, so the low bits of their addresses are free.
#include "small/thread_cache.hpp"

namespace heapglass {

namespace {

enum FreePlace : std::uintptr_t { kInBatch = 1, kInLoose = 2, kInUncut = 6, kInList = 3, kInSpare = 7 };

static_assert(alignof(hg_small_cache) >= 8, "the low three bits hold the place");

// Moves the visit to a chain that may be empty; returns its first node or nullptr.
const void *begin_at(hg_free_cursor *cursor, const void *first, std::uintptr_t place) {
  cursor->node = first;
  cursor->place = place;
  return first;
}

const void *first_of_caches(hg_free_cursor *cursor, const SmallCache *cache, unsigned size_class) {
  for (; cache != nullptr; cache = cache->next) {
    const std::uintptr_t at = address_of(cache);
    if (const void *const node = begin_at(cursor, cache->lists[size_class].free, at | kInList)) return node;
    if (const void *const node = begin_at(cursor, cache->spare[size_class], at | kInSpare)) return node;
  }
  return nullptr;
}

// The first node behind the batches.
const void *first_behind_batches(hg_free_cursor *cursor, const CentralNodes &central, unsigned size_class) {
  if (const void *const node = begin_at(cursor, central.loose, kInLoose)) return node;
  if (const void *const node = begin_at(cursor, central.uncut, kInUncut)) return node;
  return first_of_caches(cursor, g_caches.first(), size_class);
}

const void *next_batch(hg_free_cursor *cursor, const CentralNodes &central, const void *batch, unsigned size_class) {
  if (batch != nullptr) return begin_at(cursor, batch, address_of(batch) | kInBatch);
  return first_behind_batches(cursor, central, size_class);
}

}  // namespace

const void *next_free_small_node(const void *owner, hg_free_cursor *cursor) {
  const CentralNodes &central = *static_cast<const CentralNodes *>(owner);
  const unsigned size_class = class_of_central(&central);
  if (cursor->place == 0) return next_batch(cursor, central, central.batches.first(), size_class);
  if (cursor->place == kInUncut) {
    const char *const node = static_cast<const char *>(cursor->node) + size_of_class(size_class);
    const Word visited = static_cast<Word>(node - central.uncut) / size_of_class(size_class);
    if (visited < central.uncut_count) return begin_at(cursor, node, kInUncut);
    return first_of_caches(cursor, g_caches.first(), size_class);
  }
  if (const void *const node = link_of(cursor->node)) {
    cursor->node = node;
    return node;
  }
  if ((cursor->place & 3) == kInBatch) {
    const void *const batch = reinterpret_cast<const void *>(cursor->place & ~std::uintptr_t{3});
    return next_batch(cursor, central, Batches::next(batch), size_class);
  }
  if (cursor->place == kInLoose) {
    if (const void *const node = begin_at(cursor, central.uncut, kInUncut)) return node;
    return first_of_caches(cursor, g_caches.first(), size_class);
  }
  const SmallCache *const cache = reinterpret_cast<const SmallCache *>(cursor->place & ~std::uintptr_t{7});
  if ((cursor->place & 7) == kInList) {
    if (const void *const node = begin_at(cursor, cache->spare[size_class], address_of(cache) | kInSpare)) return node;
  }
  return first_of_caches(cursor, cache->next, size_class);
}

}  // namespace heapglass
