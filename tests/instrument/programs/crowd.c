/* Threads that allocate, resize and free each other's blocks, and count their own calls: crowd [rounds [steps]]. Prints the sums as JSON.
 * Each round is a new set of threads, of which some end while others work. What libc and Emscripten themselves ask of malloc is
 * freed again or the same in every run; known by blocks of no other size than those below. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kThreads = 4, kSlots = 256 };
typedef struct { uint32_t size; uint32_t mark; } head;

static _Atomic(head *) slots[kSlots];
static atomic_ulong allocations, frees, reallocations, wrong;
static atomic_ullong allocated_bytes;
static int steps = 500;

/* By volatile pointers: a compiler that knows malloc leaves out what it thinks nobody sees. */
static void *(*volatile any_malloc)(size_t) = malloc;
static void *(*volatile any_calloc)(size_t, size_t) = calloc;
static void *(*volatile any_realloc)(void *, size_t) = realloc;
static void (*volatile any_free)(void *) = free;

static unsigned below(unsigned *state, unsigned limit) {
  *state = *state * 1664525u + 1013904223u;
  return (unsigned)(((uint64_t)*state * limit) >> 32);
}

/* Sizes are odd and at most 30,007: nobody else's are. */
static head *marked(head *mem, unsigned size) {
  mem->size = size;
  mem->mark = size ^ 0x5a5a5a5au;
  return mem;
}

__attribute__((noinline)) static head *take(unsigned size, int zeroed) {
  allocations += 1;
  allocated_bytes += size;
  return marked(zeroed ? any_calloc(1, size) : any_malloc(size), size);
}

__attribute__((noinline)) static void give_back(head *mem) {
  if (mem == NULL) return;
  if (mem->mark != (mem->size ^ 0x5a5a5a5au)) wrong += 1;
  frees += 1;
  any_free(mem);
}

__attribute__((noinline)) static head *resize(head *mem, unsigned size) {
  if (mem->mark != (mem->size ^ 0x5a5a5a5au)) wrong += 1;
  reallocations += 1;
  return marked(any_realloc(mem, size), size);
}

static void *work(void *arg) {
  unsigned state = (unsigned)(uintptr_t)arg;
  for (int i = 0; i < steps; ++i) {
    const unsigned slot = below(&state, kSlots);
    const unsigned size = (8 + below(&state, below(&state, 12) == 0 ? 30000 : 300)) | 1;
    head *mem = atomic_exchange(&slots[slot], NULL);
    const unsigned what = below(&state, 4);
    if (what == 0 && mem != NULL) {
      mem = resize(mem, size);
    } else {
      give_back(mem); /* of any thread */
      mem = what == 3 ? NULL : take(size, what == 1);
    }
    give_back(atomic_exchange(&slots[slot], mem));
  }
  return NULL;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 2;
  if (argc > 2) steps = atoi(argv[2]);
  for (int round = 0; round < rounds; ++round) {
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)(1 + round * kThreads + i));
    work((void *)(uintptr_t)(1000 + round));
    for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  }
  unsigned long live = 0;
  for (int i = 0; i < kSlots; ++i) live += slots[i] != NULL;
  printf("{\"allocations\":%lu,\"allocated_bytes\":%llu,\"frees\":%lu,\"reallocations\":%lu,\"live_blocks\":%lu,\"wrong\":%lu}\n", allocations,
         allocated_bytes, frees, reallocations, live, wrong);
  return 0;
}
