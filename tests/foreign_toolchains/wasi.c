/* A C program for WASI, by clang and wasi-libc: what libc allocates by itself, errno, alignment, a run through the sizes, memory that
 * grows beside another user of memory.grow. The last line: whether malloc is heapglass's. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *hg_malloc(size_t size) __attribute__((weak)); /* of the archive */

/* By volatile pointers: a compiler that knows malloc leaves out what it thinks nobody sees, errno included. */
static void *(*volatile any_malloc)(size_t) = malloc;
static void *(*volatile any_realloc)(void *, size_t) = realloc;
static void *(*volatile any_aligned)(size_t, size_t) = aligned_alloc;

static unsigned wrong;
static void check(int holds, int line) {
  if (!holds) printf("wrong: line %d\n", line);
  wrong += !holds;
}
#define CHECK(condition) check(condition, __LINE__)

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void sort_strings(void) {
  enum { kStrings = 2000 };
  char **const texts = malloc(kStrings * sizeof *texts);
  for (unsigned i = 0; i < kStrings; ++i) {
    char buffer[32];
    snprintf(buffer, sizeof buffer, "%08u-%u", (unsigned)(i * 2654435761u % 100000007u), i);
    texts[i] = strdup(buffer);
  }
  qsort(texts, kStrings, sizeof *texts, by_text);
  unsigned hash = 0;
  for (unsigned i = 0; i < kStrings; ++i) {
    for (const char *letter = texts[i]; *letter; ++letter) hash = hash * 31 + (unsigned char)*letter;
    free(texts[i]);
  }
  free(texts);
  printf("sorted %08x\n", hash);
}

static void refuse(void) {
  errno = 0;
  CHECK(any_malloc(SIZE_MAX - 64) == NULL && errno == ENOMEM);
  errno = 0;
  CHECK(any_aligned(24, 48) == NULL && errno == EINVAL);
  void *untouched = &wrong;
  errno = 0;
  CHECK(posix_memalign(&untouched, 24, 8) == EINVAL && posix_memalign(&untouched, 64, SIZE_MAX - 256) == ENOMEM);
  CHECK(untouched == &wrong && errno == 0);
  void *const least = any_realloc(any_malloc(5000), 0);
  CHECK(least != NULL);
  free(least);
}

/* 4000 blocks of all sizes, replaced at random, each filled with its number; someone else takes pages in between. */
static void churn(void) {
  enum { kBlocks = 4000 };
  static unsigned char *blocks[kBlocks];
  static size_t sizes[kBlocks];
  uint32_t state = 1;
  for (int turn = 0; turn < 200000; ++turn) {
    state = state * 1664525u + 1013904223u;
    const uint32_t i = (state >> 8) % kBlocks;
    for (size_t k = 0; k < sizes[i]; k += 97) CHECK(blocks[i][k] == (unsigned char)i);
    free(blocks[i]);
    sizes[i] = (state >> 20) % (turn % 50 == 0 ? 100000 : 400) + 1;
    blocks[i] = malloc(sizes[i]);
    memset(blocks[i], (int)i, sizes[i]);
    if (turn % 20000 == 0) {
      unsigned char *const other = (unsigned char *)(__builtin_wasm_memory_grow(0, 1) * 65536);
      memset(other, 0xee, 65536);
    }
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
}

int main(int count, char **arguments) {
  sort_strings();
  refuse();
  churn();
  void *aligned = NULL;
  CHECK(posix_memalign(&aligned, 4096, 100) == 0 && (uintptr_t)aligned % 4096 == 0);
  free(aligned);
  printf("%s, %u wrong\n", count > 1 ? arguments[1] : "no argument", wrong);
  printf("heapglass %d\n", hg_malloc != NULL && (void *)malloc == (void *)hg_malloc);
  return 0;
}
