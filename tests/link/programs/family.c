/* Calls every name of a libc's malloc once, so that a name that the archive does not have pulls in the toolchain's. Compiled with
 * -fno-builtin, so that no call is left out. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *realloc_in_place(void *, size_t);
void *pvalloc(size_t);
void *valloc(size_t);
int malloc_trim(size_t);
size_t malloc_footprint(void);
size_t malloc_max_footprint(void);
size_t malloc_footprint_limit(void);
size_t malloc_set_footprint_limit(size_t);
void malloc_inspect_all(void (*)(void *, void *, size_t, void *), void *);
void **independent_calloc(size_t, size_t, void **);
void **independent_comalloc(size_t, size_t *, void **);
size_t bulk_free(void **, size_t);
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
void *emscripten_builtin_malloc(size_t);
void *emscripten_builtin_calloc(size_t, size_t);
void *emscripten_builtin_realloc(void *, size_t);
void *emscripten_builtin_memalign(size_t, size_t);
void emscripten_builtin_free(void *);
uintptr_t *emscripten_get_sbrk_ptr(void);

static unsigned wrong;
static void check(int holds, int line) {
  if (!holds) printf("wrong: line %d\n", line);
  wrong += !holds;
}
#define CHECK(condition) check(condition, __LINE__)
#define CHECK_ALIGNED(mem, alignment) check((mem) != NULL && (uintptr_t)(mem) % (alignment) == 0, __LINE__)

typedef struct Seen {
  size_t used;
  unsigned used_blocks;
  unsigned free_blocks;
  const void *wanted;
  unsigned found;
} Seen;

static void see(void *start, void *end, size_t used, void *argument) {
  Seen *const seen = argument;
  seen->used += used;
  seen->used_blocks += used != 0;
  seen->free_blocks += used == 0;
  if (start == seen->wanted) seen->found = used >= 5000 && (size_t)((char *)end - (char *)start) == used;
}

int main(void) {
  void *const libc[] = {__libc_malloc(20), __libc_calloc(4, 5), __libc_realloc(NULL, 20), __libc_memalign(64, 20)};
  CHECK_ALIGNED(libc[3], 64);
  for (int i = 0; i < 4; ++i) __libc_free(libc[i]);
  void *const builtin[] = {emscripten_builtin_malloc(20), emscripten_builtin_calloc(4, 5), emscripten_builtin_realloc(NULL, 20),
                           emscripten_builtin_memalign(128, 20)};
  CHECK_ALIGNED(builtin[3], 128);
  for (int i = 0; i < 4; ++i) emscripten_builtin_free(builtin[i]);

  void *const page = valloc(100), *const pages = pvalloc(100);
  CHECK_ALIGNED(page, 65536);
  CHECK_ALIGNED(pages, 65536);
  CHECK(malloc_usable_size(pages) >= 65536);
  free(page);
  free(pages);

  void *mem = malloc(5000);
  Seen seen = {.wanted = mem};
  malloc_inspect_all(see, &seen);
  CHECK(seen.found == 1 && seen.used >= 5000 && seen.used_blocks >= 1 && seen.free_blocks >= 1);
  CHECK(realloc_in_place(mem, 3000) == mem);
  CHECK(realloc_in_place(mem, SIZE_MAX / 2) == NULL);
  mem = realloc(mem, 100000);

  void **const zeroed = independent_calloc(10, 24, NULL);
  for (int i = 0; i < 10; ++i) CHECK(*(uint64_t *)zeroed[i] == 0 && malloc_usable_size(zeroed[i]) >= 24);
  CHECK(bulk_free(zeroed, 10) == 0 && zeroed[0] == NULL);
  free(zeroed);
  size_t sizes[] = {8, 800, 80};
  void *parts[3];
  CHECK(independent_comalloc(3, sizes, parts) == parts && malloc_usable_size(parts[1]) >= 800);
  bulk_free(parts, 3);

  CHECK(malloc_footprint() >= 100000 && malloc_max_footprint() >= malloc_footprint());
  CHECK(malloc_footprint_limit() == SIZE_MAX && malloc_set_footprint_limit(1) == SIZE_MAX);
  CHECK(mallopt(M_TRIM_THRESHOLD, 1) == 0);
  const struct mallinfo info = mallinfo();
  CHECK(info.uordblks >= 100000 && info.arena >= info.uordblks && info.usmblks >= info.uordblks);
  free(mem);
  malloc_trim(0);
  malloc_stats();

  CHECK(*emscripten_get_sbrk_ptr() == (uintptr_t)sbrk(0));
  char *const mine = sbrk(100);
  CHECK((char *)sbrk(0) - mine >= 100);
  CHECK(brk(mine + 4096) == 0 && (char *)sbrk(0) == mine + 4096);
  errno = 0;
  CHECK(sbrk(-4096) == (void *)-1 && errno == ENOMEM);
  errno = 0;
  CHECK(brk(mine) == -1 && errno == ENOMEM);
  printf("the whole family, %u wrong\n", wrong);
  return 0;
}
