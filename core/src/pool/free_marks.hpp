// Marks the free nodes of a block: one bit for each node, set in one pass over the list that holds the block's free nodes. A free
// node contains nothing but a link (pool.B4), so the walk and the checks, which visit nodes in address order, mark them first.
// Pools of every kind list their free nodes through next_free (pool.B5).
//
// The bits are on the stack and nothing is allocated; blocks of more than kMarks nodes are marked in parts. An adaptive block has
// a list of its own: O(nodes). Listed pools have one list: O(free nodes of the pool) for each block.
#pragma once

#include "pool/pool.hpp"

namespace heapglass {

inline constexpr uint32_t kMarks = 4096;

struct FreeMarks {
  uint32_t first;  // the node of bit 0
  uint32_t count;  // bits set
  bool damaged;    // the list contains something that is no node, or a node twice, or does not end
  uint32_t bits[kMarks / 32];

  bool covers(uint32_t node) const { return node - first < kMarks; }
  // pre: covers(node)
  bool is_free(uint32_t node) const { return (bits[(node - first) / 32] >> ((node - first) % 32) & 1) != 0; }
};

// Marks the free nodes among nodes first .. first + kMarks - 1 of the block.
void mark_free_nodes(const Pool *pool, const void *block, uint32_t first, FreeMarks *marks);

// Traced builds, before a block with nodes in use is released: writes node_returned for each of them. free_nodes: the number
// of free nodes (not used for listed pools).
void report_nodes_returned(const Pool *pool, const void *block, uint32_t free_nodes);

// Visits the list that holds a block's free nodes.
class FreeNodes {
 public:
  FreeNodes(const Pool *pool, const void *block)
      : next_free_(pool->next_free), owner_(is_adaptive(pool) ? block : pool->listed.owner) {}
  const void *next() { return next_free_(owner_, &cursor_); }  // nullptr after the last

 private:
  const hg_next_free next_free_;
  const void *const owner_;
  hg_free_cursor cursor_ = {};
};
// The most nodes that a sound list can have.
size_t free_list_limit(const Pool *pool);
// The length of a listed pool's list; limit + 1 when it does not end.
size_t count_listed_free_nodes(const Pool *pool);

}  // namespace heapglass
