// Structures of nodes that are linked through the blocks themselves: lists, queues, trees, and tables with chains.
// They are freed by traversal, so that each free reads memory that the program had to read anyway.
//
//   N1  A node is a block whose first four words are a Node; its payload, if any, is a block of the phase's sizes (at
//       least 16 bytes, for its own Block).
//   N2  A node's value is its block's tag; it goes into the checksum when the node is freed.
#pragma once

#include <new>

#include "worker.hpp"

/// Blocks whose last word lies behind what was written over their first words are verified there.
inline void verify_last(const void *mem, std::uint32_t size, std::uint32_t tag) {
  std::uint32_t last;
  std::memcpy(&last, static_cast<const unsigned char *>(mem) + size - 4, 4);
  if (last != ~tag) fail("a node was damaged");
}

inline Block *take_payload(Worker &worker) {
  const std::uint32_t size = worker.next_size();
  const Block block = worker.take(size < kLeastNode ? kLeastNode : size);
  return new (block.mem) Block(block);
}

/// A queue's nodes are of the phase's sizes, all others of the side's.
inline Node *take_node(Worker &worker, const Side &side) {
  const std::uint32_t drawn = side.kind == Kind::queues ? worker.next_size() : side.node_size;
  const Block block = worker.take(drawn < kLeastNode ? kLeastNode : drawn);
  Node *const node = new (block.mem) Node{};
  node->value = block.tag;
  if (side.kind != Kind::trees) node->size = block.size;
  if (side.payload) node->payload = take_payload(worker);
  return node;
}

inline void give_node(Worker &worker, const Side &side, Node *node) {
  if (node->payload != nullptr) {
    const Block block = *node->payload;
    verify_last(block.mem, block.size, block.tag);
    worker.sum += block.tag;
    worker.give_written(block.mem, block.size);
  }
  const std::uint32_t size = side.kind == Kind::trees ? side.node_size : node->size;
  if (size >= kLeastNode + 4) verify_last(node, size, node->value);
  worker.sum += node->value;
  worker.give_written(node, size);
}

inline void end_list(Worker &worker, const Side &side, SideState &state, std::uint32_t at) {
  for (Node *node = state.first[at]; node != nullptr;) {
    Node *const next = node->next;
    give_node(worker, side, node);
    node = next;
  }
  state.first[at] = state.last[at] = nullptr;
  state.counts[at] = 0;
}

inline void push_back(SideState &state, std::uint32_t at, Node *node) {
  if (state.last[at] == nullptr) state.first[at] = node;
  else state.last[at]->next = node;
  state.last[at] = node;
}

/// A random list gets a node; one of `most` nodes is freed.
inline void step_list(Worker &worker, const Side &side, SideState &state) {
  const std::uint32_t at = worker.below(side.at_once);
  if (state.counts[at] >= side.most) return end_list(worker, side, state, at);
  Node *const node = take_node(worker, side);
  ++state.counts[at];
  if (side.from_back) return push_back(state, at, node);
  node->next = state.first[at];
  state.first[at] = node;
}

/// A random queue gets a message; above `most`, a quarter of them leave it.
inline void step_queue(Worker &worker, const Side &side, SideState &state) {
  const std::uint32_t at = worker.below(side.at_once);
  push_back(state, at, take_node(worker, side));
  if (++state.counts[at] < side.most) return;
  for (std::uint32_t left = side.most / 4; left > 0; --left) {
    Node *const node = state.first[at];
    state.first[at] = node->next;
    --state.counts[at];
    give_node(worker, side, node);
  }
}

/// Frees a tree: parents before children, or after them.
inline void end_tree(Worker &worker, const Side &side, SideState &state, std::uint32_t at) {
  Node *next[kMostDepth + 2], *parents[kMostDepth + 2];
  std::uint32_t depth = 0;
  next[0] = state.first[at];
  for (;;) {
    Node *const node = next[depth];
    if (node == nullptr) {
      if (depth == 0) break;
      if (side.from_back) give_node(worker, side, parents[depth]);
      --depth;
      continue;
    }
    next[depth] = node->next;
    next[depth + 1] = node->child;
    parents[depth + 1] = node;
    ++depth;
    if (!side.from_back) give_node(worker, side, node);
  }
  state.first[at] = nullptr;
  state.counts[at] = state.depth[at] = 0;
}

/// A random tree gets a node under the open one; the way down opens and closes at random, as a parser's does.
inline void step_tree(Worker &worker, const Side &side, SideState &state) {
  const std::uint32_t at = worker.below(side.at_once);
  if (state.counts[at] >= side.most) return end_tree(worker, side, state, at);
  Node *const node = take_node(worker, side);
  std::uint32_t &depth = state.depth[at];
  Node *&first = depth == 0 ? state.first[at] : state.open[at][depth - 1]->child;
  node->next = first;
  first = node;
  ++state.counts[at];
  const std::uint32_t drawn = worker.below(16);
  if (drawn < 6 && depth < kMostDepth) state.open[at][depth++] = node;
  else if (drawn < 11 && depth > 0) --depth;
}

inline void end_table(Worker &worker, const Side &side, SideState &state, std::uint32_t at) {
  for (std::uint32_t i = 0; i < state.capacities[at]; ++i) {
    for (Node *node = state.buckets[at][i]; node != nullptr;) {
      Node *const next = node->next;
      give_node(worker, side, node);
      node = next;
    }
  }
  if (state.buckets[at] != nullptr) worker.give_written(state.buckets[at], state.capacities[at] * sizeof(Node *));
  state.buckets[at] = nullptr;
  state.counts[at] = state.capacities[at] = 0;
}

inline Node **bucket_of(Node **buckets, std::uint32_t capacity, std::uint32_t value) {
  return &buckets[(value * 0x9e3779b1u >> 8) & (capacity - 1)];
}

/// The new table comes before the old one goes.
inline void double_table(Worker &worker, SideState &state, std::uint32_t at) {
  constexpr std::uint32_t kFirst = 8;
  const std::uint32_t before = state.capacities[at], capacity = before == 0 ? kFirst : before * 2;
  auto **const buckets = static_cast<Node **>(worker.take_zeroed(capacity * sizeof(Node *)));
  for (std::uint32_t i = 0; i < before; ++i) {
    for (Node *node = state.buckets[at][i]; node != nullptr;) {
      Node *const next = node->next;
      Node **const bucket = bucket_of(buckets, capacity, node->value);
      node->next = *bucket;
      *bucket = node;
      node = next;
    }
  }
  if (before != 0) worker.give_written(state.buckets[at], before * sizeof(Node *));
  state.buckets[at] = buckets;
  state.capacities[at] = capacity;
}

/// A random table gets an entry; one of `most` entries is freed.
inline void step_table(Worker &worker, const Side &side, SideState &state) {
  const std::uint32_t at = worker.below(side.at_once);
  if (state.counts[at] >= side.most) return end_table(worker, side, state, at);
  if (state.counts[at] >= state.capacities[at]) double_table(worker, state, at);
  Node *const node = take_node(worker, side);
  Node **const bucket = bucket_of(state.buckets[at], state.capacities[at], node->value);
  node->next = *bucket;
  *bucket = node;
  ++state.counts[at];
}
