// How cached chunks become free again, and flushes as operations of the trace: each is one of its own, also inside the
// operation that needed it.
#pragma once

#include "malloc/cache_guard.hpp"
#include "malloc/size_classes.hpp"
#include "trace/probes.hpp"

namespace heapglass {

extern Word g_flushes;  // that freed something, so far; under the heap's lock

class FlushOperation {
 public:
  explicit FlushOperation(const Heap &heap) : heap_(heap) {
    HG_PROBE(op_begun, heap_.id(), HG_OP_malloc_flush, nullptr, 0, 0);
  }
  // The bytes of the chunks that went back to the heap.
  Word ended(Word bytes) const {
    if (bytes != 0) ++g_flushes;
    HG_PROBE(op_ended, heap_.id(), HG_OP_malloc_flush, nullptr, bytes, HG_STATUS_ok);
    return bytes;
  }

 private:
  [[maybe_unused]] const Heap &heap_;
};

inline constexpr Word kAll = ~Word{0};  // more bytes than any chain has

// The first chunks of a chain become free, joined with their neighbours, until they are so many bytes; their bytes. The chain then
// begins with the next one. Each costs what free costs without a cache.
Word release_chain(Heap &heap, void *&chain, Word at_most = kAll);

}  // namespace heapglass
