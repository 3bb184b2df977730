/* Proves that a linked allocator is one, whichever it is: alignment, contents through every kind of call, usable size, and
 * a random day in which each block's bytes are compared with a twin that only knows what was written. Returns 0, or the
 * line of the first thing that is wrong.
 *
 *   K1  A block holds one byte value throughout, made from its slot; so overlapping blocks are seen when either is left.
 *   K2  A block is aligned to what was asked, else for what can lie in it (to 8; to 4 when smaller). Its usable size is at
 *       least its size, and may be written.
 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kSlots = 2000, kSteps = 40000 };

typedef struct Block {
  unsigned char *mem;
  size_t size, filled; /* filled: all the bytes that hold the value, up to the usable size */
  size_t alignment;
  unsigned char value;
} Block;

static Block blocks[kSlots];
static uint32_t seed = 20261;
static int failed_line;

#define CHECK(condition) do { if (!(condition) && failed_line == 0) failed_line = __LINE__; } while (0)

static uint32_t random_below(uint32_t limit) {
  seed = seed * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)seed * limit) >> 32);
}

static size_t random_size(void) {
  const uint32_t kind = random_below(100);
  if (kind < 70) return random_below(256);
  if (kind < 95) return random_below(8192);
  return random_below(kind == 99 ? 1000000 : 100000);
}

static int holds(const unsigned char *mem, size_t size, unsigned char value) {
  for (size_t i = 0; i < size; ++i)
    if (mem[i] != value) return 0;
  return 1;
}

static size_t natural(size_t size) { return size < 8 ? 4 : 8; }

static void fill(Block *block, unsigned char *mem, size_t size, size_t alignment) {
  CHECK(mem != NULL);
  if (mem == NULL) exit(failed_line);
  CHECK((uintptr_t)mem % alignment == 0);
  CHECK(malloc_usable_size(mem) >= size);
  block->mem = mem;
  block->size = size;
  block->filled = malloc_usable_size(mem);
  block->alignment = alignment;
  block->value = (unsigned char)(random_below(255) + 1);
  memset(mem, block->value, block->filled);
}

static void release(Block *block) {
  CHECK(holds(block->mem, block->filled, block->value));
  free(block->mem);
  block->mem = NULL;
}

static void take(Block *block) {
  const size_t size = random_size(), alignment = (size_t)8 << random_below(random_below(20) == 0 ? 14 : 6);
  void *mem = NULL;
  switch (random_below(5)) {
    case 0: {
      unsigned char *zeroed = calloc(3, size);
      CHECK(zeroed != NULL && holds(zeroed, size * 3, 0));
      return fill(block, zeroed, size * 3, natural(size * 3));
    }
    case 1: return fill(block, memalign(alignment, size), size, alignment);
    case 2:
      CHECK(posix_memalign(&mem, alignment, size) == 0);
      return fill(block, mem, size, alignment);
    default: return fill(block, malloc(size), size, natural(size));
  }
}

static void change(Block *block) {
  const size_t size = random_below(3) == 0 ? block->size + random_below(500) + 1 : random_size() + 1;
  unsigned char *mem = realloc(block->mem, size);
  CHECK(mem != NULL && holds(mem, size < block->size ? size : block->size, block->value));
  fill(block, mem, size, natural(size));
}

int main(void) {
  for (int step = 0; step < kSteps && failed_line == 0; ++step) {
    Block *block = &blocks[random_below(kSlots)];
    if (block->mem == NULL) take(block);
    else if (random_below(4) == 0) change(block);
    else release(block);
  }
  for (int i = 0; i < kSlots; ++i)
    if (blocks[i].mem != NULL) release(&blocks[i]);
  void *volatile huge = malloc(SIZE_MAX - 100);
  CHECK(huge == NULL);
  volatile size_t many = SIZE_MAX / 2 + 2;
  huge = calloc(many, 2);
  CHECK(huge == NULL);
  void *mem = NULL;
  CHECK(posix_memalign(&mem, 3, 8) == EINVAL);
  free(NULL);
  CHECK(malloc_usable_size(NULL) == 0);
  return failed_line;
}
