/* Memory is full and all of it is freed, so it is cached. What is asked then must be served from it (malloc.M5). Prints ok. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **fill(size_t bytes) {
  char **last = NULL;
  for (;;) {
    char **mem = malloc(bytes);
    if (mem == NULL) return last;
    *mem = (char *)last;
    last = mem;
  }
}

static char **free_some(char **last, unsigned blocks) {
  for (; last != NULL && blocks > 0; --blocks) {
    char **next = (char **)*last;
    free(last);
    last = next;
  }
  return last;
}

enum { kLarge = 9000, kSome = 2 * kLarge, kAll = -1 };

int main(void) {
  const size_t kSizes[] = {24, 100, 700, 4000};
  for (unsigned i = 0; i < 4; ++i) {
    char **blocks = fill(kSizes[i]);
    /* The first of them are flushed for these; the cache then begins to count anew. */
    blocks = free_some(blocks, kSome / kSizes[i]);
    char **large = fill(kLarge);
    free_some(blocks, kAll);
    void *more = malloc(kLarge);
    if (more == NULL) return printf("malloc(%d) failed while blocks of %u bytes were cached\n", kLarge, (unsigned)kSizes[i]), 1;
    free(more);
    free_some(large, kAll);

    free_some(fill(kSizes[i]), kAll);
    void *aligned = aligned_alloc(4096, 12288);
    if (aligned == NULL || (uintptr_t)aligned % 4096 != 0) return printf("aligned_alloc failed\n"), 1;
    free(aligned);
  }
  puts("ok");
  return 0;
}
