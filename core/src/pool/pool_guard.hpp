// Misuse of pools, found by the checked build when a node is taken or returned. Each function ends the program through
// the failure hook (base/failure.hpp) or returns. None is called in other builds.
//
//   foreign_node   not inside a block of this pool, or not where a node begins
//   damaged_block  inside a block of this pool whose header or back word was overwritten
//   double_free    the node is on a free list already
//   damaged_link   the next node of a free list is no node: a free node was written to
//
// A returned node is filled with kReturnedByte behind its link, a taken one with kTakenByte. The filling makes most
// double returns cheap to rule out: a node of two words or more whose second word is not filled cannot be free.
#pragma once

#include "base/failure.hpp"
#include "pool/pool.hpp"

namespace heapglass {

inline constexpr unsigned char kTakenByte = 0xa5;  // the heap's patterns: heap/guard.hpp
inline constexpr unsigned char kReturnedByte = 0xdd;

// pre: node was just taken and its link is still there. Fills it.
void guard_taken_node(const Pool *pool, void *node);
void guard_returned_node(const Pool *pool, const void *node);
void fill_returned_node(const Pool *pool, void *node);

}  // namespace heapglass
