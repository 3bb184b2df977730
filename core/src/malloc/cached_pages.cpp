// The insides of cached chunks, for a copy of the program that leaves out what nobody reads (a snapshot).
//
//   cached chunk   | header | link | nobody reads this | header of the next chunk
//   slab           | words | in use | free: nobody reads this | in use | ...
//
//  cached_pages.P1  Only a cache of one thread lists them: the lists of other threads change meanwhile, and builds with probes keep the
//      holder there. A copy that is taken without them is larger, and as good.
//  cached_pages.P2  The checked build lists none, as in free_pages.P3: it has probes.
//  cached_pages.P3  Hardened builds list what is free in slabs, whose codes prove it (malloc.P12), and no cached chunk: a link that was bent leads to a live
//      block, or round. Who takes a copy flushes the cache before.
#include "malloc/cached_pages.hpp"

#include <concepts>

#include "heap/free_pages.hpp"
#include "malloc/cache.hpp"

namespace heapglass {

namespace {

// The next bytes that nobody reads; false after the last. cursor: that of next_of_all, and behind all lists a place of next_free_run.
template <class C>
bool next_unread(const C &cache, Word *cursor, std::uintptr_t *begin, std::uintptr_t *end) {
  if constexpr (!std::same_as<C, SoloCache>) return false;  // cached_pages.P1
  else {
    constexpr Word kFirstSlab = C::kAllLists + 2;
    while (cursor[0] < kFirstSlab) {
      const void *const mem = kHardened ? nullptr : cache.next_of_all(cursor);  // cached_pages.P3
      if (mem == nullptr) {
        cursor[0] = kFirstSlab;
        cursor[1] = 0;
      } else if (!is_slab_block(mem)) {
        *begin = address_of(mem) + kWord;
        *end = address_of(chunk_of(mem)) + size_of_block(mem);
        return true;
      }
    }
    if constexpr (!kSlabs) return false;
    Word place[2] = {cursor[0] - kFirstSlab, cursor[1]};
    const bool found = g_slabs.next_free_run(place, begin, end);
    cursor[0] = kFirstSlab + place[0];
    cursor[1] = place[1];
    return found;
  }
}

}  // namespace

Word list_cached_pages(Word page_bytes, Word *cursor, Word *runs, Word capacity) {
  if (!is_power_of_two(page_bytes) || page_bytes < kWord) return 0;
  Word count = 0;
  std::uintptr_t begin = 0, end = 0;
  while (count < capacity && next_unread(my_cache(), cursor, &begin, &end)) {
    const PageRun run = whole_pages(begin, end, page_bytes);
    if (run.bytes == 0) continue;
    runs[2 * count] = run.address;
    runs[2 * count + 1] = run.bytes;
    ++count;
  }
  return count;
}

}  // namespace heapglass
