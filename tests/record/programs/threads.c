/* Threads that allocate and free each other's blocks: threads <calls of each>. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 3, kSlots = 300 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *slots[kSlots];
static unsigned long calls;

static void *work(void *number) {
  unsigned state = (unsigned)(size_t)number + 1;
  for (unsigned long i = 0; i < calls; ++i) {
    state = state * 1664525u + 1013904223u;
    void *mine = malloc(8 + (state >> 20) % 400);
    memset(mine, 1, 8);
    pthread_mutex_lock(&lock);
    void *old = slots[(state >> 8) % kSlots];
    slots[(state >> 8) % kSlots] = mine;
    pthread_mutex_unlock(&lock);
    free(old);
  }
  return 0;
}

int main(int argc, char **argv) {
  calls = argc > 1 ? strtoul(argv[1], 0, 10) : 1000;
  pthread_t threads[kThreads];
  for (size_t i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, work, (void *)i);
  for (size_t i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  printf("done %lu\n", calls);
  return 0;
}
