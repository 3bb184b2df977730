/* Attacks on slabs (core/src/slab): the words before the first block of a slab, the map that says where slabs are, what is left of a slab that has
 * ended. Another malloc has no slabs; there these rows hold. */
#include "attacks.h"

enum { kHead = 32, kStep = 1024, kMany = 600 };
typedef struct {
  uint64_t code[2];
  uint32_t free[2];
  uint16_t until, tag;
  uint32_t next;
} Slab;

static char *many[kMany];
static void take_many(void) {
  for (int i = 0; i < kMany; ++i) memset(many[i] = take(kBytes), 0x5a, kBytes);
}
static int class_of(const Slab *slab) { return slab->tag & 63; }
static int steps_of(const Slab *slab) { return (slab->tag >> 6 & 7) + 1; }
/* NULL: it is not in a slab. */
static Slab *slab_of(const char *mem) {
  const int wanted = (kBytes + 7) / 8;
  for (int n = 0; n < 8; ++n) {
    Slab *const slab = (Slab *)(((uintptr_t)mem & ~(uintptr_t)(kStep - 1)) - (uintptr_t)n * kStep);
    const uintptr_t at = (uintptr_t)mem - (uintptr_t)slab - kHead;
    if (class_of(slab) == wanted && steps_of(slab) > n && at % (8u * (unsigned)wanted) == 0) return slab;
  }
  return NULL;
}
static unsigned index_in(const Slab *slab, const char *mem) { return (unsigned)(mem - (const char *)slab - kHead) / (8u * (unsigned)class_of(slab)); }
/* The slab of the n-th block, which is full and not the current one by then; NULL: there is none. */
static Slab *full_slab(int n) {
  take_many();
  return slab_of(many[n]);
}
/* Its blocks of even numbers are freed, then as many blocks are asked for as have room in all. */
static void give_even(const Slab *slab) {
  for (int i = 0; i < kMany; ++i) {
    if (many[i] != NULL && slab_of(many[i]) == slab && index_in(slab, many[i]) % 2 == 0) give(many[i]), many[i] = NULL;
  }
}
static void use(const Slab *slab) {
  give_even(slab);
  for (int i = 0; i < kMany; ++i) take(kBytes);
}

static void slab_bits(void) { /* blocks of odd numbers are free */
  Slab *const slab = full_slab(200);
  if (slab == NULL) return;
  slab->free[0] = 0xaaaaaaaau;
  use(slab);
}
static void slab_bits_listed(void) { /* the same, while the slab is on the list */
  Slab *const slab = full_slab(200);
  if (slab == NULL) return;
  give_even(slab);
  slab->free[0] |= 0xaaaaaaaau;
  for (int i = 0; i < kMany; ++i) take(kBytes);
}
static void slab_add_bit(void) { /* to both words, as to a code without a secret */
  Slab *const slab = full_slab(200);
  if (slab == NULL) return;
  slab->free[0] += 8;
  slab->code[0] += 8;
  use(slab);
}
static void slab_high_bit(void) { /* the highest bits of a product say least of its factor */
  Slab *const slab = full_slab(200);
  if (slab == NULL) return;
  slab->free[0] ^= 0x80000000u;
  slab->code[0] ^= 0x8000000000000000u;
  slab->code[0] ^= 0x80000000u;
  use(slab);
}
static void slab_tag(void) { /* a longer one, with blocks behind its end */
  Slab *const slab = full_slab(200);
  if (slab == NULL || steps_of(slab) > 7) return;
  const int more = steps_of(slab) * kStep / (8 * class_of(slab)) + 1;
  slab->tag = (uint16_t)(slab->tag + (1 << 6));
  if (more > 63) return;
  any_free((char *)slab + kHead + 8 * class_of(slab) * more);
  use(slab);
}
static void slab_class(void) { /* smaller blocks */
  Slab *const slab = full_slab(200);
  if (slab == NULL) return;
  slab->tag = (uint16_t)((slab->tag & ~63) | 2);
  for (int n = 1; n < 60; n += 2) any_free((char *)slab + kHead + 16 * n);
  for (int i = 0; i < kMany; ++i) take(12);
}
static void slab_copied(void) { /* the words of another one, which has free blocks */
  Slab *const slab = full_slab(200), *const other = slab == NULL ? NULL : slab_of(many[400]);
  if (other == NULL || other == slab) return;
  give_even(other);
  const uint32_t next = slab->next;
  memcpy(slab, other, kHead);
  slab->next = next;
  for (int i = 1; i < kMany; ++i) {
    if (many[i] != NULL && slab_of(many[i]) == slab && index_in(slab, many[i]) % 2 == 1) give(many[i]), many[i] = NULL;
  }
  for (int i = 0; i < kMany; ++i) take(kBytes);
}
static void slab_bytes(void) { /* bytes before a block, as an array is written one element too early */
  Slab *const slab = full_slab(200);
  for (int n = 1; slab != NULL && n <= kHead; n += 3) {
    ((unsigned char *)slab)[kHead - n] ^= 0x42;
    give((char *)slab + kHead);
    take(kBytes);
  }
}
static void slab_until(void) { /* it is looked at too early, or never */
  Slab *const slab = full_slab(200);
  if (slab == NULL) return;
  slab->until = 1;
  use(slab);
  slab->until = 0;
  use(slab);
}
/* Some of each slab's blocks are free, so many slabs are on the list. */
static Slab *listed_slab(void) {
  Slab *const slab = full_slab(200);
  for (int i = 0; slab != NULL && i < kMany; i += 2) give(many[i]), many[i] = NULL;
  return slab;
}
static void bend_next(Slab *slab, const void *from, const void *to) { slab->next ^= address(from) ^ address(to); }
/* What a listed slab leads to is listed before it: the next lower of the list in most cases. */
static Slab *listed_before(const Slab *slab) {
  for (int i = 1; i < kMany; i += 2) {
    Slab *const one = slab_of(many[i]);
    if (one == slab && i > 1) {
      for (int k = i - 2; k > 0; k -= 2) {
        if (slab_of(many[k]) != slab) return slab_of(many[k]);
      }
    }
  }
  return NULL;
}
static void slab_link_to_itself(void) {
  Slab *const slab = listed_slab(), *const next = slab == NULL ? NULL : listed_before(slab);
  if (next == NULL) return;
  bend_next(slab, next, slab);
  for (int i = 0; i < 2 * kMany; ++i) take(kBytes);
}
static void slab_link_to_full(void) { /* a slab whose blocks are all live */
  Slab *const full = full_slab(100), *const slab = full == NULL ? NULL : slab_of(many[400]);
  if (slab == NULL) return;
  for (int i = 301; i < kMany; i += 2) give(many[i]), many[i] = NULL;
  const Slab *const next = slab_of(many[400 - 2 * kStep / 48 / 2 * 2]);
  bend_next(slab, next, full);
  for (int i = 0; i < 2 * kMany; ++i) take(kBytes);
}
static void slab_link_forged(void) { /* a slab that the program wrote into a live block */
  char *const mem = take(20000);
  Slab *const slab = listed_slab(), *const next = slab == NULL ? NULL : listed_before(slab);
  Slab *const forged = (Slab *)(((uintptr_t)mem + 2 * kStep) & ~(uintptr_t)(kStep - 1));
  if (next == NULL) return;
  memcpy(forged, slab, kHead);
  bend_next(slab, next, forged);
  for (int i = 0; i < 2 * kMany; ++i) take(kBytes);
}
extern int malloc_trim(size_t pad) __attribute__((weak));
static void slab_ring_flushed(void) { /* a ring of slabs, and all that is cached goes back */
  Slab *const slab = listed_slab(), *const next = slab == NULL ? NULL : listed_before(slab);
  if (next == NULL) return;
  bend_next(slab, next, slab);
  if (malloc_trim != NULL) malloc_trim(0);
  for (int i = 0; i < 2 * kMany; ++i) take(kBytes);
}
static void slab_ended(void) { /* its words, written again where a block of another kind is now */
  Slab *const slab = full_slab(200);
  if (slab == NULL || malloc_trim == NULL) return;
  const Slab kept = *slab;
  for (int i = 0; i < kMany; ++i) give(many[i]);
  malloc_trim(0);
  char *const mem = take(60000);
  const uintptr_t at = (uintptr_t)slab - (uintptr_t)mem;
  if (at > 60000 - 8 * kStep) return;
  if (memcmp(slab, &kept, 16) == 0) won("a slab that has ended has its code");
  any_free(mem + at + kHead);
  take(kBytes);
}
extern unsigned char __heap_base;
static void slab_map_bytes(void) { /* the map, wherever it lies: the KiB of a large block look like those of a slab that the program wrote there */
  Slab *const slab = full_slab(200);
  if (slab == NULL) return;
  char *const mem = take(40000);
  Slab *const forged = (Slab *)(((uintptr_t)mem + 2 * kStep) & ~(uintptr_t)(kStep - 1));
  memcpy(forged, slab, kHead);
  const int steps = steps_of(slab);
  unsigned char pattern[16];
  for (int n = 0; n < 16; ++n) pattern[n] = (unsigned char)(class_of(slab) * 4 + n % steps);
  for (unsigned char *at = &__heap_base; at < (unsigned char *)slab; ++at) {
    if (memcmp(at, pattern, (size_t)steps + 1) != 0) continue;
    memset(at, 1, 3); /* and slabs look like others */
    for (int n = 0; n < 64; ++n) {
      if (at[n] == 0) at[n] = 1; /* and what is none */
    }
  }
  any_free((char *)forged + kHead);
  use(slab);
}
static void slab_twice(void) { /* a second free at each age: in the current slab, in a full one, in a listed one */
  take_many();
  char *const stale = many[100];
  give(stale);
  any_free(stale);
}
static void slab_twice_listed(void) {
  Slab *const slab = full_slab(200);
  char *const stale = many[200];
  if (slab == NULL) return;
  give_even(slab); /* it is one of them, or its neighbour is */
  any_free(index_in(slab, stale) % 2 == 0 ? stale : (char *)slab + kHead);
}
static void slab_twice_current(void) {
  char *const mem = take(kBytes);
  give(mem);
  any_free(mem);
}
static void slab_between(void) { /* the rest behind the last block, and the words before the first, are no blocks */
  Slab *const slab = full_slab(200);
  if (slab == NULL) return;
  any_free((char *)slab + kStep * steps_of(slab) - 8);
  any_free((char *)slab + 8);
  use(slab);
}

const Row kSlabRows[] = {ROW(slab_bits), ROW(slab_bits_listed), ROW(slab_add_bit), ROW(slab_high_bit), ROW(slab_tag), ROW(slab_class), ROW(slab_copied),
                         ROW(slab_bytes), ROW(slab_until), ROW(slab_link_to_itself), ROW(slab_link_to_full), ROW(slab_link_forged),
                         ROW(slab_ring_flushed), ROW(slab_ended), ROW(slab_map_bytes), ROW(slab_twice), ROW(slab_twice_listed),
                         ROW(slab_twice_current), ROW(slab_between), {NULL, NULL}};
