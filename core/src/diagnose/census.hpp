// How much of the heap is in use, by size: one look (Census), and the looks since the heap was small (diagnose.O2).
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

inline constexpr unsigned kSizeLogs = 32;

struct Census {
  Word footprint;
  Word live;              // bytes of chunks and of blocks of slabs in use; without cached ones where the build marks those
  Word bytes[kSizeLogs];  // of chunks of [2^n, 2^(n+1)) bytes
};

inline constexpr unsigned kCensuses = 8;

struct History {
  Census looks[kCensuses];  // oldest first
  unsigned count;
  Word first_memory;  // end of memory when it began; 0: it has not
};
extern History g_history;

Census take_census(const Heap &heap);

// The chunks of a heap in address order, by the heap's own walk. Plain data: a copy goes on from the same place. `blocks`: in place of a slab its
// blocks, where the walk has them.
class ChunkCursor {
 public:
  explicit ChunkCursor(const Heap &heap, bool blocks = false) : heap_(&heap), walk_{heap.handle(), {}}, blocks_(blocks) {}
  // False: there are no more. A segment's record comes before its chunks.
  bool next();
  bool begins_segment() const { return kind() == HG_WALK_segment; }
  bool is_live() const { return kind() == HG_WALK_chunk_in_use || kind() == HG_WALK_slab_block_in_use || kind() == HG_WALK_slab; }
  Word address() const { return record_.address; }
  Word size() const { return record_.size; }

 private:
  std::uint32_t kind() const { return record_.kind & 0xff; }
  const Heap *heap_;
  hg_walk walk_;
  hg_walk_record record_ = {};
  bool blocks_;
};

}  // namespace heapglass
