/* The size of a block says which function asked for it, of 2000 + number:  sited <rounds> [threads] */
#include <stdio.h>
#include <stdlib.h>

#ifdef __EMSCRIPTEN_PTHREADS__
#include <pthread.h>
#endif

enum { kFirst = 2000, kSites = 6, kSlots = 40 };

#define SITE(n) \
  __attribute__((noinline)) static void *site_##n(void) { return malloc(kFirst + n); }
SITE(0)
SITE(1)
SITE(2)
__attribute__((noinline)) static void *site_3(void) { return calloc(1, kFirst + 3); }
__attribute__((noinline)) static void *site_4(void) { return realloc(malloc(16), kFirst + 4); }
__attribute__((noinline)) static void *site_5(void) { return aligned_alloc(64, kFirst + 5); }
static void *(*const sites[kSites])(void) = {site_0, site_1, site_2, site_3, site_4, site_5};

/* A thread's stack says how deep it is, so that no two threads have the same. Volatile, or a compiler makes a loop of it. */
static unsigned long work(int depth, unsigned long rounds);
static unsigned long (*volatile deeper)(int, unsigned long) = work;

static unsigned long work(int depth, unsigned long rounds) {
  if (depth > 0) return deeper(depth - 1, rounds) + 1;
  void *slots[kSlots] = {0};
  unsigned state = 1;
  for (unsigned long i = 0; i < rounds; ++i) {
    state = state * 1664525u + 1013904223u;
    void **slot = &slots[(state >> 8) % kSlots];
    free(*slot);
    *slot = sites[(state >> 20) % kSites]();
  }
  for (int i = 0; i < kSlots; ++i) free(slots[i]);
  return rounds;
}

static unsigned long rounds;
static void *begin(void *depth) { return (void *)work((int)(size_t)depth, rounds); }

int main(int argc, char **argv) {
  rounds = argc > 1 ? strtoul(argv[1], 0, 10) : 1000;
  const int count = argc > 2 ? atoi(argv[2]) : 0;
#ifdef __EMSCRIPTEN_PTHREADS__
  pthread_t threads[8];
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], 0, begin, (void *)(size_t)(i + 1));
  for (int i = 0; i < count; ++i) pthread_join(threads[i], 0);
#endif
  begin(0);
  printf("done %d\n", count);
  return 0;
}
