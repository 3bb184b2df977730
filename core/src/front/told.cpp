// The front's operations in builds with probes: the same steps in the same order as the fast paths, with what happened
// written down; and, in the checked build, with proofs of what callers give back and of what lists give out.
#include "front/front.hpp"
#include "front/held.hpp"
#include "front/held_guard.hpp"
#include "trace/probes.hpp"

namespace heapglass {

void *allocate_told(Heap &heap, Word request) {
  const Word asked = rounded(request);
  void *const mem = take_cached(asked, heap.id());
  if (mem == nullptr) return take_from_heap(heap, asked);
  HG_PROBE(op_begun, heap.id(), HG_OP_allocate, nullptr, request, 0);
  HeldGuard::check_waiting(heap, mem);
  unmark_held(mem);
  HG_PROBE(chunk_reused, heap.id(), list_of_units(units_of(chunk_of(mem))), chunk_of(mem), held_size(mem), request);
  HeldGuard::fill_new(mem);
  heap.set_status(HG_STATUS_ok);
  HG_PROBE(op_ended, heap.id(), HG_OP_allocate, mem, Heap::usable_size(mem), HG_STATUS_ok);
  return mem;
}

void deallocate_told(Heap &heap, void *mem) {
  HeldGuard::check_returned(heap, mem);
  HG_PROBE(op_begun, heap.id(), HG_OP_deallocate, mem, 0, 0);
  HeldGuard::fill_freed(mem);
  if (give_cached(mem, heap.id())) {
    mark_held(mem, thread_number());
    HG_PROBE(chunk_held, heap.id(), list_of_units(units_of(chunk_of(mem))), chunk_of(mem), held_size(mem), thread_number());
    heap.set_status(HG_STATUS_ok);
  } else {
    heap.deallocate(mem);
  }
  HG_PROBE(op_ended, heap.id(), HG_OP_deallocate, nullptr, 0, HG_STATUS_ok);
}

}  // namespace heapglass
