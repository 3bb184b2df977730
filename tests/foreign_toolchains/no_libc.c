/* A module by clang without any libc: nothing but the archive and the linker. It has no errno and imports nothing. */
#include <heapglass/malloc.h>
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *mem, size_t size);
void *memalign(size_t alignment, size_t size);
int posix_memalign(void **mem, size_t alignment, size_t size);
void free(void *mem);

#define EXPORT(name) __attribute__((export_name(#name)))

/* How much of it is wrong: blocks that keep their bytes, refusals, alignment. */
EXPORT(exercise) unsigned exercise(uint32_t state, unsigned turns) {
  enum { kBlocks = 1000 };
  static unsigned char *blocks[kBlocks];
  static size_t sizes[kBlocks];
  unsigned wrong = 0;
  for (unsigned turn = 0; turn < turns; ++turn) {
    state = state * 1664525u + 1013904223u;
    const uint32_t i = (state >> 8) % kBlocks;
    for (size_t k = 0; k < sizes[i]; k += 31) wrong += blocks[i][k] != (unsigned char)i;
    const size_t size = (state >> 20) % (turn % 64 == 0 ? 200000 : 300) + 1;
    unsigned char *const mem = realloc(blocks[i], size);
    for (size_t k = 0; k < size; ++k) mem[k] = (unsigned char)i;
    blocks[i] = mem;
    sizes[i] = size;
  }
  for (int i = 0; i < kBlocks; ++i) {
    free(blocks[i]);
    blocks[i] = NULL;
    sizes[i] = 0;
  }
  const unsigned char *const zeros = calloc(1000, 7);
  for (size_t k = 0; k < 7000; ++k) wrong += zeros[k] != 0;
  free((void *)zeros);
  void *const aligned = memalign(3000, 10); /* rounded up to 4096, as by dlmalloc */
  wrong += aligned == NULL || (uintptr_t)aligned % 4096 != 0;
  free(aligned);
  void *untouched = &wrong;
  wrong += posix_memalign(&untouched, 24, 8) == 0 || posix_memalign(&untouched, 64, SIZE_MAX - 256) == 0;
  wrong += malloc(SIZE_MAX - 64) != NULL || untouched != &wrong;
  return wrong;
}

/* Blocks of `mebibytes` that memory still has; all are given back. */
EXPORT(take_all) unsigned take_all(unsigned mebibytes) {
  void **first = NULL;
  unsigned count = 0;
  for (void **mem; (mem = malloc((size_t)mebibytes << 20)) != NULL; ++count) {
    *mem = first;
    first = mem;
  }
  while (first != NULL) {
    void **const next = *first;
    free(first);
    first = next;
  }
  return count;
}

/* One block of `mebibytes`, its ends touched: its address, 0 when refused. */
EXPORT(take_one) uintptr_t take_one(unsigned mebibytes) {
  const size_t size = (size_t)mebibytes << 20;
  unsigned char *const mem = malloc(size);
  if (mem == NULL) return 0;
  mem[0] = mem[size - 1] = 1;
  free(mem);
  return (uintptr_t)mem;
}

EXPORT(bytes_in_use) size_t bytes_in_use(void) {
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  return stats.in_use;
}

EXPORT(footprint) size_t footprint(void) {
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  return stats.footprint;
}
