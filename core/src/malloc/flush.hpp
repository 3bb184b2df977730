// What every flush does with a cached chunk that becomes free; and flushes as operations of the trace, one of its own also
// inside the operation that needed it.
#pragma once

#include "malloc/cache_guard.hpp"
#include "malloc/size_classes.hpp"
#include "trace/probes.hpp"

namespace heapglass {

extern Word g_flushes;  // so far; under the heap's lock

class FlushOperation {
 public:
  explicit FlushOperation(const Heap &heap) : heap_(heap) {
    ++g_flushes;
    HG_PROBE(op_begun, heap_.id(), HG_OP_malloc_flush, nullptr, 0, 0);
  }
  // The bytes of the chunks that went back to the heap.
  Word ended(Word bytes) const {
    HG_PROBE(op_ended, heap_.id(), HG_OP_malloc_flush, nullptr, bytes, HG_STATUS_ok);
    return bytes;
  }

 private:
  [[maybe_unused]] const Heap &heap_;
};

// pre: no list leads to mem any more, and it was checked
inline void note_released(const Heap &heap, void *mem) {
  HG_PROBE(cached_ended, heap.id(), class_of_units(size_of_block(mem) / kAlign), chunk_of(mem), size_of_block(mem), holder_of(mem));
}

}  // namespace heapglass
