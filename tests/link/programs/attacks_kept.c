/* Attacks on what malloc keeps for itself in chunks of the heap, on what looks at the heap (figures, walks, snapshots), and on bins of one size. */
#include "attacks.h"

#include <unistd.h>

extern int malloc_trim(size_t pad) __attribute__((weak));
struct mallinfo mallinfo(void) __attribute__((weak));
extern size_t hg_malloc_cached_pages(size_t page_bytes, size_t *cursor, size_t *runs, size_t capacity) __attribute__((weak));
extern size_t hg_heap_free_pages(const void *heap, size_t page_bytes, size_t *cursor, size_t *runs, size_t capacity) __attribute__((weak));
extern uint32_t hg_walk_hash(const void *heap, size_t *records) __attribute__((weak));

enum { kStep = 1024, kMany = 600, kLarge = 40000 };

static void bend(uint32_t *word, const void *from, const void *to) { /* by the difference of two addresses of chunks */
  *word ^= (from == NULL ? 0 : address(from) - 4) ^ (to == NULL ? 0 : address(to) - 4);
}
static void flush(void) {
  if (malloc_trim != NULL) malloc_trim(1 << 20);
}

/* ---- bins whose chunks have one size: the first of one leads to a chunk of another bin, which leads back ---- */

/* Free chunks of both sizes, each between blocks; then many blocks of the size of `large`. */
static void bin_of_one_size(size_t large, size_t small) {
  char *const a = take_aligned(16, large);
  take_aligned(16, kBytes);
  char *const b = take_aligned(16, small);
  memset(take_aligned(16, kBytes), 0x5a, kBytes);
  give(a);
  give(b);
  flush();
  bend((uint32_t *)a, NULL, b);     /* its next */
  bend((uint32_t *)b + 1, NULL, a); /* its prev */
  for (int n = 0; n < 40; ++n) memset(take_aligned(16, large - 32), 0x5b, large - 32);
  for (int n = 0; n < 40; ++n) memset(take(large), 0x5b, large);
}
static void bin_to_smaller(void) { bin_of_one_size(236, 44); }
static void bin_to_smaller_young(void) { bin_of_one_size(200, 28); }
static void bin_to_larger(void) { bin_of_one_size(60, 236); }

/* ---- the map of slabs, and slabs: chunks in use that no program has ---- */

static char *many[kMany];
static void take_many(void) {
  for (int i = 0; i < kMany; ++i) memset(many[i] = take(kBytes), 0x5a, kBytes);
}
enum { kWanted = (kBytes + 7) / 8, kHead = 32 };
/* Of a full slab that is not the current one; NULL: there is none. */
static char *slab_of(const char *mem, int *steps) {
  for (int n = 0; n < 4; ++n) {
    char *const slab = (char *)(((uintptr_t)mem & ~(uintptr_t)(kStep - 1)) - (uintptr_t)n * kStep);
    const unsigned tag = *(uint16_t *)(slab + 26);
    if ((tag & 63) != kWanted || (uintptr_t)(mem - slab - kHead) % (8u * kWanted) != 0) continue;
    *steps = (int)(tag >> 6 & 3) + 1;
    if (*steps > n) return slab;
  }
  return NULL;
}
extern unsigned char __heap_base;
/* Where the map of slabs begins, a byte for each KiB of the heap: from the last bytes that look like slabs of the class back to the first slab. NULL: not found. */
static unsigned char *find_map(void) {
  unsigned char *last = NULL;
  uintptr_t highest = 0;
  int steps = 0, of_highest = 0;
  for (int i = 0; i < kMany; ++i) {
    const char *const slab = slab_of(many[i], &steps);
    if ((uintptr_t)slab > highest) highest = (uintptr_t)slab, of_highest = steps;
  }
  if (highest == 0) return NULL;
  unsigned char pattern[4];
  for (int n = 0; n < 4; ++n) pattern[n] = (unsigned char)(kWanted * 4 + n);
  for (unsigned char *at = &__heap_base; at < (unsigned char *)sbrk(0) - 4; ++at) {
    if (memcmp(at, pattern, (size_t)of_highest) == 0 && at[of_highest] == 0) last = at;
  }
  return last == NULL ? NULL : last - (highest / kStep - ((uintptr_t)&__heap_base + 12) / kStep);
}
static void free_map(void) { /* the map's own chunk is freed: it is one in use */
  for (int i = 0; i < 8000; ++i) any_malloc(kBytes); /* so it is longer than the blocks of slabs */
  take_many();
  unsigned char *const map = find_map();
  if (map == NULL) return;
  any_free(map);
  for (int i = 0; i < 400; ++i) {
    if (any_malloc(260 + (size_t)i % 80 * 8) == map) won("the map of slabs is a block of the program");
  }
}
static void free_hidden_slab(void) { /* an overflow into the map says that there is no slab; then the slab's chunk is one in use */
  int steps = 0;
  take_many();
  char *const slab = slab_of(many[200], &steps);
  unsigned char *const map = slab == NULL ? NULL : find_map();
  if (map == NULL) return;
  memset(map + (address(slab) / kStep - (address(&__heap_base) + 12) / kStep), 0, (size_t)steps);
  any_free(slab);
  for (int i = 0; i < 40; ++i) take((size_t)steps * kStep - 8 - 8 * (size_t)i);
  flush();
  for (int i = 0; i < 40; ++i) take((size_t)steps * kStep - 8 - 8 * (size_t)i);
}

/* ---- what leaves out of a copy what nobody reads (a snapshot) ---- */

static char *kept[kMany];
static size_t kept_bytes;
static int of_kept;
static void keep(char *mem, size_t bytes) {
  memset(mem, 0x77, bytes);
  kept[of_kept++] = mem;
  kept_bytes = bytes;
}
/* The program is copied without those bytes and goes on in the copy: there they are zeros. */
static void copied(void) {
  size_t cursor[2] = {0, 0}, runs[64], count;
  if (hg_malloc_cached_pages == NULL) return;
  while ((count = hg_malloc_cached_pages(8, cursor, runs, 32)) != 0) {
    for (size_t i = 0; i < count; ++i) memset((void *)runs[2 * i], 0, runs[2 * i + 1]);
  }
  cursor[0] = cursor[1] = 0;
  while ((count = hg_heap_free_pages(NULL, 8, cursor, runs, 32)) != 0) {
    for (size_t i = 0; i < count; ++i) memset((void *)runs[2 * i], 0, runs[2 * i + 1]);
  }
  for (int i = 0; i < of_kept; ++i) {
    for (size_t at = 0; at < kept_bytes; ++at) {
      if (kept[i][at] != 0x77) won("a copy of the program lacks bytes of a live block");
    }
  }
}
static void copy_slab_bits(void) { /* a slab's bits say that its live blocks are free */
  int steps = 0;
  for (int i = 0; i < kMany; ++i) keep(take(kBytes), kBytes);
  char *const slab = slab_of(kept[200], &steps);
  if (slab == NULL) return;
  *(uint32_t *)(slab + 16) |= 0x7fffu;
  copied();
}
static void copy_bent_link(void) { /* the link of a cached chunk leads to a live block */
  for (int i = 0; i < 8; ++i) keep(take(800), 800);
  char *const cached = take(800);
  give(cached);
  *(uint32_t *)cached ^= address(kept[4]);
  copied();
}
static void copy_link_ring(void) { /* to itself */
  char *const cached = take(800);
  give(cached);
  *(uint32_t *)cached ^= address(cached);
  copied();
}
static void copy_victim(void) { /* the header of a free chunk that no bin has says that it is longer */
  char *const hole = take_aligned(16, 20000);
  for (int i = 0; i < 8; ++i) keep(take(3000), 3000);
  give(hole);
  take_aligned(16, 40);
  for (uint32_t *at = (uint32_t *)hole - 1; at < (uint32_t *)hole + 40; ++at) *at += 64; /* wherever it begins */
  copied();
}

/* ---- figures and walks ---- */

static void look(void) {
  if (mallinfo != NULL) mallinfo();
  if (hg_walk_hash != NULL) hg_walk_hash(NULL, NULL);
}
static void look_at_bin_ring(void) {
  char *at[3];
  for (int i = 0; i < 3; ++i) at[i] = take(3 * kLarge), take(kLarge / 2);
  for (int i = 0; i < 3; ++i) give(at[i]);
  bend((uint32_t *)at[2], at[1], at[2]);
  look();
}
/* A segment behind memory that another user of sbrk has: its words are before its first block. */
static char *first_of_segment(void) {
  while (address(take(kLarge)) < address(sbrk(0)) - 2 * kLarge) {
  }
  sbrk(8192);
  return take(20 * kLarge);
}
static void segment_ring(char *first) { /* {next, size, heap}, header: next leads to its own segment */
  ((uint32_t *)first)[-4] ^= address(first) - 16;
}
static void look_at_segment_ring(void) {
  segment_ring(first_of_segment());
  look();
}
static void foreign_in_segment_ring(void) { /* a report asks which segment has the address */
  segment_ring(first_of_segment());
  any_free(&of_kept + 4);
}
static void third_segment(void) {
  segment_ring(first_of_segment());
  sbrk(8192);
  take(20 * kLarge);
  sbrk(8192);
  take(40 * kLarge);
}

/* ---- heaps and pools of the program's own, in one program with malloc ---- */

typedef struct {
  void *first, *last;
  size_t count;
} Chain;
struct hg_heap;
struct hg_heap *hg_heap_create(void) __attribute__((weak));
void hg_heap_destroy(struct hg_heap *heap) __attribute__((weak));
void *hg_heap_allocate(struct hg_heap *heap, size_t size) __attribute__((weak));
void hg_heap_deallocate(struct hg_heap *heap, void *mem) __attribute__((weak));
size_t hg_heap_burst_nodes(struct hg_heap *heap, size_t count, size_t size, size_t contiguous, Chain *chain) __attribute__((weak));
void hg_heap_burst_deallocate(struct hg_heap *heap, Chain *chain) __attribute__((weak));
void *hg_pool_create(struct hg_heap *heap, const void *options) __attribute__((weak));
void *hg_pool_allocate(void *pool) __attribute__((weak));

static void free_pool_block(void) { /* malloc's free gets a block in which a pool has live nodes, the last block before top */
  enum { kNodes = 1000, kNodeBytes = 32 };
  const uint32_t options[5] = {1, kNodeBytes, kNodes, 0, 0}; /* segregated */
  if (hg_pool_create == NULL) return;
  void *const pool = hg_pool_create(NULL, options);
  char *last = NULL;
  for (int i = 0; i < 2 * kNodes; ++i) {
    char *const node = hg_pool_allocate(pool);
    if (node > last) last = node;
  }
  char *block = last - 8; /* its second word leads to the pool */
  while (block > last - kNodes * kNodeBytes - 64 && ((void **)block)[1] != pool) block -= 8;
  any_free(block);
  for (int i = 0; i < 40; ++i) {
    const char *const mem = any_malloc(4000);
    if (mem <= last && mem > block - 4000) won("a live block and live nodes of a pool overlap");
  }
}
static void free_other_heap(void) { /* malloc's free gets a block of another heap, which then ends */
  char *mine[64];
  if (hg_heap_create == NULL) return;
  struct hg_heap *const heap = hg_heap_create();
  for (int i = 0; i < 64; ++i) mine[i] = hg_heap_allocate(heap, i % 2 ? 300 : kLarge);
  for (int i = 0; i < 64; ++i) any_free(mine[i]);
  hg_heap_destroy(heap);
  for (int i = 0; i < 40; ++i) memset(take(300), 0x5a, 300), memset(take(kLarge), 0x5a, kLarge);
}
static void other_heap_frees(void) { /* another heap gets blocks of malloc, gives them out, and ends */
  char *mine[64];
  if (hg_heap_create == NULL) return;
  struct hg_heap *const heap = hg_heap_create();
  for (int i = 0; i < 64; ++i) mine[i] = take(i % 2 ? 300 : kLarge);
  for (int i = 0; i < 64; i += 3) hg_heap_deallocate(heap, mine[i]);
  for (int i = 1; i < 64; i += 3) give(mine[i]);
  for (int i = 0; i < 40; ++i) memset(take(300), 0x5a, 300), memset(take(kLarge), 0x5a, kLarge);
  hg_heap_destroy(heap);
  for (int i = 0; i < 40; ++i) memset(take(300), 0x5a, 300), memset(take(kLarge), 0x5a, kLarge);
}
static void chain_ring(void) { /* a chain of blocks leads back to its first one */
  Chain chain = {NULL, NULL, 0};
  if (hg_heap_burst_nodes == NULL) return;
  hg_heap_burst_nodes(NULL, 8, 300, 0, &chain);
  *(void **)chain.last = chain.first;
  hg_heap_burst_deallocate(NULL, &chain);
}

const Row kKeptRows[] = {ROW(bin_to_smaller),   ROW(bin_to_smaller_young), ROW(bin_to_larger),  ROW(free_map),         ROW(free_hidden_slab),
                         ROW(copy_slab_bits),   ROW(copy_bent_link),       ROW(copy_link_ring), ROW(copy_victim),      ROW(look_at_bin_ring),
                         ROW(look_at_segment_ring), ROW(foreign_in_segment_ring), ROW(third_segment), ROW(free_pool_block), ROW(free_other_heap), ROW(other_heap_frees), ROW(chain_ring), {NULL, NULL}};
