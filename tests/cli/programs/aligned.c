// Forty blocks at multiples of 64, 128 and 256, between blocks of malloc; all are freed. How many were asked for is printed.

#include <stdio.h>
#include <stdlib.h>

enum { kBlocks = 40 };

static int (*volatile any_aligned)(void **, size_t, size_t) = posix_memalign;
static void *(*volatile any)(size_t) = malloc;

int main(void) {
  void *aligned[kBlocks];
  void *plain[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    if (any_aligned(&aligned[i], (size_t)64 << (i % 3), (size_t)(100 + i)) != 0) return 1;
    plain[i] = any(24);
  }
  for (int i = 0; i < kBlocks; ++i) {
    free(aligned[i]);
    free(plain[i]);
  }
  printf("%d\n", kBlocks);
  return 0;
}
