/* Attacks on what malloc reads of slabs without a proof of its own: the map, with threads its length, the half of a slab's words that a free does not look at,
 * when a slab is looked at, and words of a slab that were true before. They are of blocks of 44 bytes, whatever the others are. */
#include "attacks.h"

#include <unistd.h>

#ifdef __EMSCRIPTEN_PTHREADS__
#include <pthread.h>
#endif

extern int malloc_trim(size_t pad) __attribute__((weak));
struct mallinfo mallinfo(void) __attribute__((weak));

enum { kSmall = 44, kClass = 6, kHead = 32, kStep = 1024, kMany = 600, kLarge = 40000 };
typedef struct {
  uint64_t code[2];
  uint32_t free[2];
  uint8_t due[2];
  uint16_t tag;
  uint32_t next;
} Slab;

static char *many[kMany];
static void take_many(void) {
  for (int i = 0; i < kMany; ++i) memset(many[i] = take(kSmall), 0x5a, kSmall);
}
static int steps_of(const Slab *slab) { return (slab->tag >> 6 & 3) + 1; }
static unsigned blocks_of(const Slab *slab) { return (unsigned)(steps_of(slab) * kStep - kHead - 4) / (8u * kClass); }
/* NULL: it is not in a slab of its class. */
static Slab *slab_of(const char *mem) {
  for (int n = 0; n < 4; ++n) {
    Slab *const slab = (Slab *)(((uintptr_t)mem & ~(uintptr_t)(kStep - 1)) - (uintptr_t)(n * kStep));
    const uintptr_t at = (uintptr_t)mem - (uintptr_t)slab - kHead;
    if ((slab->tag & 63) == kClass && steps_of(slab) > n && at % (8u * kClass) == 0) return slab;
  }
  return NULL;
}
#ifdef __EMSCRIPTEN_PTHREADS__
typedef uint16_t Entry; /* and whose it is */
#else
typedef uint8_t Entry;
#endif
extern unsigned char __heap_base;
/* The map's entry for an address, which the attacker knows: found by the entries of all slabs that have blocks of `many`. NULL: there is no map. */
static Entry *entry_of(const void *mem) {
  const uint32_t first = (address(&__heap_base) + 12) / kStep;
  for (Entry *map = (Entry *)((address(&__heap_base) + 15) & ~15u); address(map) < address(sbrk(0)) - kLarge; map = (Entry *)((char *)map + 4)) {
    int found = 0, i = 0;
    for (; i < kMany; ++i) {
      const Slab *const slab = slab_of(many[i]);
      const Entry *const at = slab == NULL ? NULL : map + (address(slab) / kStep - first);
      if (at != NULL && (at[0] & 255) != kClass * 4 && i > 20) break;
      if (at != NULL && (at[0] & 255) == kClass * 4 && (at[steps_of(slab)] & 3) == 0) ++found;
    }
    if (i == kMany && found > kMany - 60) return map + (address(mem) / kStep - first);
  }
  return NULL;
}
/* A full slab of fewer than 32 blocks, not the current one; NULL: there is none. */
static Slab *short_slab(void) {
  take_many();
  for (int i = 30; i < kMany - 100; ++i) {
    Slab *const slab = slab_of(many[i]);
    if (slab != NULL && steps_of(slab) == 1 && slab->free[0] == ~0U << blocks_of(slab)) return slab;
  }
  return NULL;
}
static void set_due(Slab *slab, int due) { slab->due[0] = slab->due[1] = (uint8_t)due; }
/* Half of its blocks are freed, so it goes on its list; then as many blocks are asked for as have room in all. */
static void use(const Slab *slab) {
  for (int i = 0, n = 0; i < kMany; ++i) {
    if (many[i] != NULL && slab_of(many[i]) == slab && n++ % 2 == 0) give(many[i]), many[i] = NULL;
  }
  for (int i = 0; i < kMany; ++i) take(kSmall);
}

static void map_beyond(void) { /* what lies behind a slab is, says the map by one byte, a part of it: there blocks are freed that it does not have */
  Slab *const slab = short_slab();
  char *const end = slab == NULL ? NULL : (char *)slab + steps_of(slab) * kStep;
  Entry *const entry = slab == NULL ? NULL : entry_of(end);
  if (entry == NULL) return;
  const Entry was = *entry;
  *entry = (Entry)(*entry_of(slab) + steps_of(slab));
  for (char *mem = (char *)slab + kHead + 8 * kClass * (blocks_of(slab) + 5); mem >= end; mem -= 8 * kClass) any_free(mem);
  *entry = was;
  use(slab);
}
static void slab_other_half(void) { /* the code of one half is that of the other one, for blocks of a smaller class: a free there sets a bit of no block */
  Slab *const slab = short_slab();
  if (slab == NULL || steps_of(slab) != 1) return;
  const Slab kept = *slab;
  set_due(slab, 0);
  slab->tag -= 4;
  slab->code[1] = kept.code[0], slab->free[1] = kept.free[0];
  for (int n = 25; n > 20; --n) any_free((char *)slab + kHead + 16 * (32 + n));
  const Slab made = *slab;
  *slab = kept;
  slab->code[0] = made.code[1], slab->free[0] = made.free[1];
  set_due(slab, 7 + 32 - (int)blocks_of(slab));
  use(slab);
}
static void slab_flushed_when_due(void) { /* a slab of which one block is free is on its list, and is looked at as if none were in use */
  Slab *const slab = short_slab();
  if (slab == NULL) return;
  for (int i = 0; i < kMany; ++i) {
    if (slab_of(many[i]) != slab) continue;
    set_due(slab, 33 - (int)blocks_of(slab));
    give(many[i]), many[i] = NULL;
    set_due(slab, 0);
    break;
  }
  if (malloc_trim != NULL) malloc_trim(0);
  for (int i = 0; i < kMany; ++i) memset(take(4 * kStep), 0x5a, 4 * kStep);
  for (int i = 0; i < kMany; ++i) {
    if (many[i] != NULL && many[i][0] != 0x5a) won("the contents of a live block");
  }
}
static void map_length(void) { /* the map says that it is longer than it is: what is entered there lies behind it */
  take_many();
  Entry *const entry = entry_of(&__heap_base + kStep);
  if (entry == NULL || sizeof *entry == 1) return;
  uint32_t *length = (uint32_t *)((uintptr_t)entry & ~3u);
  while (*length < 64 || *length > 100000) --length;
  *length = 0x10000000;
  char *const large = take(64 << 20);
  memset(large, 0x77, 1 << 20);
  take_many();
  for (int i = 0; i < 1 << 20; ++i) {
    if (large[i] != 0x77) won("malloc wrote into a live block");
  }
}
static uint32_t shown_free(uint32_t *unused) {
  (void)unused;
  return (uint32_t)mallinfo().fordblks;
}
static void figures_tell_factor(void) { /* the map says that a slab begins in a block of the program: the word before it is a chunk's header for a sum */
  if (mallinfo == NULL) return;
  take_factored();
  take_many();
  char *const mem = memset(take(4 * kStep), 0, 4 * kStep);
  char *const slab = (char *)(((uintptr_t)mem + 2 * kStep) & ~(uintptr_t)(kStep - 1));
  Entry *const entry = entry_of(slab);
  if (entry == NULL) return;
  *entry = kClass * 4;
  const uint32_t factor = factor_of((uint32_t *)slab - 1, shown_free);
  *entry = 0;
  use_factor(factor);
}

/* ---- with threads ---- */

#ifdef __EMSCRIPTEN_PTHREADS__
enum { kTheirs = 40 };
static char *mine[kTheirs], *theirs[kTheirs], *given; /* of 100 bytes; the one that the other thread frees */
static volatile int turn;
static void pass_turn(int to, int back) {
  __atomic_store_n(&turn, to, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) != back) {
  }
}
static void *other_owner(void *unused) {
  while (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) != 2) {
  }
  for (int i = 0; i < kTheirs; ++i) theirs[i] = take(100);
  pass_turn(3, 4);
  for (int i = 0; i < 20; ++i) take(100); /* so the last slab is full */
  pass_turn(5, 6);
  if (given != NULL) give(given);
  for (int i = 0; given != NULL && i < kTheirs; ++i) take(100);
  __atomic_store_n(&turn, 7, __ATOMIC_SEQ_CST);
  return unused;
}
static void *owner_between(void *unused) {
  any_free(any_malloc(100));
  __atomic_store_n(&turn, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) != 7) {
  }
  return unused;
}
static Slab *slab_under(const char *mem) { return (Slab *)((uintptr_t)mem & ~(uintptr_t)(kStep - 1)); }
/* Of the slab of theirs[i] to which the words of another one were copied, in which mine[k] is free. */
static void use_theirs(Slab *slab, int i, int k) {
  Slab *const from = slab_under(mine[k]);
  set_due(from, 99);
  give(mine[k]);
  memcpy(slab, from, sizeof slab->code + sizeof slab->free);
  set_due(slab, __builtin_popcount(slab->free[0]) + 1);
  given = (uintptr_t)theirs[i] % kStep != (uintptr_t)mine[k] % kStep ? theirs[i] : theirs[i + 1];
}
static void slab_of_other_owner(void) { /* the words of a slab that lies 1 KiB behind, of an owner whose number is 2 less */
  pthread_t between, other;
  if (pthread_create(&between, NULL, owner_between, NULL) != 0) exit(2);
  while (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) != 1) {
  }
  if (pthread_create(&other, NULL, other_owner, NULL) != 0) exit(2);
  pass_turn(2, 3);
  for (int i = 0; i < kTheirs; ++i) mine[i] = take(100);
  pass_turn(4, 5);
  for (int i = 0, done = 0; i < kTheirs - 1 && !done; ++i) {
    for (int k = 0; k < kTheirs && !done; ++k) {
      Slab *const slab = slab_under(theirs[i]), *const from = slab_under(mine[k]);
      done = address(from) == address(slab) + kStep && slab->tag == from->tag + kStep && slab_under(theirs[i + 1]) == slab;
      if (done) use_theirs(slab, i, k);
    }
  }
  pass_turn(6, 7);
}
#else
static void slab_of_other_owner(void) {}
#endif

/* ---- what hardened does not promise to withstand ---- */

static void excluded_slab_replayed(void) { /* a slab's words are moved away and back, when the block that was free is live */
  Slab *const slab = short_slab();
  if (slab == NULL) return;
  int i = 0;
  while (many[i] == NULL || slab_of(many[i]) != slab) ++i;
  give(many[i]), many[i] = NULL;
  const Slab kept = *slab;
  use(slab);
  *slab = kept;
  for (i = 0; many[i] == NULL || slab_of(many[i]) != slab; ++i) {
  }
  give(many[i]);
  for (i = 0; i < kMany; ++i) take(kSmall);
}

const Row kUnprovedRows[] = {ROW(map_beyond), ROW(slab_other_half), ROW(slab_flushed_when_due), ROW(map_length), ROW(figures_tell_factor),
                             ROW(slab_of_other_owner), ROW(excluded_slab_replayed), {NULL, NULL}};
