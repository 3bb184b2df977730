// Misuse of the small front, found by the checked build when a node is taken or given back. Each function ends the
// program through the failure hook (base/failure.hpp) or returns. None is called in other builds.
//
//   foreign_pointer     not inside the default heap, or not in a span of the front
//   misaligned_pointer  in a span, but no node begins there
//   foreign_node        in a span of another class than the caller says (the C++ functions know the class by type)
//   double_free         the node is free already
//   damaged_link        the next node of a free list is no node of the class: a free node was written to
//
// A returned node is filled with kReturnedByte behind its two links, a taken one with kTakenByte, so that most double
// frees are ruled out by one word; the others by a visit of the class's free nodes.
#pragma once

#include "base/failure.hpp"
#include "heap/heap.hpp"

namespace heapglass {

void guard_span_of(const Heap *heap, const void *mem);                                // is there a span around it?
void guard_returned_small(const Heap *heap, unsigned size_class, void *node);         // checks, then fills
void guard_taken_small(const Heap *heap, unsigned size_class, void *node);            // pre: its link is still there

}  // namespace heapglass
