/* A program with a known number of calls of malloc: churn <calls> [marks]. Blocks of changing sizes, about 1,000 alive. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heapglass/heapglass.h>

enum { kSlots = 1000 };
static void *slots[kSlots];

int main(int argc, char **argv) {
  unsigned long calls = argc > 1 ? strtoul(argv[1], 0, 10) : 1000;
  unsigned state = 1;
  for (unsigned long i = 0; i < calls; ++i) {
    state = state * 1664525u + 1013904223u;
    unsigned slot = (state >> 8) % kSlots;
    if (argc > 2 && i % (calls / 3 + 1) == 0) {
      char name[40];
      snprintf(name, sizeof name, "part %lu of the program", i / (calls / 3 + 1) + 1);
      hg_mark(name);
    }
    free(slots[slot]);
    size_t size = 8 + (state >> 20) % ((state >> 4) % 16 == 0 ? 20000 : 300);
    slots[slot] = malloc(size);
    memset(slots[slot], (int)slot, size < 64 ? size : 64);
  }
  printf("done %lu\n", calls);
  return 0;
}
