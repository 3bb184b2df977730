/* A program whose malloc is heapglass by its link flags alone: it says so. Its words leave a heap with holes, to be looked at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *hg_malloc(size_t size) __attribute__((weak)); /* of the archive; no other malloc has such a name */

static void *(*volatile any_malloc)(size_t) = malloc; /* read at run time: a compiler takes two functions for different ones */

#define WORDS 600
static char *words[WORDS];

/* Blocks of 8 to 307 bytes, every third of them freed again. */
static void keep_words(void) {
  for (int i = 0; i < WORDS; i++) words[i] = calloc(1, 8 + i * 37 % 300);
  for (int i = 0; i < WORDS; i += 3) free(words[i]);
}

int main(void) {
  char *const text = strdup("malloc is heapglass");
  keep_words();
  printf("%s: %s\n", text, hg_malloc != NULL && any_malloc == hg_malloc ? "yes" : "no");
  free(text);
  return 0;
}
