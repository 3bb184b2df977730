// The checked build detects misuse of pools when a node is taken or returned. Each function returns, or ends the program through
// the failure hook (base/failure.hpp). Other builds call none of them.
//
//   foreign_node   not inside a block of this pool, or not where a node begins
//   damaged_block  inside a block of this pool, but its header or back word was overwritten
//   double_free    the node is on a free list already
//   damaged_link   the next node of a free list is no node: a free node was written to
//
// A returned node is filled with kReturnedByte behind its link, a taken node with kTakenByte. A node of two words or more whose
// second word is not filled cannot be free, so most returns need no search for a double return.
#pragma once

#include "base/failure.hpp"
#include "pool/pool.hpp"

namespace heapglass {

inline constexpr unsigned char kTakenByte = 0xa5;  // the heap's patterns: heap/guard.hpp
inline constexpr unsigned char kReturnedByte = 0xdd;

// pre: the node was just taken and still contains its link. Fills it.
void guard_taken_node(const Pool *pool, void *node);
void guard_returned_node(const Pool *pool, const void *node);
void fill_returned_node(const Pool *pool, void *node);
// The checked build stores the address of every pool by its id. nullptr: it has ended
void note_pool(uint32_t id, const Pool *pool);
bool is_made(const Pool *pool);  // and has not ended

}  // namespace heapglass
