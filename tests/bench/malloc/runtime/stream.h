/* A stream: the calls of malloc and kin that a program made, in order, without the program. record.c writes it,
 * workloads/replay.c carries it out, streams.mjs keeps it on disk. Little-endian, eight bytes an operation, no header.
 *
 *            31                            8 7         3 2    0
 *           +-------------------------------+-----------+------+
 *    what   | id of the block               | alignment | kind |    alignment: its logarithm, 0 when not asked for
 *           +-------------------------------+-----------+------+
 *    size   | bytes as requested; 0 of a free                  |
 *           +--------------------------------------------------+
 *
 *   S1  An id belongs to one live block. It is given again after the block's free, the last freed first, so ids stay
 *       below the largest number of live blocks.
 *   S2  A call that failed and free(NULL) are not in a stream. realloc(NULL, n) is a malloc; realloc(mem, 0) is a free
 *       and a malloc of 0 bytes, because allocators disagree about it.
 *   S3  A stream may end early (record.c): blocks are live at its end then.
 */
#pragma once

#include <stdint.h>

enum StreamKind { kStreamMalloc, kStreamCalloc, kStreamAligned, kStreamRealloc, kStreamFree };

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

static inline uint32_t operation_alignment(Operation operation) {
  return 1u << (operation.what >> kStreamKindBits & ((1u << kStreamAlignmentBits) - 1));
}
