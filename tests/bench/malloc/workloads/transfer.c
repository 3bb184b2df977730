/* mstress-like: arrays of words whose every word carries a cookie, some kept by their task, some left in a transfer array
 * for the next task, which checks and frees or keeps them. Mostly small, now and then ten or a hundred times as large.
 */
#include "bench.h"

enum { kTransfer = 1000, kTasks = 24, kObjectsATask = 100000, kMaxKept = 40000 };
static const uint32_t kCookie = 0xbf58476du;

typedef struct Object {
  uint32_t count;
  uint32_t items[];
} Object;

static Object *transfer[kTransfer], *kept[kMaxKept];

static Object *make(Random *random) {
  uint32_t count = random_between(random, 1, 8);
  const uint32_t luck = random_below(random, 1000);
  if (luck < 2) count *= 100;
  else if (luck < 30) count *= 10;
  else if (luck < 300) count *= 2;
  Object *object = malloc(sizeof(Object) + count * sizeof(uint32_t));
  if (object == NULL) return NULL;
  object->count = count;
  for (uint32_t i = 0; i < count; ++i) object->items[i] = (count - i) ^ kCookie;
  return object;
}

static bool give_back(Object *object, uint32_t *sum) {
  if (object == NULL) return true;
  for (uint32_t i = 0; i < object->count; ++i)
    if ((object->items[i] ^ kCookie) != object->count - i) return false;
  *sum = fold(*sum, object->count);
  free(object);
  return true;
}

/* A task allocates more than it frees at first, then frees down to what it had. */
static bool run_task(Random *random, uint32_t objects, uint32_t *sum) {
  uint32_t in_hand = 0;
  for (; objects > 0 || in_hand > 0;) {
    const bool allocates = objects > 0 && in_hand < kMaxKept && random_below(random, 100) < 75;
    if (allocates) {
      --objects;
      if ((kept[in_hand++] = make(random)) == NULL) return false;
    } else if (in_hand > 0) {
      const uint32_t at = random_below(random, in_hand);
      Object *object = kept[at];
      kept[at] = kept[--in_hand];
      if (random_below(random, 4) == 0) { /* exchanged with whoever was there */
        Object **place = &transfer[random_below(random, kTransfer)], *other = *place;
        *place = object;
        object = other;
      }
      if (!give_back(object, sum)) return false;
    } else if (objects == 0) {
      break;
    }
  }
  return true;
}

bool bench_program(uint32_t percent, uint32_t *checksum) {
  Random random = {0x94d049bbu};
  uint32_t sum = kFoldBegin;
  for (uint32_t task = part_of(kTasks, percent); task > 0; --task) {
    if (!run_task(&random, kObjectsATask, &sum)) return false;
    if (task % 4 != 0) continue;
    for (uint32_t i = task % 2; i < kTransfer; i += 2) { /* half of what lies there goes */
      if (!give_back(transfer[i], &sum)) return false;
      transfer[i] = NULL;
    }
  }
  for (uint32_t i = 0; i < kTransfer; ++i)
    if (!give_back(transfer[i], &sum)) return false;
  *checksum = sum;
  return true;
}
