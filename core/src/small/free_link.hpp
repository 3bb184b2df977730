// The link between free nodes is their first word. It is copied, not dereferenced: a node of 20 bytes lies at a multiple of 4
// (small.F2).
//
//   a batch (central.hpp)                              the next batch
//   +------+------------+--- ...                       +------+------------+--- ...
//   | next | next batch -----------------------------> | next | next batch
//   +--|---+------------+--- ...                       +--|---+------------+--- ...
//      v                                                  v
//   | next | ... -> nullptr
#pragma once

#include "base/address.hpp"

namespace heapglass {

inline void *link_of(const void *node) {
  void *next;
  __builtin_memcpy(&next, node, sizeof next);
  return next;
}
inline void set_link(void *node, void *next) { __builtin_memcpy(node, &next, sizeof next); }

}  // namespace heapglass
