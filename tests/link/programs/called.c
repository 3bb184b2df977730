/* Calls that do nothing, little and more: for the price of a call (tests/bench/shrink/call_bench.mjs). */
#include <emscripten.h>
#include <stdint.h>
#include <stdlib.h>

EMSCRIPTEN_KEEPALIVE void nothing(void) {}
EMSCRIPTEN_KEEPALIVE uint32_t add(uint32_t a, uint32_t b) { return a + b; }
EMSCRIPTEN_KEEPALIVE uint32_t block(uint32_t size) {
  volatile unsigned char *const at = malloc(size);
  at[0] = 1;
  const uint32_t last = (uint32_t)(uintptr_t)at;
  free((void *)at);
  return last;
}
EMSCRIPTEN_KEEPALIVE uint32_t work(uint32_t loops) {
  uint32_t state = loops;
  for (uint32_t i = 0; i < loops; ++i) state = state * 1664525u + 1013904223u + (state >> 7);
  return state;
}
int main(void) { return 0; }
