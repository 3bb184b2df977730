/* espresso-like: bit sets of mixed small sizes, most of them gone again at once.
 *
 * Works on covers of Boolean functions. A cube holds two bits a variable (01: complemented, 10: plain, 11: does not
 * matter) and is a heap block of its own; a cover is a growing array of cubes. Each round makes a random cover, drops
 * every cube that the rest of the cover contains (tautology of the cofactor, by Shannon expansion over the variable that most
 * cubes depend on) and then widens what is left, variable by variable, as far as the first cover allows it.
 */
#include "bench.h"

typedef struct Cube {
  uint32_t words[1]; /* as many as the variables need: 16 a word */
} Cube;

typedef struct Cover {
  uint32_t count, room;
  Cube **cubes;
} Cover;

static uint32_t variables, words;
static bool exhausted;

static Cube *cube_copy(const Cube *from) {
  Cube *made = malloc(words * sizeof(uint32_t));
  if (made == NULL) return exhausted = true, NULL;
  memcpy(made->words, from->words, words * sizeof(uint32_t));
  return made;
}

static Cover *cover_new(void) {
  Cover *made = calloc(1, sizeof(Cover));
  if (made == NULL) exhausted = true;
  return made;
}

static void cover_push(Cover *cover, Cube *cube) {
  if (cover == NULL || cube == NULL) return;
  if (cover->count == cover->room) {
    const uint32_t room = cover->room == 0 ? 4 : cover->room * 2;
    Cube **cubes = realloc(cover->cubes, room * sizeof(Cube *));
    if (cubes == NULL) {
      exhausted = true;
      free(cube);
      return;
    }
    cover->cubes = cubes;
    cover->room = room;
  }
  cover->cubes[cover->count++] = cube;
}

static void cover_free(Cover *cover) {
  if (cover == NULL) return;
  for (uint32_t i = 0; i < cover->count; ++i) free(cover->cubes[i]);
  free(cover->cubes);
  free(cover);
}

static uint32_t literal(const Cube *cube, uint32_t variable) {
  return cube->words[variable / 16] >> (variable % 16 * 2) & 3u;
}

static void set_literal(Cube *cube, uint32_t variable, uint32_t value) {
  const uint32_t shift = variable % 16 * 2;
  cube->words[variable / 16] = (cube->words[variable / 16] & ~(3u << shift)) | value << shift;
}

/* Two cubes meet when no variable's bits are disjoint. */
static bool meet(const Cube *a, const Cube *b) {
  for (uint32_t i = 0; i < words; ++i) {
    const uint32_t both = a->words[i] & b->words[i];
    if (((both | both >> 1) & 0x55555555u) != 0x55555555u) return false;
  }
  return true;
}

/* The cover as it looks from inside `within`: what does not meet it is gone, and its own literals do not matter. */
static Cover *cofactor(const Cover *cover, const Cube *within, uint32_t except) {
  Cover *made = cover_new();
  for (uint32_t i = 0; i < cover->count && !exhausted; ++i) {
    if (i == except || cover->cubes[i] == NULL || !meet(cover->cubes[i], within)) continue;
    Cube *cube = cube_copy(cover->cubes[i]);
    for (uint32_t word = 0; cube != NULL && word < words; ++word) cube->words[word] |= ~within->words[word];
    cover_push(made, cube);
  }
  return made;
}

/* The variable that most cubes depend on; `variables` when none does. */
static uint32_t busiest(const Cover *cover) {
  uint32_t best = variables, most = 0;
  for (uint32_t variable = 0; variable < variables; ++variable) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < cover->count; ++i) count += literal(cover->cubes[i], variable) != 3;
    if (count > most) most = count, best = variable;
  }
  return best;
}

static bool is_all(const Cube *cube) {
  for (uint32_t i = 0; i < words; ++i)
    if (cube->words[i] != ~0u) return false;
  return true;
}

static bool tautology(const Cover *cover) {
  for (uint32_t i = 0; i < cover->count; ++i)
    if (is_all(cover->cubes[i])) return true;
  const uint32_t variable = busiest(cover);
  if (variable == variables) return false;
  Cube *all = malloc(words * sizeof(uint32_t));
  if (all == NULL) return exhausted = true, false;
  bool holds = true;
  for (uint32_t half = 1; half <= 2 && holds && !exhausted; ++half) {
    memset(all->words, 0xff, words * sizeof(uint32_t));
    set_literal(all, variable, half);
    Cover *part = cofactor(cover, all, ~0u);
    holds = part != NULL && tautology(part);
    cover_free(part);
  }
  free(all);
  return holds;
}

static bool contained(const Cover *cover, const Cube *cube, uint32_t except) {
  Cover *rest = cofactor(cover, cube, except);
  const bool holds = rest != NULL && tautology(rest);
  cover_free(rest);
  return holds;
}

static Cover *random_cover(Random *random, uint32_t count) {
  Cover *cover = cover_new();
  for (uint32_t i = 0; i < count && !exhausted; ++i) {
    Cube *cube = malloc(words * sizeof(uint32_t));
    if (cube == NULL) return exhausted = true, cover;
    memset(cube->words, 0xff, words * sizeof(uint32_t));
    for (uint32_t depends = random_between(random, 2, 5); depends > 0; --depends)
      set_literal(cube, random_below(random, variables), random_between(random, 1, 2));
    cover_push(cover, cube);
  }
  return cover;
}

static uint32_t fold_cover(uint32_t sum, const Cover *cover) {
  for (uint32_t i = 0; i < cover->count; ++i)
    for (uint32_t word = 0; word < words; ++word) sum = fold(sum, cover->cubes[i]->words[word]);
  return sum;
}

/* Every cube, with as few literals as the first cover allows; those that the others contain are left out. */
static Cover *minimized(const Cover *first) {
  Cover *made = cover_new();
  for (uint32_t i = 0; i < first->count && !exhausted; ++i) {
    Cube *wide = cube_copy(first->cubes[i]);
    for (uint32_t variable = 0; variable < variables && wide != NULL; ++variable) {
      const uint32_t value = literal(wide, variable);
      if (value == 3) continue;
      set_literal(wide, variable, value ^ 3u); /* may the other half be added? */
      const bool may = contained(first, wide, ~0u);
      set_literal(wide, variable, may ? 3 : value);
    }
    if (wide != NULL && !exhausted && contained(made, wide, ~0u)) free(wide);
    else cover_push(made, wide);
  }
  for (uint32_t i = 0; i < made->count && !exhausted; ++i) {
    if (!contained(made, made->cubes[i], i)) continue;
    free(made->cubes[i]);
    made->cubes[i] = made->cubes[--made->count];
    --i;
  }
  return made;
}

enum { kRounds = 40 };
static Cover *results[kRounds];

bool bench_program(uint32_t percent, uint32_t *checksum) {
  Random random = {0x51ed270bu};
  uint32_t sum = kFoldBegin;
  exhausted = false;
  for (uint32_t round = part_of(kRounds, percent); round > 0 && !exhausted; --round) {
    variables = random_between(&random, 8, 40);
    words = (variables + 15) / 16;
    Cover *first = random_cover(&random, random_between(&random, 20, 60));
    Cover *last = exhausted ? NULL : minimized(first);
    if (!exhausted) sum = fold(fold_cover(sum, last), last->count);
    cover_free(first);
    results[round - 1] = last;
  }
  for (uint32_t i = 0; i < kRounds; ++i) {
    cover_free(results[i]);
    results[i] = NULL;
  }
  *checksum = sum;
  return !exhausted;
}
