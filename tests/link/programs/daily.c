/* An ordinary C program: what libc allocates by itself, and what a program asks for. Prints the same lines whoever its malloc is,
 * but for the last: whether malloc is heapglass's. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *hg_malloc(size_t size) __attribute__((weak)); /* of the archive; the toolchain's malloc has no such name */

/* By volatile pointers: a compiler that knows malloc leaves out what it thinks nobody sees, errno included. */
static void *(*volatile any_malloc)(size_t) = malloc;
static void *(*volatile any_calloc)(size_t, size_t) = calloc;
static void *(*volatile any_realloc)(void *, size_t) = realloc;
static void (*volatile any_free)(void *) = free;

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void sort_strings(void) {
  enum { kStrings = 2000 };
  char **const texts = malloc(kStrings * sizeof *texts);
  for (unsigned i = 0; i < kStrings; ++i) {
    char buffer[32];
    snprintf(buffer, sizeof buffer, "%08u-%u", i * 2654435761u % 100000007u, i);
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

static void grow_and_zero(void) {
  unsigned char *bytes = NULL;
  unsigned wrong = 0;
  for (size_t size = 1; size < 200000; size = size * 3 / 2 + 1) {
    const size_t before = size * 2 / 3;
    bytes = any_realloc(bytes, size);
    for (size_t i = 0; i + 1 < before; ++i) wrong += bytes[i] != (unsigned char)(i * 7);
    for (size_t i = 0; i < size; ++i) bytes[i] = (unsigned char)(i * 7);
  }
  any_free(bytes);
  for (size_t size = 1; size < 300000; size *= 3) {
    unsigned char *const zeros = any_calloc(size, 1);
    for (size_t i = 0; i < size; ++i) wrong += zeros[i] != 0;
    memset(zeros, 0xff, size);
    any_free(zeros);
  }
  printf("grown and zeroed, %u wrong\n", wrong);
}

static void align(void) {
  unsigned wrong = 0;
  for (size_t alignment = 4; alignment <= 65536; alignment *= 2) {
    void *a = NULL;
    wrong += posix_memalign(&a, alignment, 100) != 0 || (uintptr_t)a % alignment != 0;
    void *const b = aligned_alloc(alignment, alignment * 2);
    wrong += b == NULL || (uintptr_t)b % alignment != 0;
    void *const c = memalign(alignment, 1);
    wrong += c == NULL || (uintptr_t)c % alignment != 0;
    free(b);
    free(a);
    free(c);
  }
  printf("aligned, %u wrong\n", wrong);
}

static void refuse(void) {
  unsigned wrong = 0;
  errno = 0;
  wrong += any_malloc(SIZE_MAX - 64) != NULL || errno != ENOMEM;
  errno = 0;
  wrong += any_calloc(SIZE_MAX / 2, 3) != NULL || errno != ENOMEM;
  void *const kept = any_malloc(10);
  errno = 0;
  wrong += any_realloc(kept, SIZE_MAX - 64) != NULL || errno != ENOMEM;
  any_free(kept);
  void *untouched = &wrong;
  errno = 0;
  wrong += posix_memalign(&untouched, 24, 8) != EINVAL || posix_memalign(&untouched, 2, 8) != EINVAL;
  wrong += posix_memalign(&untouched, 64, SIZE_MAX - 256) != ENOMEM || untouched != &wrong || errno != 0;
  void *(*volatile any_aligned)(size_t, size_t) = aligned_alloc;
  wrong += any_aligned(24, 48) != NULL || errno != EINVAL;
  errno = 0;
  wrong += any_aligned(64, SIZE_MAX - 256) != NULL || errno != ENOMEM;
  printf("refused, %u wrong\n", wrong);
}

static void count(void) {
  void *const first = any_malloc(1);
  const struct mallinfo before = mallinfo();
  void *const mem = any_malloc(12345);
  const struct mallinfo with = mallinfo();
  const size_t usable = malloc_usable_size(mem);
  any_free(mem);
  const struct mallinfo after = mallinfo();
  any_free(first);
  printf("counted %d %d %d\n", with.uordblks - before.uordblks >= 12345 && usable >= 12345,
         after.uordblks == before.uordblks, after.arena >= after.uordblks + after.fordblks);
}

static void say_bye(void) {
  char *const text = malloc(100);
  strcpy(text, "bye");
  puts(text);
  free(text);
}

static void do_nothing(void) {}

int main(void) {
  atexit(say_bye);
  for (int i = 0; i < 40; ++i) atexit(do_nothing); /* more than 32 make libc allocate */
  setenv("HG_LINK", "an environment", 1);
  sort_strings();
  grow_and_zero();
  align();
  refuse();
  count();
  char *text = NULL;
  size_t size = 0;
  FILE *const stream = open_memstream(&text, &size);
  fprintf(stream, "%s of %d", getenv("HG_LINK"), 1);
  fclose(stream);
  printf("%s, %u\n", text, (unsigned)size);
  free(text);
  printf("heapglass %d\n", hg_malloc != NULL && (void *)malloc == (void *)hg_malloc);
  return 0;
}
