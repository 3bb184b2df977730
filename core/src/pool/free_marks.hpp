// Which nodes of a block are free: one bit a node, gathered by going once through the list that holds the block's free
// nodes. Free nodes do not say of themselves that they are free (pool.B4: all they have is a link), so whoever must know it of
// many nodes in address order, the walk and the checks, marks them first. Every kind is asked through next_free (pool.B5).
//
// The bits are on the stack and nothing is allocated; blocks of more than kMarks nodes are marked part by part. Adaptive:
// the list is the block's own, O(nodes). Listed: it is the pool's, O(free nodes of the pool) for each block.
#pragma once

#include "pool/pool.hpp"

namespace heapglass {

inline constexpr uint32_t kMarks = 4096;

struct FreeMarks {
  uint32_t first;  // the node that bit 0 is for
  uint32_t count;  // bits set
  bool damaged;    // the list names something that is no node, or a node twice, or does not end
  uint32_t bits[kMarks / 32];

  bool covers(uint32_t node) const { return node - first < kMarks; }
  // pre: covers(node)
  bool is_free(uint32_t node) const { return (bits[(node - first) / 32] >> ((node - first) % 32) & 1) != 0; }
};

// Marks the free ones among nodes first .. first + kMarks - 1 of the block.
void mark_free_nodes(const Pool *pool, const void *block, uint32_t first, FreeMarks *marks);

// Traced builds: writes node_returned for every node of the block that is in use, as if each were returned, when the
// block is about to go while nodes are in use. free_nodes: how many are free (listed: not used).
void tell_nodes_returned(const Pool *pool, const void *block, uint32_t free_nodes);

// A visit of the list that the free nodes of a block are on.
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
// How many nodes a sound list has at most.
size_t free_list_limit(const Pool *pool);
// The length of a listed pool's list; limit + 1 when it does not end.
size_t count_listed_free_nodes(const Pool *pool);

}  // namespace heapglass
