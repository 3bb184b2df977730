/* shbench-like 8: random sizes 1 to 1000, small ones far more often, in bursts of one size.
 *
 * A burst of 1 to 60 blocks of one size goes to random places of a table of 8000; what lay there is freed. So a size comes
 * in runs, and goes in no order at all.
 */
#include "bench.h"

enum { kPlaces = 8000 };

static unsigned char *places[kPlaces];

static uint32_t skewed_size(Random *random) {
  const uint32_t luck = random_below(random, 100);
  if (luck < 50) return random_between(random, 1, 64);
  if (luck < 80) return random_between(random, 65, 256);
  return random_between(random, 257, 1000);
}

bool bench_program(uint32_t percent, uint32_t *checksum) {
  Random random = {0x7feb352du};
  uint32_t sum = kFoldBegin;
  for (uint32_t burst = part_of(150000, percent); burst > 0; --burst) {
    const uint32_t size = skewed_size(&random), count = random_between(&random, 1, 60);
    for (uint32_t i = 0; i < count; ++i) {
      unsigned char **place = &places[random_below(&random, kPlaces)];
      if (*place != NULL) {
        sum = fold(sum, **place);
        free(*place);
      }
      *place = malloc(size);
      if (*place == NULL) return false;
      (*place)[0] = (unsigned char)(size + i);
    }
  }
  for (uint32_t i = 0; i < kPlaces; ++i) {
    if (places[i] != NULL) sum = fold(sum, *places[i]);
    free(places[i]);
    places[i] = NULL;
  }
  *checksum = sum;
  return true;
}
