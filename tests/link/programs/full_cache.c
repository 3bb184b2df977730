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

static unsigned free_all(char **last) {
  unsigned blocks = 0;
  while (last != NULL) {
    char **next = (char **)*last;
    free(last);
    last = next;
    ++blocks;
  }
  return blocks;
}

int main(void) {
  const size_t kSizes[] = {24, 100, 700, 4000};
  for (unsigned i = 0; i < 4; ++i) {
    if (free_all(fill(kSizes[i])) < 100) return printf("memory held too little\n"), 1;
    void *large = malloc(20000);
    if (large == NULL) return printf("malloc(20000) failed, and blocks of %u bytes were cached\n", (unsigned)kSizes[i]), 1;
    free(large);
    free_all(fill(kSizes[i]));
    void *aligned = aligned_alloc(4096, 12288);
    if (aligned == NULL || (uintptr_t)aligned % 4096 != 0) return printf("aligned_alloc failed, blocks of %u\n", (unsigned)kSizes[i]), 1;
    free(aligned);
  }
  puts("ok");
  return 0;
}
