/* Counts what a workload asks for: calls, and the peak of live bytes as requested. Linked only into the counted build
 * (--wrap=malloc and kin), which is never timed.
 *
 *    base -> | ... padding to the alignment ... | requested | offset of mem from base |  <- mem
 *
 *   C1  The two words lie right before mem. They make every block larger, so footprints of this build mean nothing.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((used, visibility("default")))

void *__real_malloc(size_t size);
void __real_free(void *mem);
void *__real_memalign(size_t alignment, size_t size);

typedef struct Note {
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

static void *noted(char *base, size_t size, size_t offset) {
  if (base == NULL) return NULL;
  char *mem = base + offset;
  *note_of(mem) = (Note){(uint32_t)size, (uint32_t)offset};
  count_live((int64_t)size);
  ++allocations;
  return mem;
}

void *__wrap_malloc(size_t size) {
  enum { kOffset = 16 };
  if (size > SIZE_MAX - kOffset) return NULL;
  return noted(__real_malloc(size + kOffset), size, kOffset);
}

void __wrap_free(void *mem) {
  if (mem == NULL) return;
  count_live(-(int64_t)note_of(mem)->requested);
  ++frees;
  __real_free((char *)mem - note_of(mem)->offset);
}

void *__wrap_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  void *mem = __wrap_malloc(bytes);
  return mem == NULL ? NULL : memset(mem, 0, bytes);
}

void *__wrap_memalign(size_t alignment, size_t size) {
  const size_t offset = alignment < 16 ? 16 : alignment;
  if (size > SIZE_MAX - offset) return NULL;
  return noted(__real_memalign(offset, size + offset), size, offset);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) { return __wrap_memalign(alignment, size); }

int __wrap_posix_memalign(void **mem, size_t alignment, size_t size) {
  void *got = __wrap_memalign(alignment, size);
  if (got == NULL) return ENOMEM;
  *mem = got;
  return 0;
}

void *__wrap_realloc(void *mem, size_t size) {
  if (mem == NULL) return __wrap_malloc(size);
  const Note before = *note_of(mem);
  live -= before.requested; /* first: a realloc in place never has both */
  void *moved = __wrap_malloc(size);
  if (moved == NULL) {
    live += before.requested;
    return NULL;
  }
  memcpy(moved, mem, before.requested < size ? before.requested : size);
  __real_free((char *)mem - before.offset);
  --allocations;
  ++reallocations;
  return moved;
}

size_t __wrap_malloc_usable_size(void *mem) { return mem == NULL ? 0 : note_of(mem)->requested; }
