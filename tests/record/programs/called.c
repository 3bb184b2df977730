/* A program whose heap JavaScript drives: each call allocates and frees; one call may write far more events than the ring holds. */
#include <emscripten.h>
#include <stdlib.h>

#include <heapglass/heapglass.h>

enum { kSlots = 500 };
static void *slots[kSlots];
static unsigned state = 1;

EMSCRIPTEN_KEEPALIVE void churn(int calls) {
  for (int i = 0; i < calls; ++i) {
    state = state * 1664525u + 1013904223u;
    unsigned slot = (state >> 8) % kSlots;
    free(slots[slot]);
    slots[slot] = malloc(8 + (state >> 20) % ((state >> 4) % 16 == 0 ? 20000 : 300));
  }
}

EMSCRIPTEN_KEEPALIVE void mark_in_c(void) { hg_mark("a mark from C that is longer than one event"); }
