// The insides of cached chunks, for a copy of the program that leaves out what nobody reads (a snapshot).
//
//   cached chunk   | header | link | nobody reads this | header of the next chunk
//
//  cached_pages.P1  Only a cache of one thread lists them: the lists of other threads change meanwhile, and builds with probes keep the
//      holder there. A copy that is taken without them is larger, and as good.
//  cached_pages.P2  The checked build lists none, as in free_pages.P3: it has probes.
#include "malloc/cached_pages.hpp"

#include <concepts>

#include "heap/free_pages.hpp"
#include "malloc/cache.hpp"

namespace heapglass {

namespace {

template <class C>
const void *next_of_all(const C &cache, Word *cursor) {
  if constexpr (std::same_as<C, SoloCache>) return cache.next_of_all(cursor);
  return nullptr;  // cached_pages.P1
}

}  // namespace

Word list_cached_pages(Word page_bytes, Word *cursor, Word *runs, Word capacity) {
  if (!is_power_of_two(page_bytes) || page_bytes < kWord) return 0;
  Word count = 0;
  while (count < capacity) {
    const void *const mem = next_of_all(my_cache(), cursor);
    if (mem == nullptr) break;
    if (is_slab_block(mem)) continue;
    const std::uintptr_t end = address_of(chunk_of(mem)) + size_of_block(mem);
    const PageRun run = whole_pages(address_of(mem) + kWord, end, page_bytes);
    if (run.bytes == 0) continue;
    runs[2 * count] = run.address;
    runs[2 * count + 1] = run.bytes;
    ++count;
  }
  return count;
}

}  // namespace heapglass
