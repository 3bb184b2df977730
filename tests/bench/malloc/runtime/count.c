/* Counts what a workload asks for: calls, and the peak of live bytes as requested; record.c keeps the calls themselves.
 * Linked only into the counted build (--wrap=malloc and kin), which is never timed.
 *
 *    base -> | ... padding to the alignment ... | id | requested | offset of mem from base |  <- mem
 *
 *   C1  The three words lie right before mem. They make every block larger, so footprints of this build mean nothing.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "record.h"

#define EXPORT __attribute__((used, visibility("default")))

void *__real_malloc(size_t size);
void __real_free(void *mem);
void *__real_memalign(size_t alignment, size_t size);

typedef struct Note {
  uint32_t id; /* in the stream */
  uint32_t requested;
  uint32_t offset;
} Note;

static uint64_t live, peak;
static uint32_t allocations, frees, reallocations;

EXPORT double bench_live_peak(void) { return (double)peak; }
EXPORT uint32_t bench_allocations(void) { return allocations; }
EXPORT uint32_t bench_frees(void) { return frees; }
EXPORT uint32_t bench_reallocations(void) { return reallocations; }

static Note *note_of(void *mem) { return (Note *)mem - 1; }

static void count_live(int64_t bytes) {
  live += (uint64_t)bytes;
  if (live > peak) peak = live;
}

/* A block with its note but without an id. `alignment`: 1 when none was asked for. */
static void *take(size_t size, size_t alignment) {
  const size_t offset = alignment < 16 ? 16 : alignment;
  if (size > SIZE_MAX - offset) return NULL;
  char *base = alignment == 1 ? __real_malloc(size + offset) : __real_memalign(offset, size + offset);
  if (base == NULL) return NULL;
  char *mem = base + offset;
  *note_of(mem) = (Note){0, (uint32_t)size, (uint32_t)offset};
  count_live((int64_t)size);
  return mem;
}

static void *counted(enum StreamKind kind, size_t size, size_t alignment) {
  void *mem = take(size, alignment);
  if (mem == NULL) return NULL;
  note_of(mem)->id = record_taken(kind, size, alignment);
  ++allocations;
  return mem;
}

void *__wrap_malloc(size_t size) { return counted(kStreamMalloc, size, 1); }

void __wrap_free(void *mem) {
  if (mem == NULL) return;
  record_freed(note_of(mem)->id);
  count_live(-(int64_t)note_of(mem)->requested);
  ++frees;
  __real_free((char *)mem - note_of(mem)->offset);
}

void *__wrap_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  void *mem = counted(kStreamCalloc, bytes, 1);
  return mem == NULL ? NULL : memset(mem, 0, bytes);
}

void *__wrap_memalign(size_t alignment, size_t size) { return counted(kStreamAligned, size, alignment); }

void *__wrap_aligned_alloc(size_t alignment, size_t size) { return __wrap_memalign(alignment, size); }

int __wrap_posix_memalign(void **mem, size_t alignment, size_t size) {
  void *got = __wrap_memalign(alignment, size);
  if (got == NULL) return ENOMEM;
  *mem = got;
  return 0;
}

static void record_realloc(void *moved, uint32_t id, size_t size) {
  if (size > 0) {
    record_resized(id, size);
    note_of(moved)->id = id;
  } else {
    record_freed(id);
    note_of(moved)->id = record_taken(kStreamMalloc, 0, 1);
  }
}

void *__wrap_realloc(void *mem, size_t size) {
  if (mem == NULL) return __wrap_malloc(size);
  const Note before = *note_of(mem);
  live -= before.requested; /* first: a realloc in place never has both */
  void *moved = take(size, 1);
  if (moved == NULL) {
    live += before.requested;
    return NULL;
  }
  memcpy(moved, mem, before.requested < size ? before.requested : size);
  __real_free((char *)mem - before.offset);
  record_realloc(moved, before.id, size);
  ++reallocations;
  return moved;
}

size_t __wrap_malloc_usable_size(void *mem) { return mem == NULL ? 0 : note_of(mem)->requested; }
