/* One attack on malloc, named by the first argument: a program's mistake as an attacker uses it, who writes and does not read (but in
 * the rows that begin with read_), and who knows this code, the addresses, and every constant of heapglass.
 *
 * Rows that begin with excluded_ are attacks that hardened does not promise to withstand.
 *
 * Prints "won: ..." when two live blocks overlap or what the row was after is reached, else "held"; malloc may also end the program.
 * Without an argument: the names of all rows, one a line. "order": see print_order. */
#include "attacks.h"

#ifdef __EMSCRIPTEN_PTHREADS__
#include <pthread.h>
#endif

struct mallinfo mallinfo(void) __attribute__((weak)); /* not every malloc has it */

void *(*volatile any_malloc)(size_t) = malloc;
void *(*volatile any_realloc)(void *, size_t) = realloc;
void (*volatile any_free)(void *) = free;

void won(const char *what) {
  printf("won: %s\n", what);
  fflush(stdout);
  _Exit(0);
}

/* ---- live blocks ---- */

enum { kMost = 4096 };
static struct {
  uintptr_t begin, end; /* equal: none */
} live[kMost];
static int count;

static char *live_from_now(char *mem, size_t size) {
  const uintptr_t begin = (uintptr_t)mem, end = begin + size;
  if (mem == NULL || end > (uintptr_t)__builtin_wasm_memory_size(0) * 65536) won("a block outside the memory");
  for (int i = 0; i < count; ++i) {
    if (begin < live[i].end && live[i].begin < end) won("two live blocks overlap");
  }
  if (malloc_usable_size(mem) < size) won("a block that is too small"); /* last, since it may end the program */
  live[count].begin = begin;
  live[count++].end = end;
  return mem;
}
static void forget(const void *mem) {
  for (int i = 0; i < count; ++i) {
    if (live[i].begin == (uintptr_t)mem) live[i].begin = live[i].end = 0;
  }
}
char *take(size_t size) { return live_from_now(any_malloc(size), size); }
char *take_aligned(size_t alignment, size_t size) { return live_from_now(memalign(alignment, size), size); }
char *resize(void *mem, size_t size) {
  forget(mem);
  return live_from_now(any_realloc(mem, size), size);
}
void give(void *mem) {
  forget(mem);
  any_free(mem);
}

char *blocks[kBlocks];
static void take_blocks(size_t size) {
  for (int i = 0; i < kBlocks; ++i) blocks[i] = take(size);
}
/* What an attack leads to is asked for. */
static void harvest(void) {
  static const size_t kSizes[] = {kBytes, 2 * kChunk - 4, 12, 3 * kChunk - 4, 100, 5000, 20000};
  for (int n = 0; n < 20; ++n) {
    for (int i = 0; i < 7; ++i) take(kSizes[i]);
  }
}

/* The constants that this malloc has or had, and none. */
static const uint32_t kScatter = 0x9e3779b1u;
static uint32_t inverse_of(uint32_t odd) {
  uint32_t inverse = odd;
  for (int step = 0; step < 5; ++step) inverse *= 2 - odd * inverse;
  return inverse;
}

/* ---- headers ---- */

static void add_to_header(uint32_t n) {
  *header_of(blocks[20]) += n; /* table[-1] += n */
  give(blocks[20]);
}
static void add_plain(void) { add_to_header(kChunk); }
static void add_spread(void) { add_to_header(kChunk * inverse_of(kScatter)); }
static void add_scattered(void) { add_to_header(kChunk * kScatter); }
static void add_high_bits(void) {
  for (int bit = 13; bit < 32; ++bit) {
    *header_of(blocks[bit]) += 1u << bit;
    give(blocks[bit]);
  }
}
static void add_to_large(void) {
  char *const large = take(20000);
  take(20000);
  *header_of(large) += 4096 * inverse_of(kScatter);
  give(large);
}
static void overwrite_bytes(int bytes) {
  for (int i = 8; i < 40; i += 2) {
    memset((char *)header_of(blocks[i]), 0x63, (size_t)bytes);
    give(blocks[i]);
  }
}
static void overwrite_one(void) { overwrite_bytes(1); }
static void overwrite_two(void) { overwrite_bytes(2); }
static void overwrite_three(void) { overwrite_bytes(3); }
static void plain_header(void) {
  *header_of(blocks[20]) = (2 * kChunk) | 3;
  give(blocks[20]);
}
static void copied_header(void) { /* of a block of another size, by an overflow that was read elsewhere */
  char *const other = take(2 * kChunk - 4);
  memcpy(header_of(blocks[20]), header_of(other), 4);
  give(blocks[20]);
}
static void wild_free(void) { /* a block that was made inside a block */
  char *const mem = take(400);
  for (int at = 4; at < 396; at += 4) *(uint32_t *)(mem + at) = kChunk | 3;
  any_free(mem + 8 + (16 - ((uintptr_t)mem + 8) % 16));
}

static void off_by_one(void) { /* a zero behind the block, as a string's end is written too far */
  for (int i = 8; i < 40; i += 3) {
    blocks[i][malloc_usable_size(blocks[i])] = 0;
    give(blocks[i]);
    give(blocks[i + 1]);
  }
}

/* ---- links ---- */

static void bend_link(void) { /* to a cached chunk of a smaller class: next and target are known addresses */
  char *const small = take(12);
  take(12);
  char *const first = blocks[20], *const second = blocks[21];
  give(small);
  give(first);
  give(second);
  *(uint32_t *)second ^= (uint32_t)(uintptr_t)first ^ (uint32_t)(uintptr_t)small;
  *(uint32_t *)first ^= (uint32_t)(uintptr_t)small;
  for (int i = 0; i < 4; ++i) take(kBytes);
}
static void bend_to_live(void) {
  char *const first = blocks[20], *const second = blocks[21];
  give(first);
  give(second);
  *(uint32_t *)second ^= (uint32_t)(uintptr_t)first ^ (uint32_t)(uintptr_t)blocks[30];
  *(uint32_t *)first ^= (uint32_t)(uintptr_t)blocks[30];
}
static void plain_link(void) {
  give(blocks[20]);
  *(uint32_t *)blocks[20] = (uint32_t)(uintptr_t)blocks[30];
}
static void partial_link(void) {
  for (int i = 8; i < 40; i += 2) {
    give(blocks[i]);
    memset(blocks[i], 0, (size_t)(1 + i / 2 % 3));
  }
}
static void link_twice(void) { /* a second free, with the link cleared between */
  give(blocks[20]);
  memset(blocks[20], 0, 8);
  any_free(blocks[20]);
}

static void stale_writes(void) { /* into a freed block, at every age: so many blocks were given and freed since */
  for (int age = 0; age < kBlocks / 2; ++age) {
    char *const stale = blocks[age];
    give(stale);
    for (int n = 0; n < age; ++n) give(take(kBytes));
    for (int word = 0; word < 4; ++word) ((uint32_t *)stale)[word] = (uint32_t)(uintptr_t)blocks[kBlocks - 1 - word];
    blocks[age] = take(kBytes);
  }
}

/* ---- what is read, and what can be foreseen ---- */

static void read_fresh(void) { /* the first word of two new blocks gives the key of links, if it is a link */
  char *const first = blocks[20], *const second = blocks[21];
  give(first);
  give(second);
  char *const one = take(kBytes), *const two = take(kBytes);
  if (one != second || two != first) return;
  const uint32_t of_one = (*(uint32_t *)one ^ (uint32_t)(uintptr_t)two) - (uint32_t)(uintptr_t)one * kScatter;
  const uint32_t of_two = *(uint32_t *)two - (uint32_t)(uintptr_t)two * kScatter;
  if (of_one == of_two) won("the key of links is known");
}
static void read_header(void) { /* one header, of a known block, to make another one */
  const uint32_t at = (uint32_t)(uintptr_t)header_of(blocks[10]);
  const uint32_t key = (*header_of(blocks[10]) - at) * kScatter - (kChunk | 3);
  const uint32_t to = (uint32_t)(uintptr_t)header_of(blocks[20]);
  *header_of(blocks[20]) = ((2 * kChunk | 3) + key) * inverse_of(kScatter) + to;
  give(blocks[20]);
}
static void foresee_order(void) { /* the last freed is the next given out, in most of 40 rounds of 16 */
  int foreseen = 0;
  for (int round = 0; round < 40; ++round) {
    int same = 1;
    for (int i = 16; i < 32; ++i) give(blocks[i]);
    for (int i = 31; i >= 16; --i) {
      char *const mem = take(kBytes);
      if (mem != blocks[i]) same = 0;
      blocks[i] = mem;
    }
    foreseen += same;
  }
  if (foreseen > 20) won("the order of reuse is the last freed first");
}

/* Not an attack: 16 blocks are freed and asked for again; the order in which they come, as 16 letters. */
enum { kOrdered = 12 }; /* from here on they lie in one slab, if they are in slabs */
static void print_order(void) {
  char order[17] = "";
  for (int i = kOrdered; i < kOrdered + 16; ++i) any_free(blocks[i]);
  for (int n = 0; n < 16; ++n) {
    char *const mem = any_malloc(kBytes);
    order[n] = '-';
    for (int i = 0; i < 16; ++i) {
      if (blocks[kOrdered + i] == mem) order[n] = (char)('a' + i);
    }
  }
  puts(order);
}

/* The host's random numbers, which malloc asks for once: not given in the row no_secret. */
#ifdef __EMSCRIPTEN__
#include <emscripten.h>
EM_JS(void, fill_random, (unsigned char *bytes, int count), { HEAPU8.set(require('crypto').randomBytes(count), bytes); });
#endif
static int refuses, refused;
int getentropy(void *bytes, size_t count) {
  if (refuses) return refused = 1, -1;
  fill_random(bytes, (int)count);
  return 0;
}
static void no_secret(void) { /* with threads malloc has asked before main begins */
  if (refused) won("malloc works without a secret");
}

/* ---- what hardened does not promise to withstand (malloc/hardened.hpp): these win there, too ---- */

static void excluded_read_two(void) { /* headers of two sizes, as 64 bytes hold them, give the difference that makes any size */
  uint32_t *const one = header_of(blocks[10]), *const larger = header_of(take(kBytes + 16));
  const uint32_t step = (*larger - (uint32_t)(uintptr_t)larger) - (*one - (uint32_t)(uintptr_t)one);
  *header_of(blocks[20]) += kChunk / 16 * step;
  give(blocks[20]);
}
static void excluded_second_free(void) { /* of a block that was given out again: it is a block in use like any other */
  char *const stale = blocks[20];
  give(stale);
  for (int n = 0; n < 200 && take(kBytes) != stale; ++n) {
  }
  any_free(stale);
}

/* ---- through another thread; in a build without threads the same, one after the other ---- */

#ifdef __EMSCRIPTEN_PTHREADS__
static void *run_body(void *body) {
  ((void (*)(void))body)();
  return NULL;
}
static void at_once(void (*own)(void), void (*other)(void)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_body, (void *)other) != 0) exit(2);
  if (own != NULL) own();
  pthread_join(thread, NULL); /* what its cache had is on the central lists */
}
#else
static void at_once(void (*own)(void), void (*other)(void)) {
  if (own != NULL) own();
  other();
}
#endif

static void give_even(void) {
  for (int i = 0; i < kBlocks; i += 2) any_free(blocks[i]);
}
static void forget_even(void) {
  for (int i = 0; i < kBlocks; i += 2) forget(blocks[i]);
}
static void cross_twice(void) {
  forget_even();
  give_even();
  at_once(NULL, give_even);
}
static void cross_overwrite(void) { /* each of the first words that a list of the other thread may have in a block */
  forget_even();
  at_once(NULL, give_even);
  for (int i = 0; i < kBlocks; i += 2) {
    for (int word = 0; word < 4; ++word) ((uint32_t *)blocks[i])[word] = (uint32_t)(uintptr_t)blocks[i + 1];
  }
}
static void cross_bend(void) { /* by the difference of two addresses: back to itself, to a live block, to one of another class */
  char *const small = take(12);
  take(12);
  forget_even();
  at_once(NULL, give_even);
  give(small);
  for (int i = 2; i < kBlocks - 2; i += 2) {
    const char *const to = i % 3 == 0 ? blocks[i] : i % 3 == 1 ? blocks[i + 1] : small;
    for (int word = 0; word < 3; ++word)
      ((uint32_t *)blocks[i])[word] ^= (uint32_t)(uintptr_t)blocks[i - 2] ^ (uint32_t)(uintptr_t)to;
  }
}
static void cross_count(void) { /* what a batch may say about its bytes */
  forget_even();
  at_once(NULL, give_even);
  for (int i = 0; i < kBlocks; i += 2) ((uint32_t *)blocks[i])[1] = 0x80000000u;
  for (int n = 0; n < 400; ++n) any_free(any_malloc(kBytes));
}

static void give_one(void) { any_free(blocks[20]); }
static void cross_loop(void) { /* a batch leads to itself, and the program asks how much is cached */
  forget(blocks[20]);
  at_once(NULL, give_one);
  ((uint32_t *)blocks[20])[2] ^= (uint32_t)(uintptr_t)blocks[20];
  if (mallinfo != NULL) mallinfo();
}

static int racing; /* the block that both threads free */
static volatile int ready;
static void give_racing(void) {
  __atomic_fetch_add(&ready, 1, __ATOMIC_SEQ_CST);
#ifdef __EMSCRIPTEN_PTHREADS__
  while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < 2) {
  }
#endif
  any_free(blocks[racing]);
}
static void race_twice(void) {
  for (racing = 0; racing < kBlocks; ++racing) {
    ready = 0;
    forget_even();
    at_once(give_racing, give_racing);
    take(kBytes);
    take(kBytes);
  }
}
static void race_large(void) {
  for (racing = 0; racing < 8; ++racing) {
    ready = 0;
    blocks[racing] = any_malloc(200000);
    at_once(give_racing, give_racing);
    take(200000);
    take(200000);
  }
}

static const Row kRows[] = {ROW(add_plain),     ROW(add_spread),      ROW(add_scattered), ROW(add_high_bits), ROW(add_to_large), ROW(overwrite_one),
             ROW(overwrite_two), ROW(overwrite_three), ROW(plain_header),  ROW(copied_header), ROW(wild_free),    ROW(bend_link),
             ROW(bend_to_live),  ROW(plain_link),      ROW(partial_link),  ROW(link_twice),    ROW(read_fresh),   ROW(read_header),
             ROW(foresee_order), ROW(cross_twice),  ROW(cross_overwrite), ROW(cross_bend),   ROW(cross_count), ROW(cross_loop), ROW(race_twice),
             ROW(race_large),    ROW(off_by_one),      ROW(stale_writes),  ROW(no_secret),         ROW(excluded_read_two),
             ROW(excluded_second_free)};

static void run(const Row *row, const char *name) {
  if (name == NULL) {
    puts(row->name);
  } else if (strcmp(name, row->name) == 0) {
    take_blocks(kBytes);
    row->run();
    harvest();
    puts("held");
  }
}

int main(int argc, char **argv) {
  const char *const name = argc < 2 ? NULL : argv[1];
  refuses = name != NULL && strcmp(name, "no_secret") == 0;
  if (name != NULL && strcmp(name, "order") == 0) {
    take_blocks(kBytes);
    print_order();
    return 0;
  }
  for (unsigned i = 0; i < sizeof kRows / sizeof *kRows; ++i) run(&kRows[i], name);
  for (const Row *row = kHeapRows; row->name != NULL; ++row) run(row, name);
  for (const Row *row = kSlabRows; row->name != NULL; ++row) run(row, name);
  for (const Row *row = kKeptRows; row->name != NULL; ++row) run(row, name);
  for (const Row *row = kUnprovedRows; row->name != NULL; ++row) run(row, name);
  for (const Row *row = kFigureRows; row->name != NULL; ++row) run(row, name);
  for (const Row *row = kEndedRows; row->name != NULL; ++row) run(row, name);
}
