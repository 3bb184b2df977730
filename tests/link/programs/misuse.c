/* One misuse of malloc, named by the first argument, then 40,000 operations that prove the heap still keeps its word:
 *
 *   every live block has the bytes that were written to it; no two overlap; none lies outside the heap.
 *
 * Prints "harmless" or "harmful: ..." last; "found: ..." before the trap when malloc reports the misuse. Without an argument: the
 * names of all rows, one a line. A row changes only what the misuse itself writes: blocks that it overwrites are forgotten. */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By volatile pointers: a compiler that knows malloc leaves out what it thinks nobody sees. */
static void *(*volatile any_malloc)(size_t) = malloc;
static void *(*volatile any_calloc)(size_t, size_t) = calloc;
static void *(*volatile any_realloc)(void *, size_t) = realloc;
static void *(*volatile any_memalign)(size_t, size_t) = memalign;
static void (*volatile any_free)(void *) = free;
static void *volatile sink;

extern char __heap_base;
extern void *hg_heap_independent_calloc(void *heap, size_t count, size_t size, void **blocks);
extern void hg_heap_burst_deallocate(void *heap, void *chain);
extern void hg_set_failure_hook(void (*hook)(uint32_t, const void *, const char *));
extern size_t hg_malloc_flush(void);

static void print_found(uint32_t kind, const void *address, const char *text) {
  (void)kind, (void)address;
  write(1, "found: ", 7);
  write(1, text, strlen(text));
  write(1, "\n", 1);
}

/* ---- live blocks ---- */

enum { kLive = 300, kOperations = 40000, kFirst = 64 };
static struct {
  unsigned char *mem; /* NULL: none */
  size_t size;
  unsigned mark; /* 0: its bytes are not looked at */
} live[kLive];
static unsigned state = 12345, marks;

static unsigned draw(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

static void harmful(const char *what) {
  printf("harmful: %s\n", what);
  fflush(stdout);
  _Exit(0);
}

static unsigned char byte_of(unsigned mark, size_t at) { return (unsigned char)(mark * 167 + at * 13 + (at >> 8)); }

static void enter(int i, void *mem, size_t size) {
  unsigned char *const begin = mem;
  if (begin == NULL) harmful("memory is out");
  if ((uintptr_t)begin % 8 != 0) harmful("a misaligned block");
  const uintptr_t end = (uintptr_t)__builtin_wasm_memory_size(0) * 65536;
  if (begin < (unsigned char *)&__heap_base || (uintptr_t)begin > end || size > end - (uintptr_t)begin) harmful("an address outside the heap");
  for (int k = 0; k < kLive; ++k) {
    if (live[k].mem != NULL && begin < live[k].mem + live[k].size && live[k].mem < begin + size) harmful("two live blocks overlap");
  }
  live[i].mem = begin;
  live[i].size = size;
  live[i].mark = ++marks;
  for (size_t at = 0; at < size; ++at) begin[at] = byte_of(marks, at);
}

static void verify(int i) {
  for (size_t at = 0; live[i].mark != 0 && at < live[i].size; ++at) {
    if (live[i].mem[at] != byte_of(live[i].mark, at)) harmful("a live block was overwritten");
  }
}

static void *leave(int i) {
  void *const mem = live[i].mem;
  verify(i);
  live[i].mem = NULL;
  return mem;
}

static size_t draw_size(void) {
  switch (draw(16)) {
    case 0: return draw(20000) + 1;
    case 1:
    case 2: return draw(2000) + 1;
    default: return draw(120) + 1;
  }
}

static void churn(void) {
  for (int n = 0; n < kOperations; ++n) {
    const int i = (int)draw(kLive);
    if (live[i].mem == NULL) {
      const size_t size = draw_size();
      enter(i, draw(8) == 0 ? any_calloc(1, size) : any_malloc(size), size);
    } else if (draw(8) == 0) {
      const size_t size = draw_size();
      enter(i, any_realloc(leave(i), size), size);
    } else {
      any_free(leave(i));
    }
  }
  for (int i = 0; i < kLive; ++i) {
    if (live[i].mem != NULL) any_free(leave(i));
  }
}

/* ---- what the rows work on: kFirst blocks of one size that lie side by side; those they free have left the table ---- */

#ifndef MISUSED_BYTES /* hardened has blocks up to 256 bytes in slabs, without headers between them, and larger ones as chunks of the heap */
#define MISUSED_BYTES 44
#endif

static unsigned char *block(int i) { return live[i].mem; }
static unsigned char *freed(int i) {
  unsigned char *const mem = leave(i);
  any_free(mem);
  return mem;
}
static void forget(int i) { live[i].mark = 0; }
static void take_back(void) { hg_malloc_flush(); } /* what malloc caches becomes free, and is joined */
static size_t end_of(int i) { return malloc_usable_size(live[i].mem); }
static int behind(int i) { /* the block behind; else some other one */
  for (int k = 0; k < kFirst; ++k) {
    if (live[k].mem == live[i].mem + end_of(i) + 4 || live[k].mem == live[i].mem + end_of(i)) return k;
  }
  return i + 1;
}
static void forget_between(const unsigned char *begin, const unsigned char *end) { /* what an overflow is about to change */
  for (int k = 0; k < kLive; ++k) {
    if (live[k].mem != NULL && live[k].mem < end && begin < live[k].mem + live[k].size) forget(k);
  }
}
static void words(void *at, uint32_t value, int count) {
  for (int i = 0; i < count; ++i) memcpy((char *)at + 4 * i, &value, 4);
}
static uint32_t zeros[64];
static uint32_t forged[64];
static void forge(uint32_t *at) { /* a block of 32 bytes, in use, and one behind it, as plain headers would have them */
  at[1] = 32 | 3;
  at[9] = 32 | 3;
}

static void twice_at_once(void) { any_free(freed(20)); }
static void twice_one_between(void) { unsigned char *p = freed(20); freed(30); any_free(p); }
static void twice_others_taken(void) { unsigned char *p = freed(20); for (int i = 100; i < 140; ++i) enter(i, any_malloc(300), 300); any_free(p); }
static void twice_joined(void) { unsigned char *p = freed(20); freed(19); freed(21); take_back(); any_free(p); }
static void twice_alone(void) { unsigned char *p = freed(20); take_back(); any_free(p); }
static void twice_first_joined(void) { freed(19); unsigned char *p = freed(20); take_back(); any_free(p); }
static void twice_medium(void) { void *p = any_malloc(10000); sink = any_malloc(10); any_free(p); any_free(p); }
static void twice_large(void) { void *p = any_malloc(300000); sink = any_malloc(10); any_free(p); any_free(p); }
static void twice_last(void) { void *p = any_malloc(300000); any_free(p); any_free(p); }
static void twice_cleared(void) { unsigned char *p = freed(20); memset(p, 0, 40); any_free(p); }
static void twice_filled(void) { unsigned char *p = freed(20); memset(p, 0xff, 40); any_free(p); }
static void twice_aligned(void) { void *p = any_memalign(64, 100); sink = any_malloc(10); any_free(p); any_free(p); }
static void twice_in_bulk(void) { void *list[2] = {block(20), block(20)}; leave(20); any_free(list[0]); freed(9); any_free(list[1]); }
static void twice_of_burst(void) { /* neighbours that were freed in one call, joined before they went to a bin */
  void *blocks[3];
  if (hg_heap_independent_calloc(NULL, 3, 300, blocks) == NULL) harmful("no burst");
  sink = any_malloc(10);
  struct { void *first, *last; size_t count; } chain = {blocks[0], blocks[2], 3}; /* hg_chain: each leads to the next one */
  for (int i = 0; i < 3; ++i) *(void **)blocks[i] = i < 2 ? blocks[i + 1] : NULL;
  hg_heap_burst_deallocate(NULL, &chain);
  any_free(blocks[1]);
}
static void twice_each(void) { unsigned char *p = freed(20), *q = freed(21); any_free(p); any_free(q); }
static void twice_then_inside(void) { unsigned char *p = freed(20); freed(19); take_back(); enter(200, any_malloc(90), 90); any_free(p); }

static void inside_zeros(void) { memset(block(20), 0, 40); forget(20); any_free(block(20) + 8); }
static void inside_forged(void) { forge((uint32_t *)block(20)); forget(20); any_free(block(20) + 8); }
static void inside_large(void) { unsigned char *p = any_malloc(30000); forge((uint32_t *)(p + 8000)); enter(200, any_malloc(9), 9); any_free(p + 8008); }
static void inside_end(void) { any_free(block(20) + end_of(20) - 4); }
static void inside_reused(void) { /* where a block began once */
  unsigned char *p = freed(21); freed(20); take_back(); enter(200, any_malloc(100), 100); forget(200); any_free(p);
}
static void foreign_stack(void) { uint64_t here[16] = {0}; sink = here; any_free(&here[4]); }
static void foreign_stack_forged(void) { uint64_t here[16] = {0}; forge((uint32_t *)here); sink = here; any_free(&here[1]); }
static void foreign_static(void) { any_free(&zeros[4]); }
static void foreign_static_forged(void) { forge(forged); any_free(&forged[2]); }
static void foreign_low(void) { any_free((void *)(uintptr_t)16); }
static void foreign_outside(void) { any_free((void *)(uintptr_t)0xfffffff0u); }
static void foreign_behind(void) { any_free((void *)(uintptr_t)(__builtin_wasm_memory_size(0) * 65536)); }
static void foreign_text(void) { any_free((void *)(uintptr_t)"a string of the program, long enough"); }
static void misaligned_1(void) { any_free(block(20) + 1); }
static void misaligned_4(void) { any_free(block(20) + 4); }
static void misaligned_before(void) { any_free(block(20) - 4); }

/* A key that is drawn anew each run may have left that very byte there, and then nothing would be overwritten. */
static void overwrite(unsigned char *at, unsigned char value) { *at = *at == value ? (unsigned char)~value : value; }
static void over(int bytes, unsigned char value) {
  unsigned char *const end = block(20) + end_of(20);
  forget_between(end, end + bytes);
  overwrite(end, value);
  memset(end + 1, value, (size_t)bytes - 1);
}
static void over_1_free(void) { over(1, 0); freed(20); }
static void over_1_free_behind(void) { int k = behind(20); over(1, 0); freed(k); }
static void over_1_kept(void) { over(1, 0xff); }
static void over_1_larger(void) { over(1, 0x83); freed(behind(20)); }
static void over_4(void) { over(4, 0x41); freed(20); }
static void over_4_behind(void) { int k = behind(20); over(4, 0); freed(k); }
static void over_20(void) { int k = behind(20); forget(k); over(20, 0x41); freed(k); }
static void over_many(void) { unsigned char *p = block(20); for (int k = 0; k < kFirst; ++k) if (block(k) > p && block(k) < p + 240) forget(k); over(190, 0); freed(20); }
static void over_copied(void) { int k = behind(20); forget(20); forget(k); forget_between(block(20) + end_of(20), block(20) + end_of(20) + 20); memcpy(block(20) + end_of(20), block(10) - 4, 20); freed(k); }
static void over_into_cached(void) { int k = behind(20); freed(k); over(1, 0x13); }
static void over_into_link(void) { int k = behind(20); freed(k); over(12, 0x13); }
static void over_into_free(void) { int k = behind(20); freed(k); take_back(); over(1, 0); freed(20); take_back(); }
static void over_into_free_many(void) { int k = behind(20); freed(k); take_back(); over(16, 0x20); }
static void over_last(void) { unsigned char *p = any_malloc(5000); memset(p + malloc_usable_size(p), 0xff, 4); any_free(p); }
static void over_large(void) { unsigned char *p = any_malloc(40000), *q = any_malloc(40000); memset(p + malloc_usable_size(p), 0, 2); any_free(q); any_free(p); }
static void forget_before(void) { forget_between(block(20) - 4, block(20)); }
static void under_1(void) { forget_before(); overwrite(block(20) - 1, 0); freed(20); }
static void under_4(void) { forget_before(); words(block(20) - 4, 0x1003, 1); freed(20); }
static void under_low(void) { forget_before(); block(20)[-4] ^= 0x10; freed(20); }
static void under_flags(void) { forget_before(); block(20)[-4] ^= 2; freed(20); take_back(); }

static void after_word_1_live(void) { unsigned char *p = freed(20); words(p, (uint32_t)(uintptr_t)block(30), 1); }
static void after_word_1_static(void) { unsigned char *p = freed(20); words(p, (uint32_t)(uintptr_t)&zeros[8], 1); }
static void after_word_1_self(void) { unsigned char *p = freed(20); words(p, (uint32_t)(uintptr_t)p, 1); }
static void after_word_1_zero(void) { freed(10); unsigned char *p = freed(20); words(p, 0, 1); }
static void after_word_1_outside(void) { unsigned char *p = freed(20); words(p, 0xfffffff0u, 1); }
static void after_word_2(void) { unsigned char *p = freed(20); words(p + 4, (uint32_t)(uintptr_t)block(30), 1); }
static void after_byte(void) { unsigned char *p = freed(20); freed(30); p[0] ^= 8; }
static void after_all_zero(void) { for (int i = 0; i < 40; i += 2) memset(freed(i), 0, 40); }
static void after_all_ones(void) { for (int i = 0; i < 40; i += 2) memset(freed(i), 0xff, 40); }
static void after_link_copied(void) { for (int i = 0; i < 40; i += 4) { unsigned char *p = freed(i), *q = freed(i + 2); memcpy(p, q, 8); } }
static void after_links_swapped(void) { unsigned char *p = freed(10), *q = freed(20), w[8]; memcpy(w, p, 8); memcpy(p, q, 8); memcpy(q, w, 8); }
static unsigned char *free_chunk(void) { unsigned char *p = freed(20); take_back(); return p; }
static void bin_word_1(void) { words(free_chunk(), (uint32_t)(uintptr_t)block(30) - 4, 1); }
static void bin_word_2(void) { words(free_chunk() + 4, (uint32_t)(uintptr_t)block(30) - 4, 1); }
static void bin_words_static(void) { words(free_chunk(), (uint32_t)(uintptr_t)&zeros[8], 2); }
static void bin_words_self(void) { unsigned char *p = free_chunk(); words(p, (uint32_t)(uintptr_t)p - 4, 2); }
static void bin_all(void) { memset(free_chunk(), 0, 40); }
static void bin_foot(void) { unsigned char *p = free_chunk(); words(p + 40, 0x41414141, 1); freed(21); take_back(); }
static void bin_foot_over_live(void) { /* the foot leads to a free chunk further left, over live blocks */
  unsigned char *far = freed(16), *p = freed(20); take_back();
  words(p + 40, (uint32_t)(p - far) + 48, 1);
  freed(21); take_back();
}
static void large_all(void) { unsigned char *p = any_malloc(100000); sink = any_malloc(10); any_free(p); memset(p, 0x11, 100000); }
static void large_ends(void) { unsigned char *p = any_malloc(100000); sink = any_malloc(10); any_free(p); words(p, 0, 2); words(p + 99990, 0, 2); }

static void *moved_from(void) { unsigned char *p = leave(20); enter(200, any_realloc(p, 5000), 5000); return p; }
static void realloc_old(void) { any_free(moved_from()); }
static void realloc_old_again(void) { sink = any_realloc(moved_from(), 100); }
static void realloc_old_written(void) { memset(moved_from(), 0x55, 40); }
static void realloc_freed(void) { unsigned char *p = freed(20); sink = any_realloc(p, 4000); }
static void realloc_inside(void) { sink = any_realloc(block(20) + 8, 4000); }
static void realloc_static(void) { forge(forged); sink = any_realloc(&forged[2], 4000); }
static void realloc_over(void) { over(1, 0); sink = any_realloc(leave(20), 4000); }
static void realloc_wraps(void) { if (any_realloc(block(20), (size_t)-3) != NULL) harmful("an impossible size was served"); }
static void calloc_wraps(void) { if (any_calloc(65536, 65537) != NULL) harmful("an impossible size was served"); }
static void malloc_wraps(void) { if (any_malloc((size_t)-1) != NULL || any_malloc((size_t)-9) != NULL) harmful("an impossible size was served"); }
static void align_wraps(void) { if (any_memalign(4096, (size_t)-4096) != NULL) harmful("an impossible size was served"); }
static void size_of_static(void) { if (malloc_usable_size(&zeros[4]) > sizeof zeros) harmful("a size that is not there"); }
static void none(void) {}

#define ROW(name) {#name, name}
static const struct {
  const char *name;
  void (*misuse)(void);
} rows[] = {
    ROW(none), ROW(twice_at_once), ROW(twice_one_between), ROW(twice_others_taken), ROW(twice_joined), ROW(twice_alone),
    ROW(twice_first_joined), ROW(twice_medium), ROW(twice_large), ROW(twice_last), ROW(twice_cleared), ROW(twice_filled),
    ROW(twice_aligned), ROW(twice_in_bulk), ROW(twice_of_burst), ROW(twice_each), ROW(twice_then_inside), ROW(inside_zeros), ROW(inside_forged),
    ROW(inside_large), ROW(inside_end), ROW(inside_reused), ROW(foreign_stack), ROW(foreign_stack_forged), ROW(foreign_static),
    ROW(foreign_static_forged), ROW(foreign_low), ROW(foreign_outside), ROW(foreign_behind), ROW(foreign_text),
    ROW(misaligned_1), ROW(misaligned_4), ROW(misaligned_before), ROW(over_1_free), ROW(over_1_free_behind), ROW(over_1_kept),
    ROW(over_1_larger), ROW(over_4), ROW(over_4_behind), ROW(over_20), ROW(over_many), ROW(over_copied),
    ROW(over_into_cached), ROW(over_into_link), ROW(over_into_free), ROW(over_into_free_many), ROW(over_last), ROW(over_large),
    ROW(under_1), ROW(under_4), ROW(under_low), ROW(under_flags), ROW(after_word_1_live), ROW(after_word_1_static),
    ROW(after_word_1_self), ROW(after_word_1_zero), ROW(after_word_1_outside), ROW(after_word_2), ROW(after_byte),
    ROW(after_all_zero), ROW(after_all_ones), ROW(after_link_copied), ROW(after_links_swapped), ROW(bin_word_1),
    ROW(bin_word_2), ROW(bin_words_static), ROW(bin_words_self), ROW(bin_all), ROW(bin_foot), ROW(bin_foot_over_live),
    ROW(large_all), ROW(large_ends), ROW(realloc_old), ROW(realloc_old_again), ROW(realloc_old_written), ROW(realloc_freed),
    ROW(realloc_inside), ROW(realloc_static), ROW(realloc_over), ROW(realloc_wraps), ROW(calloc_wraps), ROW(malloc_wraps),
    ROW(align_wraps), ROW(size_of_static),
};

int main(int count, char **arguments) {
  enum { kRows = sizeof rows / sizeof *rows };
  if (count < 2) {
    for (int i = 0; i < kRows; ++i) puts(rows[i].name);
    return 0;
  }
  hg_set_failure_hook(print_found);
  for (int i = 0; i < kFirst; ++i) enter(i, any_malloc(MISUSED_BYTES), MISUSED_BYTES);
  for (int i = 0; i < kRows; ++i) {
    if (strcmp(arguments[1], rows[i].name) != 0) continue;
    rows[i].misuse();
    churn();
    puts("harmless");
    return 0;
  }
  puts("no such row");
  return 1;
}
