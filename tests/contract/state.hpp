// Everything a run of the contract knows: the heaps and pools it made, and a twin for each.
//
//   State
//     heaps[0]            the default heap: never destroyed
//     heaps[1 ..]         heaps of their own; growing, or on a fixed region (regions.hpp)
//       twin              its blocks
//       pools[..].twin    a pool's nodes
#pragma once

#include <heapglass/heapglass.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twin.hpp"

namespace contract {

struct PoolSlot {
  hg_pool *pool;
  hg_pool_options options;
  Twin twin;
};

struct HeapSlot {
  hg_heap *heap = nullptr;
  bool fixed = false;
  size_t region = 0;       // fixed: its number
  bool by_default = false; // asked for as NULL now and then
  Twin twin;
  std::vector<std::unique_ptr<PoolSlot>> pools;
};

struct State {
  std::vector<std::unique_ptr<HeapSlot>> heaps;
  uint32_t next_seed = 1;
  uint64_t offsets_hash = 0xcbf29ce484222325ull;
  uint64_t checks = 0;
  uint64_t refusals = 0;     // calls that said no, as they may: out of memory, cannot expand ...
  uint64_t cached = 0;      // chunks that malloc cached, summed over all checks
  uint64_t retries = 0;      // commands repeated with what the failed one said could be met
  uint32_t largest_alignment = 65536;
  bool with_malloc = false; // operations of malloc are among the others

  size_t live_blocks() const;
  size_t live_bytes() const;

  // Adds to the hash of all that the allocator answered; an address goes in as its offset from the heap's base.
  void note(uint64_t word);
  void note_address(const HeapSlot &slot, const void *mem);

  // A block the allocator just returned: aligned, at least `request` bytes usable; the twin takes it.
  void adopt(HeapSlot &slot, void *mem, size_t request, size_t alignment = HG_ALIGNMENT);
  // A block by number of insertion. A slab's block that has become a chunk has more usable bytes than before (dissolve.D2): the twin takes them.
  void *pick(HeapSlot &slot, uint32_t random);
  // A node the pool just returned.
  void adopt_node(HeapSlot &slot, PoolSlot &pool, void *node);
  // A call gave nothing: it must have had a reason.
  void refused(HeapSlot &slot);

  HeapSlot &slot(uint32_t random) { return *heaps[random % heaps.size()]; }
};

}  // namespace contract
