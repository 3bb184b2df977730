/* Threads that end while others allocate: six at a time, each gone after a few hundred blocks, a third of which another frees.
 * On Emscripten 3.1.6 the block of a thread's own variables is malloc's, and is freed by the thread that stands on it. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kThreads = 6, kRounds = 12, kBlocks = 300 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *left[64];
static _Thread_local char own[1000];

/* Leaves a block for another thread, and frees what lay there. */
static void exchange(unsigned at, void *mem) {
  pthread_mutex_lock(&lock);
  void *const other = left[at % 64];
  left[at % 64] = mem;
  pthread_mutex_unlock(&lock);
  free(other);
}

static void *live(void *argument) {
  unsigned state = (unsigned)(uintptr_t)argument * 2654435761u + 1, wrong = 0;
  unsigned char *blocks[kBlocks];
  memset(own, (int)(uintptr_t)argument, sizeof own);
  for (int i = 0; i < kBlocks; ++i) {
    state = state * 1664525u + 1013904223u;
    const size_t size = (state >> 24) % 16 == 0 ? 40000 : (state >> 16) % 600 + 1;
    blocks[i] = malloc(size);
    memset(blocks[i], i, size);
  }
  for (int i = 0; i < kBlocks; ++i) {
    wrong += blocks[i][0] != (unsigned char)i;
    if (i % 3 == 0) exchange(state >> 8, blocks[i]); else free(blocks[i]);
    state = state * 1664525u + 1013904223u;
  }
  for (size_t i = 0; i < sizeof own; ++i) wrong += own[i] != (char)(uintptr_t)argument;
  return (void *)(uintptr_t)wrong;
}

int main(void) {
  unsigned wrong = 0, ended = 0;
  for (int round = 0; round < kRounds; ++round) {
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i) {
      if (pthread_create(&threads[i], NULL, live, (void *)(uintptr_t)(round * kThreads + i))) return 1;
    }
    for (int i = 0; i < kThreads; ++i) {
      void *result = NULL;
      pthread_join(threads[i], &result);
      wrong += (unsigned)(uintptr_t)result;
      ++ended;
    }
    fprintf(stderr, "round %d: the break is at %u KiB\n", round, (unsigned)((uintptr_t)sbrk(0) >> 10));
  }
  for (int i = 0; i < 64; ++i) free(left[i]);
  printf("%u threads ended, %u wrong\n", ended, wrong);
  return 0;
}
