/* A program that sleeps in the middle of a call, with something on its stack. */
#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

EMSCRIPTEN_KEEPALIVE void *hold(unsigned bytes) { return memset(malloc(bytes), 1, bytes); }
EMSCRIPTEN_KEEPALIVE void let_go(void *mem) { free(mem); }
EMSCRIPTEN_KEEPALIVE int sleeps(int ms) {
  int kept[3] = {1, 2, 4};
  emscripten_sleep(ms);
  return kept[0] + kept[1] + kept[2];
}
int main(void) { return 0; }
