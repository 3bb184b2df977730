// The ids of pools, 1 .. kMaxPools, unique among all living pools of the program. The lowest free id is used next.
//
//   first[heap id] --> id --> id --> 0      next[id]: the heap's next pool, ids rising, in the order of Heap::pools()
//
//  pool_ids.I1  an id is in use from acquire until release; each heap links its ids in a chain, in rising order.
//  pool_ids.I2  releasing all ids of a heap reads and writes only this table. The states of pools lie among blocks, and the end of
//      a heap must touch no page of its blocks.
#pragma once

#include <cstdint>

namespace heapglass {

inline constexpr uint32_t kMaxPools = 4095;

uint32_t acquire_pool_id(uint32_t heap_id);  // 0: all ids are in use
void release_pool_id(uint32_t heap_id, uint32_t id);
void release_pool_ids(uint32_t heap_id);  // O(pools of the heap)

}  // namespace heapglass
