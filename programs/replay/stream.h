/* A stream: the calls of malloc and kin that a program made, in order, without the program. Two write it: the counted build of
 * the malloc bench (tests/bench/malloc/runtime/record.c), and the reader of a trace (web/src/replay/operations_of_trace.ts).
 * replay.c carries it out. Little-endian, eight bytes an operation, no header.
 *
 *            31                            8 7         3 2    0
 *           +-------------------------------+-----------+------+
 *    what   | id of the block               | alignment | kind |    alignment: its logarithm, 0 when not asked for
 *           +-------------------------------+-----------+------+
 *    size   | bytes as requested; 0 of a free                  |
 *           +--------------------------------------------------+
 *
 *   stream.S1  An id belongs to one live block. It is given again after the block's free, the last freed first, so ids stay
 *       below the largest number of live blocks.
 *   stream.S2  A call that failed and free(NULL) are not in a stream. realloc(NULL, n) is a malloc; realloc(mem, 0) is a free
 *       and a malloc of 0 bytes, because allocators disagree about it.
 *   stream.S3  A stream may end early (record.c): blocks are live at its end then.
 *   stream.S4  Three more kinds are in streams that try out advice (web/src/replay/advice_streams.ts). node: a block from a pool, whose
 *       number takes the bits of the alignment; its size is the pool's node size. node_free gives it back to the same pool.
 *       copy: the contents of the block whose id is in the word `size` are copied to the block `id`, as far as both reach.
 */
#pragma once

#include <stdint.h>

enum StreamKind {
  kStreamMalloc,
  kStreamCalloc,
  kStreamAligned,
  kStreamRealloc,
  kStreamFree,
  kStreamNode,
  kStreamNodeFree,
  kStreamCopy
};

enum { kStreamKindBits = 3, kStreamAlignmentBits = 5, kStreamIdShift = 8, kStreamMaxBlocks = 1 << 20 };

typedef struct Operation {
  uint32_t what;
  uint32_t size;
} Operation;

static inline Operation operation_of(enum StreamKind kind, uint32_t id, uint32_t size, uint32_t log_alignment) {
  return (Operation){kind | log_alignment << kStreamKindBits | id << kStreamIdShift, size};
}

static inline enum StreamKind operation_kind(Operation operation) {
  return (enum StreamKind)(operation.what & ((1u << kStreamKindBits) - 1));
}

static inline uint32_t operation_id(Operation operation) { return operation.what >> kStreamIdShift; }

static inline uint32_t operation_bits(Operation operation) {
  return operation.what >> kStreamKindBits & ((1u << kStreamAlignmentBits) - 1);
}

static inline uint32_t operation_alignment(Operation operation) { return 1u << operation_bits(operation); }

static inline uint32_t operation_pool(Operation operation) { return operation_bits(operation); }
