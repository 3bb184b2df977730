/* Threads that give each other blocks: each fills a block, swaps it into a shared place, and checks and frees what was there.
   Then many that begin and end: what they leave taken does not grow with their number. */
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *hg_malloc(size_t size) __attribute__((weak));

enum { kThreads = 3, kPlaces = 64, kRounds = 20000, kGenerations = 30, kLeft = 16 * 1024 };

typedef struct Block {
  uint32_t words; /* behind this one, each of them equal to its seed plus its place */
  uint32_t seed;
  uint32_t data[];
} Block;

static _Atomic(Block *) places[kPlaces];
static atomic_uint wrong;

static void give_back(Block *block) {
  if (block == NULL) return;
  for (uint32_t i = 0; i < block->words; ++i) {
    if (block->data[i] != block->seed + i) atomic_fetch_add(&wrong, 1);
  }
  free(block);
}

static void *swap_blocks(void *argument) {
  uint32_t state = (uint32_t)(uintptr_t)argument * 2654435761u + 1;
  for (int round = 0; round < kRounds; ++round) {
    state = state * 1664525u + 1013904223u;
    const uint32_t words = (state >> 8) % ((state >> 20) % 100 == 0 ? 5000 : 60);
    Block *const block = malloc(sizeof *block + words * sizeof(uint32_t));
    if (block == NULL) abort();
    block->words = words;
    block->seed = state;
    for (uint32_t i = 0; i < words; ++i) block->data[i] = state + i;
    give_back(atomic_exchange(&places[(state >> 4) % kPlaces], block));
  }
  return argument;
}

static void *use_blocks(void *argument) {
  void *blocks[100];
  for (int i = 0; i < 100; ++i) blocks[i] = malloc((size_t)i * 8 + 8);
  for (int i = 0; i < 100; ++i) free(blocks[i]);
  return argument;
}

static int taken_after(int generations) { /* bytes */
  for (int generation = 0; generation < generations; ++generation) {
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, use_blocks, NULL);
    for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  }
  usleep(200000); /* another thread may be the one that frees an ended thread's stack */
  return mallinfo().uordblks;
}

int main(void) {
  for (uintptr_t round = 0; round < 2; ++round) { /* the second time, threads begin where others ended */
    pthread_t threads[kThreads];
    for (uintptr_t i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, swap_blocks, (void *)(round * 10 + i + 1));
    swap_blocks((void *)(round * 10 + 9));
    for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < kPlaces; ++i) give_back(places[i]);
  printf("swapped, %u wrong\n", atomic_load(&wrong));
  const int before = taken_after(2), left = taken_after(kGenerations) - before;
  printf("%d threads left %s\n", kGenerations * kThreads, left < kLeft ? "next to nothing" : "memory taken");
  printf("heapglass %d\n", hg_malloc != NULL && (void *)malloc == (void *)hg_malloc);
  return 0;
}
