/* A day of five kinds of programs: 24 hours of work, and a lull at the end of each, when nine tenths of what lives goes.
 *
 *   churn_begin(kind) ─▶ churn_hour(operations, load) ─▶ figures at work ─▶ churn_lull() ─▶ figures in the lull ─▶ ...
 *
 *  churn.D1  What lives is known here, block by block: pages with a byte of a block on them are counted in the same way for every
 *      allocator. The list of blocks is static memory and no part of the heap.
 *  churn.D2  One operation is a malloc, a free or a realloc. The same seed makes the same ones under every allocator.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((used, visibility("default")))

enum { kServer, kCache, kEditor, kGame, kCompiler };
enum { kMostBlocks = 1 << 20, kPageBits = 12, kPages = 1 << (32 - kPageBits), kLullShare = 10, kRecent = 1000 };

typedef struct {
  unsigned char *at;
  uint32_t size;
} Block;

static Block blocks[kMostBlocks];
static uint32_t count, kind, state, oldest;
static uint64_t live;
static uint8_t touched[kPages / 8];
static uint16_t blocks_on[kPages];

static uint32_t below(uint32_t n) {
  state = state * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)(state >> 4) * n) >> 28);
}

static uint32_t size_of_kind(void) {
  switch (kind) {
    case kServer: return below(20) == 0 ? 2000 + below(6000) : 16 + below(below(4) == 0 ? 500 : 100);
    case kCache: return 200 + below(below(3) == 0 ? 20000 : 2000);
    case kEditor: return 20 + below(below(10) == 0 ? 30000 : 300);
    case kGame: return below(50) == 0 ? 10000 + below(200000) : 32 + below(400);
    default: return 24 + 8 * below(20);
  }
}

static void fail(void) { __builtin_trap(); }

static void allocate(void) {
  const uint32_t size = size_of_kind();
  if (count == kMostBlocks) return;
  unsigned char *const at = malloc(size);
  if (at == NULL) fail();
  at[0] = (unsigned char)size;
  at[size - 1] = (unsigned char)(size >> 8);
  blocks[count++] = (Block){at, size};
  live += size;
}

static void release(uint32_t i) {
  const Block block = blocks[i];
  if (block.size > 1 && block.at[block.size - 1] != (unsigned char)(block.size >> 8)) fail();
  live -= block.size;
  free(block.at);
  blocks[i] = blocks[--count];
}

static void resize(uint32_t i) {
  Block *const block = &blocks[i];
  const uint32_t size = below(3) == 0 ? block->size / 2 + 8 : block->size + block->size / 2 + 8;
  if (size > 200000) return;
  unsigned char *const at = realloc(block->at, size);
  if (at == NULL) fail();
  at[size - 1] = (unsigned char)(size >> 8);
  live += (uint64_t)size - block->size;
  *block = (Block){at, size};
}

/* Which block goes. */
static uint32_t next_to_go(void) {
  switch (kind) {
    case kServer: return below(10) == 0 || count <= kRecent ? below(count) : count - 1 - below(kRecent);
    case kCache: return oldest = oldest + 1 < count ? oldest + 1 : 0;
    case kCompiler: return below(30) == 0 ? below(count) : count - 1;
    default: return below(count);
  }
}

EXPORT void churn_begin(uint32_t which, uint32_t seed) {
  kind = which;
  state = seed;
}

/* Works with so many bytes alive, about. */
EXPORT void churn_hour(uint32_t operations, uint32_t bytes) {
  for (uint32_t i = 0; i < operations; ++i) {
    if (kind == kEditor && count > 100 && below(2) == 0) resize(below(count));
    else if (count == 0 || (live < bytes && below(8) != 0)) allocate();
    else release(next_to_go());
  }
}

/* Nine tenths go, wherever they lie. How many operations. */
EXPORT uint32_t churn_lull(void) {
  const uint32_t keep = count / kLullShare, before = count;
  while (count > keep) release(below(count));
  return before - keep;
}

/* Where the allocator has it. */
extern int malloc_trim(size_t) __attribute__((weak));
EXPORT void churn_trim(void) {
  if (malloc_trim != NULL) malloc_trim(0);
}

/* Free chunks with a whole page of 4 KiB inside: what a question for the returnable bytes visits. 0 where nobody can say. */
extern size_t hg_heap_free_pages(const void *heap, size_t page, size_t *cursor, size_t *runs, size_t capacity) __attribute__((weak));
EXPORT uint32_t churn_visited(void) {
  size_t cursor[2] = {0, 0}, runs[64], all = 0;
  if (hg_heap_free_pages == NULL) return 0;
  for (size_t found; (found = hg_heap_free_pages(NULL, 1 << kPageBits, cursor, runs, 32)) != 0;) all += found;
  return (uint32_t)all;
}

EXPORT double churn_live(void) { return (double)live; }

/* Pages of 2^bits bytes with a byte of a block on them. */
EXPORT uint32_t churn_pages(uint32_t bits) {
  memset(touched, 0, sizeof touched);
  uint32_t pages = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t first = (uint32_t)(uintptr_t)blocks[i].at >> bits;
    const uint32_t last = (uint32_t)((uintptr_t)blocks[i].at + blocks[i].size - 1) >> bits;
    for (uint32_t page = first; page <= last; ++page) {
      if ((touched[page / 8] >> page % 8 & 1) != 0) continue;
      touched[page / 8] |= (uint8_t)(1 << page % 8);
      ++pages;
    }
  }
  return pages;
}

/* Pages of 4 KiB that a lull leaves when chance alone chooses its blocks: a page of k blocks stays with 1 - 0.9^k. Without knowing what will
 * go no placement of the same blocks on these pages has fewer. */
EXPORT double churn_chance(void) {
  memset(blocks_on, 0, sizeof blocks_on);
  uint32_t last_page = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t first = (uint32_t)(uintptr_t)blocks[i].at >> kPageBits;
    const uint32_t last = (uint32_t)((uintptr_t)blocks[i].at + blocks[i].size - 1) >> kPageBits;
    for (uint32_t page = first; page <= last; ++page) ++blocks_on[page];
    if (last > last_page) last_page = last;
  }
  double pages = 0;
  for (uint32_t page = 0; page <= last_page; ++page) {
    double none = 1;
    for (uint32_t k = blocks_on[page]; k > 0; --k) none *= 1 - 1.0 / kLullShare;
    pages += 1 - none;
  }
  return pages;
}
