/* Runs out of memory in the way that is asked for, with every call of malloc counted while malloc fails; then goes on working.
 *
 *   shortage       a block that no memory of the program can hold beside what is live
 *   fragmentation  every other block is freed, then a large one is asked for
 *   limit          memory that may not grow
 *   beyond         memory that may grow, but never grew, and not by so much
 *   leak           small blocks of one size, of which none is freed
 *   warned         a soft limit whose hook gives memory back
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heapglass/malloc.h>
#include <heapglass/out_of_memory.h>

static unsigned long calls; /* of the malloc family by the program and by what it is linked with */
void *malloc(size_t size) { return ++calls, hg_malloc(size); }
void free(void *mem) { ++calls, hg_free(mem); }
void *calloc(size_t count, size_t size) { return ++calls, hg_calloc(count, size); }
void *realloc(void *mem, size_t size) { return ++calls, hg_realloc(mem, size); }

enum { kMost = 400000 };
static void *blocks[kMost];
static unsigned warnings;
static void *reserve;

static unsigned fill(size_t size, unsigned count) {
  unsigned made = 0;
  while (made < count && (blocks[made] = malloc(size)) != NULL) memset(blocks[made++], 1, 8);
  return made;
}

static void give_back(size_t footprint, size_t limit) {
  ++warnings;
  printf("warned: %d\n", footprint > limit);
  free(reserve);
  reserve = NULL;
}

static void report(size_t asked) {
  static char text[2000];
  hg_malloc_stats before, after;
  hg_malloc_get_stats(&before);
  const unsigned long calls_before = calls;
  void *const mem = malloc(asked);
  const unsigned long calls_to_fail = calls - calls_before - 1;
  const size_t length = hg_out_of_memory_report(text, sizeof text);
  const unsigned long calls_to_tell = calls - calls_before - 1;
  hg_malloc_get_stats(&after);
  printf("failed %d, of %d counted calls meanwhile %lu %lu, blocks the same %d, length right %d\n", mem == NULL,
         calls_before > 90, calls_to_fail, calls_to_tell, before.in_use == after.in_use, length == strlen(text));
  printf("%s", text);
  char small[20];
  printf("cut %d\n", hg_out_of_memory_report(small, sizeof small) == 19 && strlen(small) == 19);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  printf("%s", hg_out_of_memory_report(NULL, 0) == 0 ? "" : "wrong\n");
  if (strcmp(how, "shortage") == 0) {
    fill(1000, 18000);
    report(20u << 20);
  } else if (strcmp(how, "fragmentation") == 0) {
    const unsigned made = fill(40000, kMost); /* too large for any cache */
    for (unsigned i = 0; i < made; i += 2) free(blocks[i]);
    for (unsigned i = 0; i < made; i += 2) blocks[i] = NULL;
    report(150000);
  } else if (strcmp(how, "limit") == 0) {
    for (unsigned i = 0; i < 100; ++i) blocks[i] = malloc(1000 * (i + 1));
    report(8u << 20);
  } else if (strcmp(how, "beyond") == 0) {
    fill(1000, 100);
    report(1u << 30);
  } else if (strcmp(how, "leak") == 0) {
    for (unsigned i = 0; i < 50; ++i) blocks[kMost - 1 - i] = malloc(3000);
    fill(100, kMost - 50);
    report(100);
  } else if (strcmp(how, "warned") == 0) {
    reserve = malloc(2u << 20);
    hg_set_soft_limit(4u << 20, give_back);
    fill(1000, 6000);
    printf("warnings %u\n", warnings);
    hg_set_soft_limit(8u << 20, give_back); /* anew */
    fill(5000, 3000);
    printf("warnings %u\n", warnings);
  }
  for (unsigned i = 0; i < kMost; ++i) free(blocks[i]);
  void *const again = malloc(1u << 20);
  printf("goes on %d\n", again != NULL && hg_heap_check(NULL) == NULL);
  return 0;
}
