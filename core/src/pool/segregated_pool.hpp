// Simple segregated storage: blocks cut into nodes, and one list of free nodes.
//
//   blocks -> +------+------+--------+--------+-- ...     free -> a node -> a node in another block -> ... -> nullptr
//             | next | pool | node 0 | node 1 |
//             +------+------+--------+--------+-- ...
//
//   segregated.G1  every free node is on the list from `free` exactly once; the length of the list is nodes_free.
//   segregated.G2  only trim and destroy release blocks.
//
// This is the fastest and smallest pool, and it keeps all its memory: a node does not know its block, so finding entirely free
// blocks takes O(blocks * free nodes).
#pragma once

#include "pool/pool.hpp"
#include "pool/pool_guard.hpp"
#include "trace/probes.hpp"

namespace heapglass {

// Adds a block and puts its nodes in front of the list. False when out of memory.
bool add_segregated_block(Pool *pool);

inline void *segregated_allocate(Pool *pool) {
  ListedState &state = pool->listed;
  if (state.free == nullptr && !add_segregated_block(pool)) return nullptr;
  FreeNode *node = state.free;
  state.free = node->next;
  --pool->nodes_free;
  HG_PROBE(node_taken, pool->heap->id(), pool->id, node, nullptr, 0);
  if constexpr (kChecked) guard_taken_node(pool, node);
  return node;
}

inline void segregated_deallocate(Pool *pool, void *mem) {
  if constexpr (kChecked) {
    guard_returned_node(pool, mem);
    fill_returned_node(pool, mem);
  }
  FreeNode *node = static_cast<FreeNode *>(mem);
  node->next = pool->listed.free;
  pool->listed.free = node;
  ++pool->nodes_free;
  HG_PROBE(node_returned, pool->heap->id(), pool->id, node, nullptr, 0);
}

// For Pool::next_free: `owner` is ListedState::free, which is why ListedState::owner is its address.
const void *next_segregated_free(const void *owner, hg_free_cursor *cursor);

size_t segregated_burst(Pool *pool, size_t count, hg_chain *chain);
void segregated_burst_deallocate(Pool *pool, hg_chain *chain);
size_t segregated_trim(Pool *pool);
void segregated_destroy(Pool *pool);

}  // namespace heapglass
