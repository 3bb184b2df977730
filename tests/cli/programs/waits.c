/* Allocates, says so, and waits for a signal. */
#include <emscripten.h>
#include <stdio.h>
#include <stdlib.h>

static void *volatile kept;

static void more(void) { kept = malloc(100); }

int main(void) {
  more();
  printf("waiting\n");
  fflush(stdout);
  emscripten_set_main_loop(more, 10, 0);
  return 0;
}
