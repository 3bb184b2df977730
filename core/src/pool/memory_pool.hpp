// Memory pools (rows B1, B2): a heap for each data structure, with a fast path for blocks of one size, freed as a whole.
//
//   the heap's first segment
//   +---------+------------+------------+-------------+-- ...
//   | segment | Heap state | MemoryPool | Pool (if..) | whatever the structure allocates ...
//   +---------+------------+------------+-------------+-- ...
//   |<------------- the state page -------------->|
//
//   a block of the fixed path: an owned block of shape fixed_size at a multiple of kFixedBlockBytes
//   +------+------+------+---------------+--------+--------+-- ... -+-----------------------+-----+
//   | next | pool | back | spare: the    | node 0 | node 1 |        | uncut: nodes never    | hdr | the neighbour block's
//   |      |      |      |   MemoryPool  |        |        |        | handed out yet        |     | chunk header
//   +------+------+------+---------------+--------+--------+-- ... -+-----------------------+-----+
//                                                                   ^ uncut                 ^ kFixedBlockBytes - word
//
//  memory_pool.M1  MemoryPool and its one Pool are the first two chunks of the heap, directly behind the heap's state. Ending the
//      whole pool reads and writes nothing else.
//  memory_pool.M2  mem & ~(kFixedBlockBytes - 1) is the block of mem, for every fixed size. Its spare word points to the MemoryPool.
//  memory_pool.M3  the free nodes are those on the list from `free`, linked through their first word, and those from uncut to
//      uncut_end in the newest block. So a new block needs no pass over it, and its pages are touched when they are used.
//  memory_pool.M4  a block's chunk is kFixedBlockBytes long, so neighbours pack (layout.L1 of block_layout.hpp). Larger blocks
//      waste less on nodes near 2 KiB (8 KiB hold three: a quarter is wasted). But a pool of a few nodes takes a whole block, and
//      the search for an aligned block adds its alignment to the request. Five lists of 90,000 elements (BE1) take 24.8 MB with
//      4 and with 8 KiB, and 25.2 MB with 16 KiB; one of them spans 75 pages in each case.
//
// Entirely free blocks are kept until the pool ends.
#pragma once

#include "pool/owned_pool.hpp"
#include "pool/pool_guard.hpp"
#include "trace/probes.hpp"

namespace heapglass {

inline constexpr Word kFixedBlockBytes = Word{8} << 10;
inline constexpr Word kMaxFixedSize = 2048;

struct MemoryPool {
  FreeNode *free;    // memory_pool.M3
  char *uncut;
  char *uncut_end;
  Word fixed_size;   // rounded up to the word; 0: no fixed path
  Heap *heap;
  Pool *pool;        // nullptr: no fixed path
};

MemoryPool *create_memory_pool(Word fixed_size);  // nullptr when out of memory, heaps or ids
inline void destroy_memory_pool(MemoryPool *self) { self->heap->destroy(); }

// Adds a block, all of it uncut. pre: no node is free. False when out of memory.
bool add_fixed_block(MemoryPool *self);

// Checked build: ends the program (foreign_node) when mem cannot lie in a block of any fixed path.
void guard_fixed_block(const void *mem);

inline MemoryPool *memory_pool_of_fixed(const void *mem) {  // memory_pool.M2
  if constexpr (kChecked) guard_fixed_block(mem);
  const Word in_block = address_of(mem) & (kFixedBlockBytes - 1);
  return static_cast<MemoryPool *>(before<const OwnedBlock>(mem, in_block)->spare);
}

// The pop; nullptr when out of memory.
inline void *take_fixed(MemoryPool *self) {
  FreeNode *const node = self->free;
  if (node != nullptr) {
    self->free = node->next;
    if constexpr (kChecked) guard_taken_node(self->pool, node);
    return node;
  }
  if (self->uncut == self->uncut_end && !add_fixed_block(self)) return nullptr;
  char *const cut = self->uncut;
  self->uncut = cut + self->fixed_size;
  if constexpr (kChecked) __builtin_memset(cut, kTakenByte, self->fixed_size);
  return cut;
}

void *allocate_fixed(MemoryPool *self);  // nullptr too when there is no fixed path (bad_argument)
void deallocate_fixed(MemoryPool *self, void *mem);

}  // namespace heapglass
