// Links between free nodes. Copied, not dereferenced: a node of 20 bytes lies at a multiple of 4 (small.h, F2).
//
//   a list                a batch                              the next batch
//   +------+---- ...      +------+------------+--- ...         +------+------------+--- ...
//   | next |              | next | next batch --------------->  | next | next batch
//   +------+---- ...      +--|---+------------+--- ...         +--|---+------------+
//                            v a node: | next | ... -> nullptr    v
#pragma once

#include "base/address.hpp"

namespace heapglass {

inline void *link_of(const void *node) {
  void *next;
  __builtin_memcpy(&next, node, sizeof next);
  return next;
}
inline void set_link(void *node, void *next) { __builtin_memcpy(node, &next, sizeof next); }

inline void *batch_link_of(const void *batch) { return link_of(at_offset<void>(batch, kWord)); }
inline void set_batch_link(void *batch, void *next) { set_link(at_offset<void>(batch, kWord), next); }

}  // namespace heapglass
