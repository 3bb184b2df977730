/* What the attacks of attacks.c, attacks_heap.c, attacks_slab.c, attacks_kept.c, attacks_unproved.c, attacks_figures.c and attacks_ended.c share: the blocks that are live, and who has won. */
#ifndef HG_TESTS_ATTACKS_H
#define HG_TESTS_ATTACKS_H

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By volatile pointers: a compiler that knows malloc leaves out what it thinks nobody sees. */
extern void *(*volatile any_malloc)(size_t);
extern void *(*volatile any_realloc)(void *, size_t);
extern void (*volatile any_free)(void *);

void won(const char *what); /* ends the program */

/* A new live block, or one that is no longer live. A live block that another one overlaps has won. */
char *take(size_t size);
char *take_aligned(size_t alignment, size_t size);
char *resize(void *mem, size_t size);
void give(void *mem);

#ifndef ATTACKED_BYTES /* of the blocks: hardened has them in a slab up to 256, as chunks of the heap above */
#define ATTACKED_BYTES 44
#endif
enum { kBlocks = 48, kBytes = ATTACKED_BYTES, kChunk = kBytes + 4 };
extern char *blocks[kBlocks]; /* of kBytes, live, most of them side by side */

static inline uint32_t *header_of(void *mem) { return (uint32_t *)mem - 1; }
static inline uint32_t address(const void *mem) { return (uint32_t)(uintptr_t)mem; }

/* A large block is freed, and its pages are given back: the record that malloc keeps there (attacks_heap.c). */
extern uint32_t *run_next, *run_bytes;
void trim_away(char *stale, size_t size);

/* attacks_figures.c: what is added to a word that is shown, decoded, gives the factor of headers; blocks side by side, of which one takes the next one in. */
uint32_t factor_of(uint32_t *word, uint32_t (*shown)(uint32_t *));
void take_factored(void);
void use_factor(uint32_t factor);

typedef struct {
  const char *name;
  void (*run)(void);
} Row;
#define ROW(name) {#name, name}

extern const Row kHeapRows[]; /* of attacks_heap.c; ends with a row without a name */
extern const Row kSlabRows[]; /* of attacks_slab.c, likewise */
extern const Row kKeptRows[]; /* of attacks_kept.c, likewise */
extern const Row kUnprovedRows[]; /* of attacks_unproved.c, likewise */
extern const Row kFigureRows[]; /* of attacks_figures.c, likewise */
extern const Row kEndedRows[]; /* of attacks_ended.c, likewise */

#endif
