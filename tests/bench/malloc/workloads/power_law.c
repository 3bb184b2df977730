/* alloc-test-like: sizes by a power law (half as many of twice the size), each block lives for a random time.
 *
 * A step takes a random slot; a block there is verified and freed, an empty slot gets a block of 8 bytes to 4 KiB, filled
 * with its own tag. So half of the slots are full, and lifetimes are geometric.
 */
#include "bench.h"

enum { kSlots = 250000, kMaxPower = 8 };

typedef struct Block {
  uint32_t words; /* of payload */
  uint32_t tag;
  uint32_t payload[];
} Block;

static Block *slots[kSlots];

static uint32_t power_law_words(Random *random) {
  uint32_t power = 0;
  while (power < kMaxPower && (random_next(random) & 1) == 0) ++power;
  const uint32_t least = 1u << power;
  return least + random_below(random, least * 2);
}

static bool verified(const Block *block) {
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < block->words; ++i) wrong |= block->payload[i] ^ (block->tag + i);
  return wrong == 0;
}

bool bench_program(uint32_t percent, uint32_t *checksum) {
  Random random = {0x9e3779b9u};
  uint32_t sum = kFoldBegin;
  for (uint32_t step = part_of(3000000, percent); step > 0; --step) {
    Block **slot = &slots[random_below(&random, kSlots)];
    if (*slot != NULL) {
      if (!verified(*slot)) return false;
      sum = fold(sum, (*slot)->tag ^ (*slot)->words);
      free(*slot);
      *slot = NULL;
      continue;
    }
    const uint32_t words = power_law_words(&random);
    Block *block = malloc(sizeof(Block) + words * sizeof(uint32_t));
    if (block == NULL) return false;
    block->words = words;
    block->tag = step;
    for (uint32_t i = 0; i < words; ++i) block->payload[i] = step + i;
    *slot = block;
  }
  for (uint32_t i = 0; i < kSlots; ++i) {
    if (slots[i] != NULL) sum = fold(sum, slots[i]->tag);
    free(slots[i]);
    slots[i] = NULL;
  }
  *checksum = sum;
  return true;
}
