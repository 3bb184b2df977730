/* A program whose malloc is heapglass by its link flags alone: it says so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *hg_malloc(size_t size) __attribute__((weak)); /* of the archive; no other malloc has such a name */

static void *(*volatile any_malloc)(size_t) = malloc; /* read at run time: a compiler takes two functions for different ones */

int main(void) {
  char *const text = strdup("malloc is heapglass");
  printf("%s: %s\n", text, hg_malloc != NULL && any_malloc == hg_malloc ? "yes" : "no");
  free(text);
  return 0;
}
