// See flush.hpp.
#include "malloc/flush.hpp"

namespace heapglass {

Word release_chain(Heap &heap, void *&chain, Word at_most) {
  Word bytes = 0;
  while (chain != nullptr && bytes < at_most) {
    void *const mem = chain;
    CacheGuard::check_cached(heap, mem);
    chain = next_cached(mem);
    forget_words(mem, kWord);  // malloc.P7
    const Word size = size_of_block(mem);
    bytes += size;
    HG_PROBE(cached_ended, heap.id(), list_in_events(size), chunk_of(mem), size, holder_of(mem));
    if constexpr (kMarksCached) unmark_cached(chunk_of(mem));
    heap.release_chunk(chunk_of(mem));
  }
  return bytes;
}

}  // namespace heapglass
