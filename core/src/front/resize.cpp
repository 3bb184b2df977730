// Changing the size of a block: in place when the heap can, else moved.
#include "front/front.hpp"
#include "trace/probes.hpp"

namespace heapglass {

void *front_reallocate(Heap &heap, void *mem, Word request) {
  HG_PROBE(op_begun, heap.id(), HG_OP_reallocate, mem, request, 0);
  void *result = heap.reallocate_in_place(mem, request);
  if (result == nullptr && heap.status() == HG_STATUS_cannot_expand) {
    result = allocate_told(heap, request);
    if (result != nullptr) {
      __builtin_memcpy(result, mem, Heap::usable_size(mem));  // in place failed, so the request is the larger
      deallocate_told(heap, mem);
    }
  }
  HG_PROBE(op_ended, heap.id(), HG_OP_reallocate, result, Heap::usable_size(result), heap.status());
  return result;
}

}  // namespace heapglass
