/* Attacks on what the heap below the lists keeps in memory that a program can reach: the headers, feet and links of free chunks, what is left of
 * headers when chunks are joined, and the list of the pages that were given back. Blocks of kLarge bytes have no list: they go to the heap at once. */
#include "attacks.h"

#include <unistd.h>

int malloc_trim(size_t pad) __attribute__((weak)); /* of glibc; not every malloc has it, and no header of Emscripten's */
static void give_back_pages(void) {
  if (malloc_trim != NULL) malloc_trim(0);
}

enum { kLarge = 40000, kLargeChunk = 40008 };

/* The words of a free chunk, or of one that was free. */
static uint32_t *next_of(void *mem) { return (uint32_t *)mem; }
static uint32_t *prev_of(void *mem) { return (uint32_t *)mem + 1; }
static uint32_t *foot_before(void *mem) { return header_of(mem) - 1; }
static void bend(uint32_t *word, const void *from, const void *to) { /* by the difference of two addresses */
  *word ^= (from == NULL ? 0 : address(from) - 4) ^ (to == NULL ? 0 : address(to) - 4);
}
static void fill_up(size_t size) { /* what an attack leads to is asked for, in blocks of this size */
  for (int n = 0; n < 12; ++n) memset(take(size), 0x5a, size);
}

/* ---- what is left of a header when its chunk is joined with another one ---- */

/* The header of a free chunk is left inside a block that grew over it. Its foot is that of the rest, which is free. So it looks like a free chunk, and
 * the link of another one of its size leads to it. */
static void stale_free_header(char *grown, char *stale, char *behind, char *other, size_t by) {
  if (resize(grown, by) != grown) return; /* its end lies in the stale chunk, behind its links */
  give(other);
  bend(prev_of(stale), NULL, other);
  bend(next_of(other), NULL, stale);
  *foot_before(behind) = kLargeChunk;
  fill_up(kLarge);
}
static void stale_grown(void) {
  char *const grown = take(kLarge), *const stale = take(kLarge), *const behind = take(kLarge), *const other = take(kLarge);
  take(kLarge);
  give(stale);
  stale_free_header(grown, stale, behind, other, kLarge + 5000);
}
static void stale_joined(void) { /* the chunk before it is freed, and both become one, of which a block is cut */
  char *const before = take(kLarge), *const stale = take(kLarge), *const behind = take(kLarge), *const other = take(kLarge);
  take(kLarge);
  give(stale);
  give(before);
  stale_free_header(take(kLarge + 5000), stale, behind, other, kLarge + 5000);
}
static void stale_top(void) { /* the same with what was top */
  char *const grown = take(kLarge), *const other = take(kLarge), *const between = take(kLarge);
  char *const last = take(kLarge);
  give(other);
  resize(last, 100);
  char *const behind = take(kLarge);
  (void)grown, (void)between, (void)behind;
  memset(last, 0x41, 100);
  for (int word = 0; word < 64; ++word) header_of(last)[32 + word] = kLargeChunk | 2;
  fill_up(kLarge);
}
static void stale_foot(void) { /* the foot before a block leads to the stale header: freed, the block is joined with it */
  char *const grown = take(kLarge), *const stale = take(kLarge), *const behind = take(kLarge), *const other = take(kLarge);
  take(kLarge);
  give(stale);
  if (resize(grown, kLarge + 5000) != grown) return;
  give(other);
  bend(prev_of(stale), NULL, other);
  bend(next_of(other), NULL, stale);
  *foot_before(behind) = kLargeChunk;
  give(behind);
  fill_up(kLarge);
  fill_up(2 * kLarge);
}

/* ---- links, headers and feet of free chunks ---- */

static void holes(char **at, int count, size_t size) { /* free chunks with a block behind each */
  for (int i = 0; i < count; ++i) {
    at[i] = take(size);
    take(kLarge / 2);
  }
  for (int i = 0; i < count; ++i) give(at[i]);
}
static void bin_loop(void) { /* the first of a bin leads to itself, and all memory that is free is given back */
  char *at[3];
  holes(at, 3, 3 * kLarge);
  bend(next_of(at[2]), at[1], at[2]);
  give_back_pages();
}
static void bin_to_live(void) {
  char *at[3];
  holes(at, 3, kLarge);
  char *const live = take(kLarge * 2);
  bend(next_of(at[2]), at[1], live);
  fill_up(kLarge);
}
static char *kept; /* a live block; no byte of it may change */
void hg_discard_pages(void *mem, size_t bytes) { memset(mem, 0, bytes); }
static void bin_discards(void) { /* a link leads to a live block, of which the pages are given to the host */
  char *at[3];
  holes(at, 3, 6 * kLarge);
  kept = take(6 * kLarge); /* was free: its first words are as they were */
  memset(kept + 8, 0x77, 6 * kLarge - 8);
  holes(at, 3, 6 * kLarge);
  bend(next_of(at[0]), NULL, kept);
  give_back_pages();
  for (int i = 8; i < 6 * kLarge; ++i) {
    if (kept[i] != 0x77) won("the contents of a live block");
  }
}
static void foot_to_block(void) { /* the foot of a free chunk is that of another size: one that leads to a live block */
  char *const before = take(kLarge), *const hole = take(kLarge), *const behind = take(kLarge);
  (void)before;
  take(kLarge);
  give(hole);
  *foot_before(behind) = 2 * kLargeChunk;
  give(behind);
  fill_up(2 * kLarge);
}
static void neighbour_plain(void) { /* a block grows over a free neighbour whose header was written by who knows its plain form */
  char *const grown = take(kLarge), *const hole = take(kLarge);
  take(kLarge);
  take(kLarge);
  give(hole);
  *header_of(hole) = (3 * kLargeChunk) | 2;
  resize(grown, 3 * kLarge);
  fill_up(kLarge);
}
static void neighbour_bytes(void) { /* the same, where only its first bytes were overwritten, one to three */
  for (int bytes = 1; bytes < 4; ++bytes) {
    char *const grown = take(kLarge), *const hole = take(kLarge);
    take(kLarge);
    give(hole);
    memset(header_of(hole), 0, (size_t)bytes);
    resize(grown, kLarge + 20000);
  }
}
static void aligned_lead(void) { /* what is before an aligned block is free; all of it is overwritten, and the block freed */
  char *const lead = take(3 * kLarge);
  take(kLarge);
  give(lead);
  char *const mem = take_aligned(65536, 1000);
  for (uint32_t *at = next_of(lead); at < header_of(mem); ++at) *at = kLargeChunk;
  give(mem);
  fill_up(kLarge);
}
static void top_written(void) { /* the last block is freed, becomes a part of top, and is written to at once and after memory grew */
  char *const last = take(kLarge);
  give(last);
  for (int at = -1; at < kLarge / 4; ++at) ((uint32_t *)last)[at] = 64 * kLargeChunk;
  fill_up(kLarge);
  fill_up(100 * kLarge);
}
static void zeroed_after_writes(void) { /* calloc gives zeros, whatever was written into what it takes since it was free */
  static const size_t kSizes[] = {kBytes, 1000, kLarge, 10 * kLarge};
  for (int i = 0; i < 4; ++i) {
    char *const stale = take(kSizes[i]);
    give(stale);
    memset(stale + 8, 0x66, kSizes[i] - 8);
    char *const zeros = calloc(1, kSizes[i]);
    for (size_t at = 0; at < kSizes[i]; ++at) {
      if (zeros[at] != 0) won("calloc gives what was written");
    }
  }
}

/* ---- pages that were given back, and memory that others took ---- */

/* The record in memory that was given back, where the segment ends now: its first word leads to the next one, its last one are its bytes. What was written
 * to is found by its bytes, which nobody else writes. */
uint32_t *run_next, *run_bytes;
void trim_away(char *stale, size_t size) {
  memset(stale, 0x41, size);
  give(stale);
  give_back_pages();
  run_bytes = (uint32_t *)stale + 1;
  for (uint32_t *at = run_bytes; at < (uint32_t *)stale + 2048; ++at) {
    if (*at != 0x41414141) run_bytes = at;
    if (at > (uint32_t *)stale + 64 && run_bytes > (uint32_t *)stale + 16 && at > run_bytes + 8) break; /* whole pages behind it may be zeros */
  }
  run_next = run_bytes[-1] == 0x41414141 ? run_bytes - 2 : run_bytes - 1;
}
static void run_to_live(void) { /* the record leads to a live block, in which the next one is made */
  char *const live = take(8 * kLarge);
  uint32_t *const fake = (uint32_t *)(live + 16 - address(live) % 16);
  fake[0] = 0;
  fake[1] = 7 * kLarge / 4096 * 4096;
  trim_away(take(50 * kLarge), 50 * kLarge);
  *run_next = address(fake);
  *run_bytes = 4096;
  fill_up(2 * kLarge);
}
static void run_loop(void) {
  trim_away(take(50 * kLarge), 50 * kLarge);
  *run_next = address(run_next);
  *run_bytes = 4096;
  fill_up(20 * kLarge);
  give_back_pages();
  fill_up(20 * kLarge);
}
static void run_to_segment(void) { /* the record leads to the header of a later segment, in which everything is live */
  while (address(take(kLarge)) < address(sbrk(0)) - 2 * kLarge) {
  }
  char *const last = take(30 * kLarge);
  sbrk(8192);
  char *segment = NULL;
  for (int n = 0; n < 40 && segment < last + 30 * kLarge; ++n) segment = take(30 * kLarge);
  for (int n = 0; n < 4; ++n) take(30 * kLarge);
  sbrk(8192);
  trim_away(last, 30 * kLarge);
  *run_next ^= address(segment) - 16; /* it led to nothing */
  fill_up(40 * kLarge);
}
static void run_over_others(void) { /* the record claims what another user of sbrk has */
  trim_away(take(50 * kLarge), 50 * kLarge);
  char *const theirs = sbrk(16 * kLarge);
  memset(theirs, 0x77, 16 * kLarge);
  *run_bytes = (address(theirs) + 16 * kLarge - address(run_next)) / 4096 * 4096;
  fill_up(20 * kLarge);
  for (int i = 0; i < 16 * kLarge; ++i) {
    if (theirs[i] != 0x77) won("memory that another user of sbrk has");
  }
}
static void segment_over_others(void) { /* words before the first block behind such memory say where it ends */
  while (address(take(kLarge)) < address(sbrk(0)) - 2 * kLarge) {
  }
  sbrk(8192);
  char *first = take(20 * kLarge); /* in a segment of its own: {next, size, heap}, its header, itself */
  char *const theirs = sbrk(16 * kLarge);
  memset(theirs, 0x77, 16 * kLarge);
  ((uint32_t *)first)[-3] = address(sbrk(0)) - (address(first) - 16);
  fill_up(10 * kLarge);
  give_back_pages();
  fill_up(10 * kLarge);
  for (int i = 0; i < 16 * kLarge; ++i) {
    if (theirs[i] != 0x77) won("memory that another user of sbrk has");
  }
}

/* ---- blocks of a heap that has ended ---- */

struct hg_heap;
struct hg_heap *hg_heap_create(void) __attribute__((weak));
void *hg_heap_allocate(struct hg_heap *heap, size_t size) __attribute__((weak));
void hg_heap_destroy(struct hg_heap *heap) __attribute__((weak));
static void ended_heap(void) { /* its memory serves malloc now, and a block of it is freed */
  enum { kMany = 400 };
  char *stale[kMany];
  if (hg_heap_create == NULL) return;
  struct hg_heap *const heap = hg_heap_create();
  for (int i = 0; i < kMany; ++i) stale[i] = hg_heap_allocate(heap, kBytes);
  hg_heap_destroy(heap);
  char *const mem = take(100 * kLarge);
  for (int i = 0; i < kMany; ++i) {
    if (stale[i] < mem + 100 || stale[i] > mem + 99 * kLarge) continue;
    any_free(stale[i]);
    fill_up(kBytes);
  }
}

const Row kHeapRows[] = {ROW(stale_grown), ROW(stale_joined), ROW(stale_top), ROW(stale_foot), ROW(bin_loop), ROW(bin_to_live), ROW(bin_discards),
                         ROW(foot_to_block), ROW(neighbour_plain), ROW(neighbour_bytes), ROW(aligned_lead), ROW(top_written), ROW(zeroed_after_writes),
                         ROW(run_to_live), ROW(run_loop), ROW(run_to_segment), ROW(run_over_others), ROW(segment_over_others), ROW(ended_heap), {NULL, NULL}};
