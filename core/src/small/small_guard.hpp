// The checked build detects misuse of the small front when a node is taken or returned. Each function returns, or ends the
// program through the failure hook (base/failure.hpp). Other builds call none of them.
//
//   foreign_pointer     not inside the default heap, or not in a span of the front
//   misaligned_pointer  in a span, but no node begins there
//   foreign_node        in a span of another class than the caller states (the C++ functions derive the class from the type)
//   double_free         the node is free already
//   damaged_link        the next node of a free list is no node of the class: a free node was written to
//
// A returned node is filled with kReturnedByte behind its two links, a taken node with kTakenByte. So one word rules out most
// double frees; a visit of the class's free nodes rules out the rest.
#pragma once

#include "base/failure.hpp"
#include "heap/heap.hpp"

namespace heapglass {

void guard_span_of(const Heap *heap, const void *mem);                                // whether it lies in a span
void guard_returned_small(const Heap *heap, unsigned size_class, void *node);         // checks, then fills
void guard_taken_small(const Heap *heap, unsigned size_class, void *node);            // pre: its link is still there

}  // namespace heapglass
