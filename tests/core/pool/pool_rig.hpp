// What the pool tests share: a heap that must be whole and empty at the end, the walk as a picture of its pools, and the
// events written since last asked.
#pragma once

#include <gtest/gtest.h>
#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/address.hpp"
#include "trace/ring.hpp"

namespace pool_tests {

// A heap of its own, proved and found empty when the test ends.
class TestHeap {
 public:
  TestHeap() : heap_(hg_heap_create()) {}
  explicit TestHeap(size_t fixed_bytes) : region_(fixed_bytes) {
    heap_ = hg_heap_create_fixed(region_.data(), region_.size());
  }
  TestHeap(const TestHeap &) = delete;
  TestHeap &operator=(const TestHeap &) = delete;
  ~TestHeap() {
    EXPECT_STREQ(hg_heap_check(heap_), nullptr);
    hg_heap_stats stats;
    hg_heap_get_stats(heap_, &stats);
    EXPECT_EQ(stats.chunks_in_use, 0u) << "not all memory was returned";
    hg_heap_destroy(heap_);
  }
  operator hg_heap *() const { return heap_; }

 private:
  std::vector<unsigned char> region_;
  hg_heap *heap_;
};

struct BlockPicture {
  uint32_t pool = 0;
  uint32_t size = 0;
  uint32_t free_nodes = 0;  // as the block's record says
  std::vector<std::pair<uint32_t, uint32_t>> sub_blocks;  // address, size
  std::map<uint32_t, bool> nodes;                         // address -> in use
  bool operator==(const BlockPicture &) const = default;
};

// All pools of a heap as its walk tells them; addresses are event offsets.
struct PoolPicture {
  std::map<uint32_t, BlockPicture> blocks;
  std::map<uint32_t, std::vector<uint32_t>> trees;  // pool -> blocks in order
  bool operator==(const PoolPicture &) const = default;

  std::set<uint32_t> nodes_in_use() const {
    std::set<uint32_t> nodes;
    for (const auto &[address, block] : blocks) {
      for (const auto &[node, in_use] : block.nodes) {
        if (in_use) nodes.insert(node);
      }
    }
    return nodes;
  }
  uint32_t block_of(uint32_t node) const {
    for (const auto &[address, block] : blocks) {
      if (block.nodes.contains(node)) return address;
    }
    return 0;
  }
};

inline std::vector<hg_walk_record> walk_records(const hg_heap *heap, size_t capacity = 4096) {
  std::vector<hg_walk_record> records;
  std::vector<hg_walk_record> part(capacity);
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  while (const size_t count = hg_walk_next(&walk, part.data(), capacity)) {
    records.insert(records.end(), part.begin(), part.begin() + static_cast<ptrdiff_t>(count));
  }
  return records;
}

inline PoolPicture picture_of(const hg_heap *heap) {
  PoolPicture picture;
  uint32_t block = 0;
  for (const hg_walk_record &record : walk_records(heap)) {
    const uint32_t pool = record.kind >> 16;
    switch (record.kind & 0xff) {
      case HG_WALK_block:
        block = record.address;
        picture.blocks[block] = {pool, record.size, record.extra, {}, {}};
        break;
      case HG_WALK_sub_block:
        EXPECT_EQ(record.extra, block);
        picture.blocks[block].sub_blocks.emplace_back(record.address, record.size);
        break;
      case HG_WALK_node_in_use:
      case HG_WALK_node_free:
        EXPECT_EQ(record.extra, block);
        picture.blocks[block].nodes[record.address] = (record.kind & 0xff) == HG_WALK_node_in_use;
        break;
      case HG_WALK_tree_entry:
        EXPECT_EQ(record.extra, picture.trees[pool].size());
        EXPECT_EQ(record.size, picture.blocks[record.address].free_nodes);
        picture.trees[pool].push_back(record.address);
        break;
      default: break;
    }
  }
  for (const auto &[address, found] : picture.blocks) {
    uint32_t free_nodes = 0;
    for (const auto &[node, in_use] : found.nodes) free_nodes += !in_use;
    EXPECT_EQ(found.free_nodes, free_nodes);
  }
  return picture;
}

inline uint32_t at(const void *mem) { return heapglass::offset_of(mem); }

// The events written since the last call (or trace_start).
inline std::vector<hg_event> take_events() {
  std::vector<hg_event> events;
  hg_ring *ring = hg_trace_ring();
  EXPECT_LE(ring->head_low - ring->tail_low, ring->capacity);
  for (; ring->tail_low != ring->head_low; ++ring->tail_low) {
    events.push_back(heapglass::trace::g_records[ring->tail_low & (ring->capacity - 1)]);
  }
  return events;
}

inline hg_pool_stats stats_of(const hg_pool *pool) {
  hg_pool_stats stats;
  hg_pool_get_stats(pool, &stats);
  return stats;
}

}  // namespace pool_tests
