/* Calls every name of a libc's malloc once, those of <malloc.h>, <emscripten/emmalloc.h>, <emscripten/heap.h> and dlmalloc, so that a
 * name that the archive does not have pulls in the toolchain's. What the arguments mean at their edges is what dlmalloc does with
 * them. Compiled with -fno-builtin, so that no call is left out. */
#include <emscripten/emmalloc.h>
#include <emscripten/heap.h>
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
void emmalloc_dump_free_dynamic_memory_fragmentation_map(void); /* newer Emscriptens */

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

/* memalign as dlmalloc's: up to 8 any alignment is malloc's, above it is rounded up to a power of two. */
static void align_oddly(void) {
  static const struct {
    size_t asked, given;
  } alignments[] = {{0, 8}, {1, 8}, {3, 8}, {4, 8}, {7, 8}, {8, 8}, {9, 16}, {24, 32}, {48, 64}, {100, 128}, {4097, 8192}};
  for (unsigned i = 0; i < sizeof alignments / sizeof *alignments; ++i) {
    void *const mem = memalign(alignments[i].asked, 100);
    CHECK_ALIGNED(mem, alignments[i].given);
    CHECK(malloc_usable_size(mem) >= 100);
    free(mem);
  }
  errno = 0;
  CHECK(memalign((size_t)1 << 31, SIZE_MAX - 100) == NULL && errno == ENOMEM);
  errno = 0;
  CHECK(memalign(((size_t)1 << 31) + 1, 8) == NULL && errno == EINVAL); /* dlmalloc never returns */
  void *untouched = &wrong;
  errno = 0;
  const size_t invalid[] = {0, 1, 2, 3, 6, 12, 24, 100, ((size_t)1 << 31) + 4};
  for (unsigned i = 0; i < sizeof invalid / sizeof *invalid; ++i) CHECK(posix_memalign(&untouched, invalid[i], 8) == EINVAL);
  CHECK(posix_memalign(&untouched, 16, SIZE_MAX - 16) == ENOMEM && posix_memalign(&untouched, (size_t)1 << 31, 1u << 31) == ENOMEM);
  CHECK(untouched == &wrong && errno == 0);
  for (size_t alignment = 4; alignment <= 65536; alignment *= 2) {
    void *mem = NULL;
    CHECK(posix_memalign(&mem, alignment, 0) == 0);
    CHECK_ALIGNED(mem, alignment);
    free(mem);
    mem = aligned_alloc(alignment, alignment * 3);
    CHECK_ALIGNED(mem, alignment);
    free(mem);
  }
  errno = 0;
  CHECK(aligned_alloc(24, 48) == NULL && errno == EINVAL);
  CHECK(aligned_alloc(0, 48) == NULL);
}

/* Size 0 shrinks and does not free, as in Emscripten's default; emmalloc's own names free. */
static void resize_to_nothing(void) {
  for (size_t size = 10; size <= 1000000; size *= 10) {
    void *const mem = malloc(size), *const wall = malloc(10);
    void *const least = realloc(mem, 0);
    CHECK(least != NULL && malloc_usable_size(least) <= 64);
    CHECK(realloc_in_place(least, 0) == least);
    void *const other = malloc(1);
    CHECK(other != least);
    free(other);
    free(least);
    free(wall);
  }
  free(realloc(NULL, 0));
  CHECK(realloc_in_place(NULL, 10) == NULL);
  errno = 0;
  void *const kept = malloc(10);
  CHECK(realloc_in_place(kept, SIZE_MAX - 64) == NULL && errno == ENOMEM);
  free(kept);
}

static void call_emmalloc(void) {
  unsigned char *mem = emmalloc_malloc(100);
  CHECK(emmalloc_usable_size(mem) >= 100 && emmalloc_usable_size(NULL) == 0);
  mem[99] = 7;
  mem = emmalloc_realloc(mem, 10000);
  CHECK(mem[99] == 7);
  CHECK(emmalloc_realloc_try(mem, 5000) == mem && emmalloc_realloc_try(NULL, 10) == NULL);
  CHECK(emmalloc_realloc_try(mem, SIZE_MAX - 64) == NULL);
  const struct mallinfo with = emmalloc_mallinfo();
  CHECK(with.uordblks >= 5000);
  CHECK(emmalloc_realloc(mem, 0) == NULL); /* freed */
  CHECK(emmalloc_mallinfo().uordblks <= with.uordblks - 5000);
  CHECK(emmalloc_realloc_try(emmalloc_malloc(10), 0) == NULL);
  mem = emmalloc_realloc_uninitialized(NULL, 50);
  mem = emmalloc_realloc_uninitialized(mem, 70000);
  CHECK(emmalloc_usable_size(mem) >= 70000);
  CHECK(emmalloc_realloc_uninitialized(mem, 0) == NULL);
  mem = emmalloc_memalign(256, 10);
  CHECK_ALIGNED(mem, 256);
  mem[9] = 9;
  void *const wall = emmalloc_malloc(10);
  mem = emmalloc_aligned_realloc(mem, 256, 20000);
  CHECK_ALIGNED(mem, 256);
  CHECK(mem[9] == 9);
  mem = aligned_realloc(mem, 256, 300000);
  CHECK_ALIGNED(mem, 256);
  CHECK(mem[9] == 9);
  mem = emmalloc_aligned_realloc_uninitialized(mem, 256, 900000);
  CHECK_ALIGNED(mem, 256);
  emmalloc_free(mem);
  emmalloc_free(wall);
  void *aligned = NULL;
  CHECK(emmalloc_posix_memalign(&aligned, 64, 10) == 0);
  CHECK_ALIGNED(aligned, 64);
  emmalloc_free(aligned);
  const unsigned char *const zeros = emmalloc_calloc(1000, 7);
  for (int i = 0; i < 7000; ++i) CHECK(zeros[i] == 0);
  emmalloc_free((void *)zeros);
  emmalloc_trim(0);
  CHECK(emmalloc_validate_memory_regions() == 0);
  CHECK(emmalloc_dynamic_heap_size() == malloc_footprint());
  void *const holes[] = {malloc(20000), malloc(10), malloc(40000), malloc(10)};
  free(holes[0]);
  free(holes[2]);
  size_t counts[32], sum = 0;
  const size_t found = emmalloc_compute_free_dynamic_memory_fragmentation_map(counts);
  for (int i = 0; i < 32; ++i) sum += counts[i];
  CHECK(found == sum && found >= 2);
  CHECK(emmalloc_free_dynamic_memory() >= 60000 && emmalloc_free_dynamic_memory() < emmalloc_dynamic_heap_size());
  CHECK(emmalloc_unclaimed_heap_memory() == emscripten_get_heap_max() - emscripten_get_heap_size());
  emmalloc_dump_memory_regions();
  emmalloc_dump_free_dynamic_memory_fragmentation_map();
  free(holes[1]);
  free(holes[3]);
}

int main(void) {
  align_oddly();
  resize_to_nothing();
  call_emmalloc();
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
  CHECK(realloc_in_place(mem, SIZE_MAX - 64) == NULL);
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
