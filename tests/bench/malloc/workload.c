/* The same loops for every allocator: which one it is, is decided by the macros ALLOCATE, DEALLOCATE and by the link.
 *
 *   B1  Every block is written to once (its first word), as a user would (every allocator here gives
 *       at least four usable bytes for one asked), and its address goes through a volatile, so
 *       that no compiler removes a call.
 *   B2  Randomness is an xorshift32 inside the module; the same seed gives the same requests under every allocator.
 *   B3  BENCH_NOTHING runs the loops with a constant address: what is left is the cost of the loop itself.
 *
 * Each function returns the number of allocate+deallocate pairs it made; 0 means that memory ran out.
 */
#include <stddef.h>
#include <stdint.h>

#if defined(BENCH_HEAPGLASS)
#include <heapglass/heapglass.h>
static hg_heap *heap;
#define SETUP() (heap = hg_default_heap())
#define ALLOCATE(size) hg_heap_allocate(heap, size)
#define DEALLOCATE(mem) hg_heap_deallocate(heap, mem)
#elif defined(BENCH_NOTHING)
static uint32_t nothing[256];
#define SETUP() (nothing)
#define ALLOCATE(size) ((void *)(nothing + ((size) & 1)))
#define DEALLOCATE(mem) ((void)(mem))
#else
#include <stdlib.h>
#define SETUP() ((void *)1)
#define ALLOCATE(size) malloc(size)
#define DEALLOCATE(mem) free(mem)
#endif

#define EXPORT __attribute__((used, visibility("default")))

enum { kDepth = 1000, kLive = 10000, kMaxRandomSize = 512 };

static void *volatile escape;
static void *stack[kDepth];
static void *slots[kLive];
static uint32_t random_state;

static inline uint32_t next_random(void) {
  uint32_t x = random_state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return random_state = x;
}

static inline void *allocate_and_touch(size_t size) {
  escape = ALLOCATE(size);
  void *mem = escape;
  if (mem) *(volatile uint32_t *)mem = (uint32_t)size;
  return mem;
}

/* Makes the heap ready; 0 when it cannot. */
EXPORT uint32_t bench_setup(void) {
  random_state = 0x2545f491u;
  return SETUP() != 0;
}

/* One block at a time: 64 bytes, freed at once. */
EXPORT uint32_t bench_lifo_pair(uint32_t pairs) {
  for (uint32_t i = 0; i < pairs; ++i) {
    void *mem = allocate_and_touch(64);
    if (!mem) return 0;
    DEALLOCATE(mem);
  }
  return pairs;
}

/* A stack of 1000 blocks of 64 bytes, filled and emptied in reverse. */
EXPORT uint32_t bench_lifo_depth(uint32_t pairs) {
  uint32_t done = 0;
  while (done < pairs) {
    for (uint32_t i = 0; i < kDepth; ++i)
      if (!(stack[i] = allocate_and_touch(64))) return 0;
    for (uint32_t i = kDepth; i-- > 0;) DEALLOCATE(stack[i]);
    done += kDepth;
  }
  return done;
}

/* 10,000 live blocks of 1 to 512 bytes; each step frees one at random and puts a new one in its place. */
EXPORT uint32_t bench_random_live(uint32_t pairs) {
  for (uint32_t i = 0; i < kLive; ++i) {
    if (slots[i]) continue;
    if (!(slots[i] = allocate_and_touch(1 + next_random() % kMaxRandomSize))) return 0;
  }
  for (uint32_t i = 0; i < pairs; ++i) {
    uint32_t at = next_random() % kLive;
    DEALLOCATE(slots[at]);
    if (!(slots[at] = allocate_and_touch(1 + next_random() % kMaxRandomSize))) return 0;
  }
  return pairs;
}

/* Frees what bench_random_live left alive. */
EXPORT uint32_t bench_clear(void) {
  uint32_t freed = 0;
  for (uint32_t i = 0; i < kLive; ++i) {
    if (!slots[i]) continue;
    DEALLOCATE(slots[i]);
    slots[i] = 0;
    ++freed;
  }
  return freed;
}
