// Blocks ordered by their number of free nodes: an intrusive red-black tree (Guibas and Sedgewick 1978; Cormen et al., chapter
// 13). It stores its first node, because an adaptive pool always takes from the fullest block.
//
// Why a tree: nodes return in any order, so a block's count may pass the counts of many others at once. Ordering must cost
// O(log blocks) at worst, and nothing in the usual case that the order does not change:
//
//   tree.T1  Taking a node from the first block keeps it first: its count was the least and has become smaller.
//   tree.T2  Returning a node moves a block only when the next block in order then has fewer free nodes.
//   tree.T3  In-order counts never fall. A block is inserted before other blocks of the same count.
//   tree.T4  No red node has a red parent, every path from the root to a missing child passes equally many black nodes, and the
//       root is black. Hence height <= 2 log2(blocks + 1).
//   tree.T5  first() is the leftmost node.
//
// A block outside the tree may use the three pointers of its link for other purposes: an adaptive pool links its full blocks
// through them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapglass {

struct FreeCountLink {
  FreeCountLink *parent;     // nullptr at the root
  FreeCountLink *left;
  FreeCountLink *right;
  uint32_t free_nodes;  // the key; changes only outside a tree, or where tree.T3 still holds afterwards
  uint32_t red;         // 1 or 0: black
};

class FreeCountTree {
 public:
  FreeCountLink *first() const { return first_; }
  bool empty() const { return first_ == nullptr; }

  // pre: link is in no tree; its free_nodes is set. O(log n).
  void insert(FreeCountLink *link);
  // pre: link is in this tree. O(log n).
  void remove(FreeCountLink *link);

  // In-order neighbours, nullptr at the ends. O(log n), amortised O(1) over a whole traversal.
  static FreeCountLink *next(const FreeCountLink *link);
  static FreeCountLink *previous(const FreeCountLink *link);
  FreeCountLink *last() const;
  // The last block with fewer than `free_nodes` free nodes. insert() puts a block of that count behind it.
  FreeCountLink *last_below(uint32_t free_nodes) const;

  // nullptr when tree.T3, tree.T4 and tree.T5 hold and `count` is the number of blocks; else the name of the broken rule. O(n).
  const char *check(size_t *count) const;

 private:
  void rotate_left(FreeCountLink *link);
  void rotate_right(FreeCountLink *link);
  void replace(FreeCountLink *old_link, FreeCountLink *new_link);
  void repair_after_insert(FreeCountLink *link);
  void repair_after_remove(FreeCountLink *link, FreeCountLink *parent);

  FreeCountLink *root_ = nullptr;
  FreeCountLink *first_ = nullptr;
};

}  // namespace heapglass
