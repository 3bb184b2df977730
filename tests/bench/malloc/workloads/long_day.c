/* long-day: a day of load in short. The load follows the hour; sizes and lifetimes drift with it.
 *
 * Time goes in ticks, 500 an hour. At its end each block is put on a list of the tick it will be freed in. Three kinds:
 *
 *   requests   many; 16 to some hundred bytes, the mean drifts through the day; gone after a few ticks
 *   sessions   fewer; 200 bytes to 4 KiB, for an hour or two, and grow by realloc now and then
 *   documents  rare; 16 KiB to 1 MiB, for some hours, written and kept whole
 */
#include "bench.h"

enum { kHours = 24, kTicksAnHour = 500, kTicks = kHours * kTicksAnHour, kWheel = 8 * kTicksAnHour };

/* Requests for each hour of the day, in percent of the busiest. */
static const uint8_t kLoad[kHours] = {20, 14, 10, 8, 8, 12, 22, 40, 65, 85, 95, 100, 88, 92, 100, 96, 90, 84, 76, 70, 66, 58, 44, 30};

typedef struct Block {
  struct Block *next; /* that is freed in the same tick */
  uint32_t size;      /* of the payload */
  uint32_t tag;
} Block;

static Block *wheel[kWheel];
static uint32_t now, sum;

static uint32_t *last_word(Block *block) { return (uint32_t *)((char *)(block + 1) + (block->size & ~3u) - 4); }

static void expire_in(Block *block, uint32_t ticks) {
  Block **list = &wheel[(now + (ticks < kWheel ? ticks : kWheel - 1)) % kWheel];
  block->next = *list;
  *list = block;
}

static bool put(uint32_t size, uint32_t ticks) {
  Block *block = malloc(sizeof(Block) + size);
  if (block == NULL) return false;
  block->size = size;
  block->tag = now;
  *last_word(block) = now ^ size;
  expire_in(block, ticks);
  return true;
}

/* Lifetimes: half of them shorter than the mean's 0.7, few much longer. */
static uint32_t exponential(Random *random, uint32_t mean) {
  uint32_t ticks = 1 + random_below(random, mean);
  while ((random_next(random) & 3) == 0) ticks += mean;
  return ticks;
}

static bool serve(Random *random, uint32_t percent) {
  const uint32_t hour = now / kTicksAnHour, load = kLoad[hour];
  const uint32_t drift = hour < 12 ? hour : kHours - hour; /* 0 at night, 12 at noon */
  for (uint32_t i = load * 2 * percent / 100; i > 0; --i) {
    const uint32_t spread = 32 + drift * 24 + (random_below(random, 8) == 0 ? 512 : 0);
    if (!put(random_between(random, 16, 16 + spread), exponential(random, 4 + drift))) return false;
  }
  for (uint32_t i = random_below(random, 1 + load * percent / 1000); i > 0; --i)
    if (!put(random_between(random, 200, 700 + drift * 280), exponential(random, kTicksAnHour))) return false;
  if (random_below(random, 4000) < load && !put(16384u << random_below(random, 6), exponential(random, 2 * kTicksAnHour)))
    return false;
  return true;
}

/* Frees what is due. A session has one chance in three to go on instead, longer by a half. */
static bool expire(Random *random) {
  Block *due = wheel[now % kWheel];
  wheel[now % kWheel] = NULL;
  while (due != NULL) {
    Block *block = due;
    due = block->next;
    if (*last_word(block) != (block->tag ^ block->size)) return false;
    sum = fold(sum, block->tag + block->size);
    if (block->size >= 700 && block->size < 16384 && now + kTicksAnHour < kTicks && random_below(random, 3) == 0) {
      const uint32_t size = block->size + block->size / 2;
      Block *longer = realloc(block, sizeof(Block) + size);
      if (longer == NULL) return false;
      longer->size = size;
      *last_word(longer) = longer->tag ^ size;
      expire_in(longer, exponential(random, kTicksAnHour / 2));
    } else {
      free(block);
    }
  }
  return true;
}

bool bench_program(uint32_t percent, uint32_t *checksum) {
  Random random = {0x85ebca6bu};
  sum = kFoldBegin;
  for (now = 0; now < kTicks; ++now)
    if (!expire(&random) || !serve(&random, percent)) return false;
  for (const uint32_t end = now + kWheel; now < end; ++now)
    if (!expire(&random)) return false;
  *checksum = sum;
  return true;
}
