// The lists of a cache, one for each size class, and what every cache with lists does with them (cache.hpp).
#pragma once

#include "base/secret.hpp"
#include "malloc/cached_chunk.hpp"
#include "malloc/hardened.hpp"
#include "malloc/size_classes.hpp"
#include "slab/slabs.hpp"

namespace heapglass {

// A share of the heap, 1/kShare: what may be carved before malloc thinks about its cache again.
inline constexpr Word kShare = 64;
// Of a small heap a share is soon carved by chance, and each aging makes malloc carve what went back. So it is at least so many bytes.
inline constexpr Word kLeastShare = 128 * 1024;

// Heads of lists: one for each class, two for each in hardened builds (malloc.P6).
inline constexpr unsigned kHeads = kLists * kWays;

// The list of the class to take from; an empty one when all are.
[[gnu::always_inline]] inline unsigned list_to_take(void *const *lists, unsigned size_class) {
  if constexpr (!kHardened) return size_class;
  const unsigned list = size_class * kWays;
  return __builtin_expect(lists[list] != nullptr, 1) ? list : list + 1;
}
// The order of reuse: the list for a freed chunk. Each cache has its own, since threads share none.
template <bool kRandom>
struct OrderOfReuse {
  [[gnu::always_inline]] unsigned list_to_put(unsigned size_class) { return size_class; }
  void begin() {}
};
template <>
struct OrderOfReuse<true> {
  [[gnu::always_inline]] unsigned list_to_put(unsigned size_class) { return size_class * kWays + random_bits<1>(state); }
  void begin() { state = g_secret.order ^ address_of(this) * kScatter; }

  Word state;
};
using Order = OrderOfReuse<kHardened>;

[[gnu::always_inline]] inline bool is_slab_block(const void *mem) {
  if constexpr (kSlabs) return g_slab_map.class_at(mem) != 0;
  return false;
}

inline Word bytes_of_chain(const void *mem) {
  Word bytes = 0;
  for (; mem != nullptr && bytes < kMaxRequest; mem = next_cached(mem)) {  // the program may have bent a link
    if constexpr (kHardened) Hardened::check_cached(mem);  // to the end of a segment, which has no bytes
    bytes += size_of_block(mem);
  }
  return bytes;
}

struct CacheLists {
  [[gnu::always_inline]] void *pop(unsigned size_class) {
    const unsigned list = list_to_take(lists, size_class);
    void *const mem = lists[list];
    if (__builtin_expect(mem == nullptr, 0)) return nullptr;
#if HG_HARDENED
    Hardened::check_taken(mem, chunk_of(mem)->head.add(kInUse - kBlockMark), size_class);  // unmarked
    lists[list] = next_cached(mem);
    *words_of(mem) = 0;  // malloc.P7
#else
    lists[list] = next_cached(mem);
    if constexpr (kMarksCached) unmark_cached(chunk_of(mem));
#endif
    return mem;
  }
  // pre: head is the chunk's header word, below kListedBytes
  [[gnu::always_inline]] void put(void *mem, Word head) {
    link(mem, lists[order.list_to_put(class_of_head(head))]);
    if constexpr (kMarksCached) mark_cached(chunk_of(mem), head);
  }
  [[gnu::always_inline]] static void link(void *mem, void *&list) {
    set_next_cached(mem, list);
    list = mem;
  }

  // nullptr: no list of the class has a chunk. What pop gives next, but in hardened builds.
  void *first(unsigned size_class) const {
    void *const *const of_class = &lists[size_class * kWays];
    return kWays == 2 && of_class[0] == nullptr ? of_class[1] : of_class[0];
  }

  void *lists[kHeads];
  [[no_unique_address]] Order order;
};

}  // namespace heapglass
