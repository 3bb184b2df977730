// The red-black tree of free_count_tree.hpp. Missing children are nullptr and count as black. There is no sentinel node, so the
// repair after a removal gets the parent of the position that lost a black node.
#include "pool/free_count_tree.hpp"

namespace heapglass {
namespace {

bool is_red(const FreeCountLink *link) { return link != nullptr && link->red != 0; }

FreeCountLink *leftmost(FreeCountLink *link) {
  while (link->left != nullptr) link = link->left;
  return link;
}

FreeCountLink *rightmost(FreeCountLink *link) {
  while (link->right != nullptr) link = link->right;
  return link;
}

}  // namespace

FreeCountLink *FreeCountTree::next(const FreeCountLink *link) {
  if (link->right != nullptr) return leftmost(link->right);
  FreeCountLink *parent = link->parent;
  while (parent != nullptr && link == parent->right) {
    link = parent;
    parent = parent->parent;
  }
  return parent;
}

FreeCountLink *FreeCountTree::previous(const FreeCountLink *link) {
  if (link->left != nullptr) return rightmost(link->left);
  FreeCountLink *parent = link->parent;
  while (parent != nullptr && link == parent->left) {
    link = parent;
    parent = parent->parent;
  }
  return parent;
}

FreeCountLink *FreeCountTree::last() const { return root_ == nullptr ? nullptr : rightmost(root_); }

FreeCountLink *FreeCountTree::last_below(uint32_t free_nodes) const {
  FreeCountLink *below = nullptr;
  for (FreeCountLink *link = root_; link != nullptr;) {
    if (link->free_nodes < free_nodes) {
      below = link;
      link = link->right;
    } else {
      link = link->left;
    }
  }
  return below;
}

void FreeCountTree::insert(FreeCountLink *link) {
  FreeCountLink *parent = nullptr;
  FreeCountLink **place = &root_;
  bool is_first = true;
  while (*place != nullptr) {
    parent = *place;
    if (parent->free_nodes < link->free_nodes) {
      place = &parent->right;
      is_first = false;
    } else {
      place = &parent->left;
    }
  }
  link->parent = parent;
  link->left = nullptr;
  link->right = nullptr;
  link->red = 1;
  *place = link;
  if (is_first) first_ = link;
  repair_after_insert(link);
}

void FreeCountTree::repair_after_insert(FreeCountLink *link) {
  while (is_red(link->parent)) {
    FreeCountLink *parent = link->parent;
    FreeCountLink *grandparent = parent->parent;  // exists: a red node is never the root
    const bool on_left = parent == grandparent->left;
    FreeCountLink *uncle = on_left ? grandparent->right : grandparent->left;
    if (is_red(uncle)) {
      parent->red = 0;
      uncle->red = 0;
      grandparent->red = 1;
      link = grandparent;
      continue;
    }
    if (on_left) {
      if (link == parent->right) {
        rotate_left(parent);
        parent = link;
      }
      rotate_right(grandparent);
    } else {
      if (link == parent->left) {
        rotate_right(parent);
        parent = link;
      }
      rotate_left(grandparent);
    }
    parent->red = 0;
    grandparent->red = 1;
    break;
  }
  root_->red = 0;
}

void FreeCountTree::remove(FreeCountLink *link) {
  if (link == first_) first_ = next(link);
  FreeCountLink *child;         // moves into the position that disappears; may be nullptr
  FreeCountLink *child_parent;  // its parent then
  bool black_lost;
  if (link->left != nullptr && link->right != nullptr) {
    FreeCountLink *heir = leftmost(link->right);  // takes link's position and colour
    black_lost = heir->red == 0;
    child = heir->right;
    child_parent = heir->parent;
    if (child_parent == link) {
      child_parent = heir;
    } else {
      replace(heir, child);
      heir->right = link->right;
      heir->right->parent = heir;
    }
    replace(link, heir);
    heir->left = link->left;
    heir->left->parent = heir;
    heir->red = link->red;
  } else {
    child = link->left != nullptr ? link->left : link->right;
    child_parent = link->parent;
    black_lost = link->red == 0;
    replace(link, child);
  }
  if (black_lost) repair_after_remove(child, child_parent);
}

// pre: every path through `link` (a child of `parent`, may be nullptr) has one black node too few
void FreeCountTree::repair_after_remove(FreeCountLink *link, FreeCountLink *parent) {
  while (parent != nullptr && !is_red(link)) {
    const bool on_left = link == parent->left;
    FreeCountLink *sibling = on_left ? parent->right : parent->left;  // exists: the other side has one black node more
    if (is_red(sibling)) {
      sibling->red = 0;
      parent->red = 1;
      if (on_left) rotate_left(parent); else rotate_right(parent);
      sibling = on_left ? parent->right : parent->left;
    }
    FreeCountLink *outer = on_left ? sibling->right : sibling->left;
    FreeCountLink *inner = on_left ? sibling->left : sibling->right;
    if (!is_red(outer) && !is_red(inner)) {
      sibling->red = 1;
      link = parent;
      parent = parent->parent;
      continue;
    }
    if (!is_red(outer)) {
      inner->red = 0;
      sibling->red = 1;
      if (on_left) rotate_right(sibling); else rotate_left(sibling);
      outer = sibling;
      sibling = inner;
    }
    sibling->red = parent->red;
    parent->red = 0;
    outer->red = 0;
    if (on_left) rotate_left(parent); else rotate_right(parent);
    return;
  }
  if (link != nullptr) link->red = 0;
}

// Replaces old_link by new_link (may be nullptr) in its parent. The caller sets the children.
void FreeCountTree::replace(FreeCountLink *old_link, FreeCountLink *new_link) {
  FreeCountLink *parent = old_link->parent;
  if (parent == nullptr) root_ = new_link;
  else if (parent->left == old_link) parent->left = new_link;
  else parent->right = new_link;
  if (new_link != nullptr) new_link->parent = parent;
}

void FreeCountTree::rotate_left(FreeCountLink *link) {
  FreeCountLink *riser = link->right;
  replace(link, riser);
  link->right = riser->left;
  if (link->right != nullptr) link->right->parent = link;
  riser->left = link;
  link->parent = riser;
}

void FreeCountTree::rotate_right(FreeCountLink *link) {
  FreeCountLink *riser = link->left;
  replace(link, riser);
  link->left = riser->right;
  if (link->left != nullptr) link->left->parent = link;
  riser->right = link;
  link->parent = riser;
}

const char *FreeCountTree::check(size_t *count) const {
  *count = 0;
  if (root_ == nullptr) return first_ == nullptr ? nullptr : "tree.T5 a first block without a tree";
  if (root_->parent != nullptr || root_->red != 0) return "tree.T4 the root has a parent or is red";
  if (first_ != leftmost(root_)) return "tree.T5 the stored first block is not leftmost";
  size_t black_height = 0;  // of the leftmost path; all other paths must have the same
  for (const FreeCountLink *link = first_; link != nullptr; link = link->parent) black_height += link->red == 0;
  const FreeCountLink *before = nullptr;
  for (const FreeCountLink *link = first_; link != nullptr; link = next(link)) {
    if (before != nullptr && before->free_nodes > link->free_nodes) return "tree.T3 free counts fall in tree order";
    if (link->left != nullptr && link->left->parent != link) return "tree.T4 a left child names another parent";
    if (link->right != nullptr && link->right->parent != link) return "tree.T4 a right child names another parent";
    if (link->red != 0 && (is_red(link->left) || is_red(link->right))) return "tree.T4 a red block has a red child";
    if (link->left == nullptr || link->right == nullptr) {
      size_t blacks = 0;
      for (const FreeCountLink *up = link; up != nullptr; up = up->parent) blacks += up->red == 0;
      if (blacks != black_height) return "tree.T4 ways of unequal black height";
    }
    before = link;
    ++*count;
  }
  return nullptr;
}

}  // namespace heapglass
