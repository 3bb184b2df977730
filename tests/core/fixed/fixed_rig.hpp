// What the tests of fixed-block managers share: the walk compared with the nodes a test holds, and a reader of pool events
// written from event.h alone, that refuses a node taken twice or returned when it is free.
#pragma once

#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "pool/pool_rig.hpp"
#include "support/event_words.hpp"

namespace fixed_tests {

using pool_tests::at;
using pool_tests::picture_of;
using pool_tests::TestHeap;

inline std::set<uint32_t> offsets_of(const std::set<void *> &nodes) {
  std::set<uint32_t> offsets;
  for (const void *node : nodes) offsets.insert(at(node));
  return offsets;
}

// The walk shows exactly these nodes in use, and all invariants hold.
inline void expect_in_use(const hg_heap *heap, const std::set<void *> &nodes) {
  ASSERT_STREQ(hg_heap_check(heap), nullptr);
  ASSERT_EQ(picture_of(heap).nodes_in_use(), offsets_of(nodes));
}

inline size_t bytes_in_use(const hg_heap *heap) {
  hg_heap_stats stats;
  hg_heap_get_stats(heap, &stats);
  return stats.in_use;
}

// The default heap has as much in use at the end of a scope as at its beginning.
class DefaultHeapIsKept {
 public:
  DefaultHeapIsKept() : before_(bytes_in_use(hg_default_heap())) {}
  ~DefaultHeapIsKept() {
    EXPECT_EQ(bytes_in_use(hg_default_heap()), before_) << "not all memory was returned";
    EXPECT_STREQ(hg_heap_check(hg_default_heap()), nullptr);
  }
  DefaultHeapIsKept(const DefaultHeapIsKept &) = delete;
  DefaultHeapIsKept &operator=(const DefaultHeapIsKept &) = delete;

 private:
  size_t before_;
};

// Pools as the events of one heap tell them (P1, P2). Traces from its making on.
class NodesAsTold {
 public:
  explicit NodesAsTold(const hg_heap *heap) : heap_(hg_heap_id(heap)) {
    hg_trace_start(0);
    pool_tests::take_events();
  }
  ~NodesAsTold() { hg_trace_stop(); }
  NodesAsTold(const NodesAsTold &) = delete;
  NodesAsTold &operator=(const NodesAsTold &) = delete;

  // Reads what was told since; the nodes in use after it. Returned counts the node_returned so far.
  std::set<uint32_t> in_use() {
    for (const hg_event &event : pool_tests::take_events()) {
      if ((event.head >> 8 & 0xff) == heap_) apply(event);
    }
    std::set<uint32_t> nodes;
    for (const auto &[address, block] : blocks_) {
      for (const auto &[node, used] : block) {
        if (used) nodes.insert(node);
      }
    }
    return nodes;
  }
  size_t pools() const { return pools_.size(); }
  size_t returned() const { return returned_; }

 private:
  struct Shape { uint32_t node_size, nodes, first; };

  void apply(const hg_event &event) {
    EXPECT_EQ(heapglass_test::word_out_of_place(event), "");
    const uint32_t pool = event.head >> 16;
    switch (event.head & 0xff) {
      case HG_EVENT_pool_created: pools_[pool] = {event.b, event.c, 0}; break;
      case HG_EVENT_pool_shaped: EXPECT_EQ(event.c & 0xff, uint32_t{HG_SHAPE_fixed_block}); break;
      case HG_EVENT_pool_ruled: pools_.at(pool).first = event.a; break;
      case HG_EVENT_pool_destroyed: EXPECT_EQ(pools_.erase(pool), 1u); break;
      case HG_EVENT_block_made: {
        const Shape &shape = pools_.at(pool);
        auto &nodes = blocks_[event.a];
        EXPECT_TRUE(nodes.empty()) << "a block made twice";
        for (uint32_t i = 0; i < shape.nodes; ++i) nodes[event.a + shape.first + i * shape.node_size] = false;
        break;
      }
      case HG_EVENT_block_retired:
        for (const auto &[node, used] : blocks_[event.a]) EXPECT_FALSE(used) << "retired with a node in use";
        EXPECT_EQ(blocks_.erase(event.a), 1u);
        break;
      case HG_EVENT_node_taken: set(event.a, true); break;
      case HG_EVENT_node_returned:
        set(event.a, false);
        ++returned_;
        break;
      default: break;
    }
  }
  void set(uint32_t node, bool used) {
    auto block = blocks_.upper_bound(node);
    ASSERT_NE(block, blocks_.begin()) << "a node of no block";
    const auto found = (--block)->second.find(node);
    ASSERT_NE(found, block->second.end()) << "not the address of a node";
    EXPECT_EQ(found->second, !used) << (used ? "taken twice" : "returned when free");
    found->second = used;
  }

  uint32_t heap_;
  std::map<uint32_t, Shape> pools_;
  std::map<uint32_t, std::map<uint32_t, bool>> blocks_;
  size_t returned_ = 0;
};

}  // namespace fixed_tests
