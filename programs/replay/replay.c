/* Carries out a recorded stream (stream.h): the allocator's share of a real program, without the program.
 *
 *   play.P1  The loader writes operations into `chunk`, a part of the stream at a time, and calls bench_replay; only these
 *       calls are timed. Chunk and table are static: they lie below the heap and nothing of the replay is allocated.
 *   play.P2  A block is touched about as its program would: its first and last word are written when it is taken or resized,
 *       its first word is read when it is freed. calloc's zeros are looked at in both places.
 *   play.P3  What was written has to be there at the next realloc and at the free.
 *   play.P4  The replay's own work (about a load, a branch and two stores an operation) is in every allocator's figure.
 *   play.P5  Pools are linked into one module only (pools.c); in the others their operations fail.
 */
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"

#define EXPORT __attribute__((used, visibility("default")))

enum { kChunk = 1 << 14 };

/* play.P5 */
void *replay_take_node(uint32_t pool, size_t size) __attribute__((weak));
void replay_give_node(uint32_t pool, void *node) __attribute__((weak));

typedef struct Block {
  void *mem;
  uint32_t size;
} Block;

static Operation chunk[kChunk];
static Block blocks[kStreamMaxBlocks];
static uint32_t id_limit; /* above all ids so far */

EXPORT Operation *bench_stream_chunk(void) { return chunk; }
EXPORT uint32_t bench_stream_chunk_operations(void) { return kChunk; }

/* The last whole word of a block of a word or more. */
static inline uint32_t *last_word(const Block *block) { return (uint32_t *)block->mem + block->size / 4 - 1; }

/* Blocks below a word have a byte or nothing. */
static inline uint32_t first_value(const Block *block) {
  if (block->size >= 4) return *(uint32_t *)block->mem;
  return block->size > 0 ? *(uint8_t *)block->mem : 0;
}

static inline void write_ends(const Block *block, uint32_t id) {
  if (block->size >= 4) {
    *last_word(block) = block->size;
    *(uint32_t *)block->mem = id;
  } else if (block->size > 0) {
    *(uint8_t *)block->mem = (uint8_t)id;
  }
}

static inline bool holds(const Block *block, uint32_t id) {
  return first_value(block) == (block->size >= 4 ? id : block->size > 0 ? (uint8_t)id : 0);
}

static inline bool is_zero(const Block *block) {
  return first_value(block) == 0 && (block->size < 4 || *last_word(block) == 0);
}

static inline bool put(uint32_t id, void *mem, uint32_t size, bool zeroed) {
  if (mem == NULL && size > 0) return false;
  blocks[id] = (Block){mem, size};
  if (id >= id_limit) id_limit = id + 1;
  if (zeroed && !is_zero(&blocks[id])) return false;
  write_ends(&blocks[id], id);
  return true;
}

static inline bool resize(uint32_t id, uint32_t size) {
  Block *const block = &blocks[id];
  void *const mem = realloc(block->mem, size);
  if (mem == NULL) return false;
  const Block kept = {mem, size < block->size ? size : block->size};
  if (!holds(&kept, id)) return false;
  if (kept.size == block->size && kept.size >= 8 && *last_word(&kept) != kept.size) return false;
  return put(id, mem, size, false);
}

static inline bool release(uint32_t id) {
  if (!holds(&blocks[id], id)) return false;
  free(blocks[id].mem);
  blocks[id] = (Block){NULL, 0};
  return true;
}

static bool take_node(Operation operation) {
  if (replay_take_node == NULL) return false;
  void *const node = replay_take_node(operation_pool(operation), operation.size);
  return node != NULL && put(operation_id(operation), node, operation.size, false);
}

static bool give_node(Operation operation) {
  Block *const block = &blocks[operation_id(operation)];
  if (!holds(block, operation_id(operation))) return false;
  replay_give_node(operation_pool(operation), block->mem);
  *block = (Block){NULL, 0};
  return true;
}

/* What was copied is the old block's id; the new one's own is written again. */
static bool copy_block(uint32_t id, uint32_t from) {
  const Block *const to = &blocks[id], *const old = &blocks[from];
  if (old->size == 0 || to->size == 0) return true;
  memcpy(to->mem, old->mem, old->size < to->size ? old->size : to->size);
  write_ends(to, id);
  return true;
}

static inline bool carry_out(Operation operation) {
  const uint32_t id = operation_id(operation), size = operation.size;
  switch (operation_kind(operation)) {
    case kStreamMalloc: return put(id, malloc(size), size, false);
    case kStreamCalloc: return put(id, calloc(1, size), size, true);
    case kStreamAligned: return put(id, memalign(operation_alignment(operation), size), size, false);
    case kStreamRealloc: return resize(id, size);
    case kStreamFree: return release(id);
    case kStreamNode: return take_node(operation);
    case kStreamNodeFree: return give_node(operation);
    default: return copy_block(id, size);
  }
}

/* The first `count` operations of the chunk. 0: memory ran out, or a block did not hold what was written to it. */
EXPORT uint32_t bench_replay(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (!carry_out(chunk[i])) return false;
  return true;
}

/* Frees what is live, so that the stream can be carried out once more. */
EXPORT uint32_t bench_end_stream(void) {
  for (uint32_t id = 0; id < id_limit; ++id)
    if (blocks[id].mem != NULL && !release(id)) return false;
  return true;
}
