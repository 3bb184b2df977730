/* Attacks on what heaps leave behind when they end, on headers that are other ones for a while, and on sizes and chains that no program should pass. */
#include "attacks.h"

#include <unistd.h>

extern int malloc_trim(size_t pad) __attribute__((weak));
struct hg_heap;
struct hg_heap *hg_heap_create(void) __attribute__((weak));
void hg_heap_destroy(struct hg_heap *heap) __attribute__((weak));
void *hg_heap_allocate(struct hg_heap *heap, size_t size) __attribute__((weak));

enum { kLarge = 40000 };
static void fill_up(size_t size) {
  for (int n = 0; n < 12; ++n) memset(take(size), 0x5a, size);
}

/* ---- heaps that end ---- */

static void ended_heap_key(void) { /* what an ended heap leaves is in a new block: its link to its first segment gives the key of all links */
  if (hg_heap_create == NULL) return;
  struct hg_heap *const heap = hg_heap_create();
  const uint32_t begin = address(heap) - 12;
  hg_heap_destroy(heap);
  char *const mem = take(50 * kLarge), *const cached = take(800);
  give(cached);
  for (uint32_t *at = (uint32_t *)mem; at < (uint32_t *)(mem + 50 * kLarge); ++at) {
    const uint32_t key = (*at ^ begin) - address(at) * 0x9e3779b1u;
    if (*at != 0 && *(uint32_t *)cached == address(cached) * 0x9e3779b1u + key) won("the key of links");
  }
}
static void ended_heap_ring(void) { /* of the heaps that have ended one leads to a block of the program, which leads to itself */
  if (hg_heap_create == NULL) return;
  uint32_t *const ring = (uint32_t *)take(800);
  uint32_t *const state = (uint32_t *)hg_heap_create();
  ring[0] = address(ring), ring[1] = 0;
  hg_heap_destroy((struct hg_heap *)state);
  state[0] = address(ring);
  take(50 * kLarge);
}
static void ended_heap_header(void) { /* and the ends of its segments: a live block has headers */
  if (hg_heap_create == NULL) return;
  struct hg_heap *heaps[3];
  for (int i = 0; i < 3; ++i) heaps[i] = hg_heap_create();
  for (int i = 0; i < 3; ++i) hg_heap_destroy(heaps[i]);
  char *const mem = take(50 * kLarge);
  uint32_t *const one = (uint32_t *)heaps[1] - 4, *const other = (uint32_t *)heaps[2] - 4; /* the last words of two segments, at the same size */
  if ((char *)one > mem && *one != 0 && *one - address(one) == *other - address(other)) won("headers inside a live block");
}
static void ended_heap_block(void) { /* a block of another heap is freed by malloc, which gives it out again; then that heap ends, and so do its pages */
  if (hg_heap_create == NULL) return;
  give(take(20 * kLarge)); /* so memory does not grow before that heap ends */
  struct hg_heap *const heap = hg_heap_create();
  char *const mem = hg_heap_allocate(heap, 800);
  any_free(mem);
  for (int i = 0; i < 8; ++i) take(800);
  hg_heap_destroy(heap);
  take(50 * kLarge);
}

/* ---- headers and feet that are other ones ---- */

static void foot_outside(void) { /* the foot before a block leads to an address below 0 */
  char *const before = take(kLarge), *const hole = take(kLarge), *const behind = take(kLarge);
  (void)before;
  take(kLarge);
  give(hole);
  take(20 << 20);
  *(header_of(behind) - 1) = address(behind) + 64;
  give(behind);
}
static void grow_into_written_top(void) { /* the header of top is overwritten; the block before it grows into it, shrinks and grows again */
  char *last = take(kLarge);
  *header_of(last + malloc_usable_size(last) + 4) = 0x41414141;
  last = resize(last, 2 * kLarge);
  last = resize(last, 100);
  last = resize(last, 3 * kLarge);
  fill_up(kLarge);
}
static void neighbour_borrowed(void) { /* a block's header is another one while the chunk before it is freed, and is put right then */
  char *const before = take(kLarge), *const mem = take(kLarge), *const behind = take(kLarge);
  *header_of(mem) += 0x1000000;
  give(before);
  *header_of(mem) -= 0x1000000;
  give(mem);
  give(behind);
  fill_up(kLarge);
}
static void neighbour_copied(void) { /* header, links and foot of a free chunk of the same size and bin */
  char *at[6];
  for (int i = 0; i < 6; ++i) at[i] = take(kLarge);
  give(at[1]), give(at[3]);
  memcpy(header_of(at[1]), header_of(at[3]), 12);
  resize(at[0], kLarge + 100);
  fill_up(kLarge);
}
static void victim_written(void) { /* the rest of a hole, of which small blocks are cut, is overwritten but for its foot */
  char *const hole = take_aligned(16, 20000);
  take_aligned(16, 300);
  give(hole);
  char *const first = take_aligned(16, 300);
  for (uint32_t *word = (uint32_t *)(first + malloc_usable_size(first)); word < (uint32_t *)(hole + 18000); ++word) *word = 0x20003;
  for (int i = 0; i < 20; ++i) memset(take_aligned(16, 300), 0x5a, 300);
  give(first);
  fill_up(1000);
}
static void sentinel_written(void) { /* what another user of sbrk has lies behind the last word of a segment */
  while (address(take(kLarge)) < address(sbrk(0)) - 2 * kLarge) {
  }
  uint32_t *const theirs = sbrk(8192);
  theirs[-1] ^= 0x10;
  char *const next = take(20 * kLarge);
  theirs[-1] ^= 0x10;
  if (malloc_trim != NULL) malloc_trim(0);
  give(next);
  fill_up(kLarge);
}

/* ---- sizes, chains ---- */

static void sizes_that_wrap(void) { /* no sum of a size, an alignment and what malloc adds is less than the size */
  char *const mem = memset(take(kLarge), 0x77, kLarge);
  for (uint32_t less = 1; less < 0x40000; less += 4093) {
    const size_t size = (size_t)0 - less;
    if (any_malloc(size) != NULL || calloc(1, size) != NULL || any_realloc(mem, size) != NULL || memalign(64, size) != NULL) won("a block of 4 GiB");
    for (int log = 4; log < 32; ++log) {
      char *const aligned = memalign((size_t)1 << log, size - ((size_t)1 << log));
      if (aligned != NULL) won("a block of nearly 4 GiB");
    }
  }
  if (calloc(0x10001, 0x10000) != NULL || calloc(0x40000001, 4) != NULL) won("a product that wraps");
  for (int i = 0; i < kLarge; ++i) {
    if (mem[i] != 0x77) won("the contents of a live block");
  }
}
typedef struct {
  void *first, *last;
  size_t count;
} Chain;
size_t hg_heap_burst_nodes(struct hg_heap *heap, size_t count, size_t size, size_t contiguous, Chain *chain) __attribute__((weak));
void hg_heap_burst_deallocate(struct hg_heap *heap, Chain *chain) __attribute__((weak));
static void chain_twice(void) { /* blocks side by side, of which the chain has one twice: first, and behind its neighbour */
  Chain chain = {NULL, NULL, 0};
  if (hg_heap_burst_nodes == NULL || hg_heap_burst_nodes(NULL, 4, 3000, 4, &chain) == 0) return;
  void **const first = chain.first, **const second = *first;
  *second = first;
  hg_heap_burst_deallocate(NULL, &chain);
  fill_up(3000);
}

/* ---- what hardened does not promise to withstand ---- */

struct hg_heap *hg_heap_create_fixed(void *base, size_t size) __attribute__((weak));
static void excluded_fixed_heap_block(void) { /* a heap lies in a block of malloc, and malloc's free gets a block of it */
  if (hg_heap_create_fixed == NULL) return;
  char *const region = take(kLarge);
  any_free(hg_heap_allocate(hg_heap_create_fixed(region, kLarge), 800));
  for (int i = 0; i < 8; ++i) take(800);
}
static void excluded_header_replayed(void) { /* the header of a cached chunk is moved away and back, when the block is live */
  char *const mem = take(800), *const other = take(800);
  give(mem);
  const uint32_t kept = *header_of(mem);
  for (int i = 0; i < 8; ++i) take(800);
  give(other);
  *header_of(mem) = kept;
  *(uint32_t *)other ^= address(mem);
  for (int i = 0; i < 8; ++i) take(800);
}

const Row kEndedRows[] = {ROW(ended_heap_key), ROW(ended_heap_ring), ROW(ended_heap_header), ROW(ended_heap_block), ROW(foot_outside),
                          ROW(grow_into_written_top), ROW(neighbour_borrowed), ROW(neighbour_copied), ROW(victim_written), ROW(sentinel_written),
                          ROW(sizes_that_wrap), ROW(chain_twice), ROW(excluded_fixed_heap_block), ROW(excluded_header_replayed), {NULL, NULL}};
