/* Records the calls that count.c sees as a stream (stream.h), in static memory: nothing is allocated and nothing leaves
 * the module while the program runs.
 *
 *   R1  The first five million operations are kept, of at most kStreamMaxBlocks live blocks. Then recording stops for
 *       good: what is kept is what the program did first.
 *   R2  Ids that are free form a stack; ids at or above `id_limit` were never given.
 */
#include "record.h"

#include <stdbool.h>

#define EXPORT __attribute__((used, visibility("default")))

enum { kMaxOperations = 5000000 };

static Operation operations[kMaxOperations];
static uint32_t operation_count, free_ids[kStreamMaxBlocks], free_id_count, id_limit;
static bool stopped;

EXPORT const Operation *bench_stream(void) { return operations; }
EXPORT uint32_t bench_stream_operations(void) { return operation_count; }
EXPORT uint32_t bench_stream_blocks(void) { return id_limit; }
EXPORT uint32_t bench_stream_is_whole(void) { return !stopped; }

static void record(enum StreamKind kind, uint32_t id, size_t size, uint32_t log_alignment) {
  if (operation_count == kMaxOperations) stopped = true;
  if (!stopped) operations[operation_count++] = operation_of(kind, id, (uint32_t)size, log_alignment);
}

static uint32_t next_id(void) {
  if (free_id_count > 0) return free_ids[--free_id_count];
  if (id_limit < kStreamMaxBlocks) return id_limit++;
  stopped = true;
  return 0;
}

uint32_t record_taken(enum StreamKind kind, size_t size, size_t alignment) {
  if (stopped) return 0;
  const uint32_t id = next_id();
  record(kind, id, size, (uint32_t)__builtin_ctzl(alignment));
  return id;
}

void record_resized(uint32_t id, size_t size) { record(kStreamRealloc, id, size, 0); }

void record_freed(uint32_t id) {
  record(kStreamFree, id, 0, 0);
  if (!stopped) free_ids[free_id_count++] = id;
}
