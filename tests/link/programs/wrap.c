/* A program with a malloc of its own over the builtin one, as Emscripten documents it: its names win over the archive's, everywhere.
 * Counts calls and blocks, those of libc's own parts included. */
#include <emscripten/heap.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *hg_malloc(size_t size) __attribute__((weak)); /* of the archive */
void *emscripten_builtin_malloc(size_t size);
void *emscripten_builtin_calloc(size_t count, size_t size);
void *emscripten_builtin_realloc(void *mem, size_t size);
void *emscripten_builtin_memalign(size_t alignment, size_t size);
void emscripten_builtin_free(void *mem);

static unsigned mallocs, callocs, reallocs, memaligns, frees;

void *malloc(size_t size) {
  ++mallocs;
  return emscripten_builtin_malloc(size);
}
void *calloc(size_t count, size_t size) {
  ++callocs;
  return emscripten_builtin_calloc(count, size);
}
void *realloc(void *mem, size_t size) {
  ++reallocs;
  return emscripten_builtin_realloc(mem, size);
}
void *memalign(size_t alignment, size_t size) {
  ++memaligns;
  return emscripten_builtin_memalign(alignment, size);
}
void free(void *mem) {
  ++frees;
  emscripten_builtin_free(mem);
}

int main(void) {
  unsigned wrong = 0;
  const unsigned before = frees;
  void *blocks[100];
  mallocs = callocs = reallocs = memaligns = 0;
  for (int i = 0; i < 100; ++i) blocks[i] = malloc(i * 50);
  wrong += mallocs != 100;
  for (int i = 0; i < 100; ++i) blocks[i] = realloc(blocks[i], i * 70);
  wrong += reallocs != 100 || mallocs != 100; /* the builtin realloc does not come back to the program's malloc */
  void *const zeros = calloc(10, 10), *const aligned = memalign(1024, 10);
  wrong += callocs != 1 || memaligns != 1 || mallocs != 100 || (uintptr_t)aligned % 1024 != 0;
  for (int i = 0; i < 100; ++i) free(blocks[i]);
  free(zeros);
  free(aligned);
  wrong += frees != before + 102;
  char *const text = strdup("libc's strdup calls the program's malloc"); /* as it does with Emscripten's own malloc */
  wrong += mallocs != 101;
  free(text);
  errno = 0;
  void *(*volatile any_malloc)(size_t) = malloc;
  wrong += any_malloc(SIZE_MAX - 64) != NULL || errno != ENOMEM || mallocs != 102;
  /* names that the program does not define are the archive's, on the same heap */
  void *other = NULL;
  wrong += posix_memalign(&other, 64, 100) != 0 || (uintptr_t)other % 64 != 0 || malloc_usable_size(other) < 100;
  free(other);
  printf("wrapped, %u wrong\n", wrong);
  printf("heapglass %d\n", hg_malloc != NULL && (void *)emscripten_builtin_malloc == (void *)hg_malloc);
  return 0;
}
