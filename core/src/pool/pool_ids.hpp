// The numbers of pools, 1 .. kMaxPools, unique among all living pools of the program; the lowest free one is given.
//
//   first[heap id] --> id --> id --> 0      next[id]: the heap's next pool, ids rising, as Heap::pools() is ordered
//
//  pool_ids.I1  an id is in use from acquire until release; the ids in use by one heap are its chain, in rising order.
//  pool_ids.I2  releasing all ids of a heap reads and writes only this table: the end of a heap touches no page of its blocks, and
//      pools' states lie among blocks.
#pragma once

#include <cstdint>

namespace heapglass {

inline constexpr uint32_t kMaxPools = 4095;

uint32_t acquire_pool_id(uint32_t heap_id);  // 0: all are in use
void release_pool_id(uint32_t heap_id, uint32_t id);
void release_pool_ids(uint32_t heap_id);  // O(pools of the heap)

}  // namespace heapglass
