/* Randomness for those who ask the system for it (mimalloc, at its start): the same bytes in every run. Emscripten's
 * standalone library aborts instead. */
#include <stddef.h>
#include <stdint.h>

int getentropy(void *buffer, size_t count) {
  static uint32_t state = 0x9e3779b9u;
  for (size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    ((unsigned char *)buffer)[i] = (unsigned char)(state >> 24);
  }
  return 0;
}
