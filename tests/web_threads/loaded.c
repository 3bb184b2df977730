/* What each thread of loaded_page.js calls: blocks swapped through places that all threads share, as in crowd.c. Linked without
   Emscripten's JavaScript and without libc's threads; each thread is an instance of the module on one memory. */
#include <heapglass/heapglass.h>
#include <heapglass/malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { kPlaces = 64, kWords = 40, kStack = 32 * 1024, kThreads = 4 };

typedef struct Block {
  uint32_t words; /* behind this one, each of them equal to its seed plus its place */
  uint32_t seed;
  uint32_t data[];
} Block;

static _Atomic(Block *) places[kPlaces];
static atomic_uint wrong;
static _Alignas(64) char stacks[kThreads][kStack];

static void give_back(Block *block) {
  if (block == NULL) return;
  for (uint32_t i = 0; i < block->words; ++i) {
    if (block->data[i] != block->seed + i) atomic_fetch_add(&wrong, 1);
  }
  free(block);
}

/* The lowest address of a thread's stack; its variables begin there. */
char *loaded_stack(int thread) { return stacks[thread]; }
int loaded_stack_bytes(void) { return kStack; }

/* Some blocks; `state` is what the call before returned. Every fourth is too large for a cache. */
uint32_t loaded_swap(uint32_t state, unsigned count) {
  for (unsigned round = 0; round < count; ++round) {
    state = state * 1664525u + 1013904223u;
    const uint32_t words = (state >> 8) % kWords;
    Block *const block = malloc(sizeof *block + words * sizeof(uint32_t) + (state >> 30 == 0 ? 65536 : 0));
    if (block == NULL) {
      atomic_fetch_add(&wrong, 1);
      continue;
    }
    block->words = words;
    block->seed = state;
    for (uint32_t i = 0; i < words; ++i) block->data[i] = state + i;
    give_back(atomic_exchange(&places[(state >> 4) % kPlaces], block));
  }
  return state;
}

/* The last call of a thread that ends (threads.E5). Its variables may then be anything. */
void loaded_end(void) { hg_malloc_flush(); }

/* 0: all blocks were whole, and nothing is in use or cached. pre: the other threads have ended */
uint32_t loaded_judge(void) {
  for (int i = 0; i < kPlaces; ++i) give_back(atomic_exchange(&places[i], NULL));
  hg_malloc_flush();
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  return (wrong != 0) | (stats.in_use != 0) << 1 | (stats.cached != 0) << 2 | (hg_heap_check(NULL) != NULL) << 3;
}
