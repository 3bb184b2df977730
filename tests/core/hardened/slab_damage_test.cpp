// What a program writes into the words of a slab, or frees that is no block in use, ends it (slab.B2 to slab.B6).
#include "hardened/slab_rig.hpp"

namespace heapglass_test {

namespace {

void take_many() {
  for (int n = 0; n < 2000; ++n) hg_malloc(kSmall);
}

// On its list, with one free block.
Slab *listed_slab(const std::vector<void *> &blocks, size_t nth) {
  Slab *const slab = slab_of(blocks[nth]);
  size_t left = heapglass::capacity_of(slab) / 2;
  for (void *mem : blocks) {
    if (slab_of(mem) == slab && left != 0) hg_free(mem), --left;
  }
  return slab;
}

// All blocks of one slab, so a flush looks at the list (slabs.S9).
void free_slab(const std::vector<void *> &blocks, size_t nth) {
  const Slab *const slab = slab_of(blocks[nth]);
  for (void *mem : blocks) {
    if (slab_of(mem) == slab) hg_free(mem);
  }
}

}  // namespace

TEST(SlabDamage, ASecondFreeIsFoundAtEachAge) {
  const std::vector<void *> blocks = take_blocks();
  void *const current = hg_malloc(kSmall);
  hg_free(current);
  EXPECT_DEATH(hg_free(current), "double free");
  const std::vector<void *> full = blocks_of_full_slab(blocks);
  hg_free(full[0]);
  EXPECT_DEATH(hg_free(full[0]), "double free");
  for (size_t i = 1; i < full.size() / 2; ++i) hg_free(full[i]);
  EXPECT_DEATH(hg_free(full[1]), "double free");
  EXPECT_DEATH(hg_malloc_usable_size(full[1]), "double free");
  EXPECT_DEATH(hg_realloc(full[1], 10), "double free");
}

TEST(SlabDamage, WhatMallocKeepsForItselfIsNoBlock) {
  const std::vector<void *> blocks = take_blocks();
  Slab *const slab = slab_of(blocks[blocks.size() / 2]);
  EXPECT_DEATH(hg_free(heapglass::SlabsInspector::map()), "damaged header");
  EXPECT_DEATH(hg_realloc(heapglass::SlabsInspector::map(), 8), "damaged header");
  const auto hide_and_free = [=] {  // in the process that dies alone
    for (heapglass::Word n = 0; n < heapglass::steps_of(slab); ++n) {
      heapglass::SlabsInspector::entry(reinterpret_cast<char *>(slab) + n * heapglass::kSlabStep) = 0;
    }
    hg_free(slab);
  };
  EXPECT_DEATH(hide_and_free(), "damaged header");
}

TEST(SlabDamage, AWalkTakesNoSlabForABlockOfAPool) {
  const std::vector<void *> blocks = take_blocks();
  const hg_pool_options options = {1, 32, 0, 0, 0};
  hg_pool *const pool = hg_pool_create(nullptr, &options);
  ASSERT_NE(hg_pool_allocate(pool), nullptr);
  size_t records = 0;
  hg_walk_hash(nullptr, &records);
  EXPECT_GT(records, blocks.size() / 64);
  EXPECT_EQ(hg_heap_check(nullptr), nullptr);
  hg_pool_destroy(pool);
}

TEST(SlabDamage, ACopyThatLeavesOutWhatIsFreeBelievesNoDamagedSlab) {
  const std::vector<void *> blocks = take_blocks();
  Slab *const slab = slab_of(blocks[blocks.size() / 2]);
  const auto damage_and_list = [=] {
    slab->free[0] |= 0xff;
    size_t cursor[2] = {}, runs[64];
    while (hg_malloc_cached_pages(16, cursor, runs, 32) != 0) continue;
  };
  EXPECT_DEATH(damage_and_list(), "damaged header");
}

TEST(SlabDamage, NoSentinelIsLeftWhereMemoryWasGivenBack) {
  hg_heap *const heap = hg_heap_create();
  void *const mem = hg_heap_allocate(heap, 1 << 20);
  const heapglass::Chunk *const top = heapglass::next_chunk(heapglass::chunk_of(mem));
  const heapglass::Chunk *const sentinel = heapglass::is_sentinel(top) ? top : heapglass::next_chunk(top);
  ASSERT_EQ(sentinel->head & ~heapglass::kPrevInUse, heapglass::kSentinelHead);
  hg_heap_deallocate(heap, mem);
  ASSERT_GT(hg_heap_trim(heap, 0), 1U << 19);
  EXPECT_NE(sentinel->head & ~heapglass::kPrevInUse, heapglass::kSentinelHead);
  hg_heap_destroy(heap);
}

TEST(SlabDamage, OnlyTheBeginningOfABlockIsOne) {
  const std::vector<void *> blocks = take_blocks();
  void *const mem = blocks_of_full_slab(blocks)[3];
  char *const slab = reinterpret_cast<char *>(slab_of(mem));
  for (const int by : {1, 4, 8, 16, -1, -8}) EXPECT_DEATH(hg_free(static_cast<char *>(mem) + by), "misaligned pointer");
  EXPECT_DEATH(hg_free(slab + 16), "misaligned pointer");
  EXPECT_DEATH(hg_free(slab + heapglass::kSlabHead - kSmall), "misaligned pointer");
  const size_t capacity = heapglass::capacity_of(slab_of(mem));
  char *const behind = slab + heapglass::kSlabHead + capacity * kSmall;
  if (slab_of(behind) == slab_of(mem)) {
    EXPECT_DEATH(hg_free(behind), "misaligned pointer");
  }
}

// It has a bit that is set (slab.B2), or is behind the current slab's last number.
TEST(SlabDamage, OfEachSizeWhatLiesInsideABlockOrBehindAllIsNone) {
  for (size_t size = 16; size < heapglass::kMaxSlabRequest; size += 16) {  // that class stays young for another test
    std::vector<char *> blocks;
    for (int n = 0; n < 600; ++n) blocks.push_back(static_cast<char *>(hg_malloc(size)));
    const auto behind = [size](const char *mem) {
      Slab *const slab = slab_of(mem);
      const size_t capacity = heapglass::slab_capacity(heapglass::steps_of(slab), heapglass::slab_block_bytes(heapglass::class_of(slab)));
      return reinterpret_cast<char *>(slab) + heapglass::kSlabHead + capacity * size;
    };
    ASSERT_NE(slab_of(blocks[300]), slab_of(blocks.back())) << size;
    for (const char *const mem : {blocks[300], blocks.back()}) {
      EXPECT_EQ(slab_of(behind(mem)), slab_of(mem)) << size;
      EXPECT_DEATH(hg_free(behind(mem)), "misaligned pointer") << size;
      EXPECT_DEATH(hg_malloc_usable_size(behind(mem)), "misaligned pointer") << size;
    }
    for (const size_t by : {size_t{1}, size - 1}) EXPECT_DEATH(hg_free(blocks[300] + by), "misaligned pointer") << size;
    for (char *const mem : blocks) hg_free(mem);
  }
}

// Of a smaller class the block would have a number that no slab has, whose bit and code would lie in blocks.
TEST(SlabDamage, ATagOfASmallerClassLeadsToNoWordBehindTheSlabsOwn) {
  std::vector<void *> blocks;
  for (int n = 0; n < 200; ++n) blocks.push_back(hg_malloc(200));
  size_t seen = 0;
  for (void *mem : blocks) {
    Slab *const slab = slab_of(mem);
    if (slab == nullptr || static_cast<char *>(mem) - reinterpret_cast<char *>(slab) < 2048) continue;
    const std::uint16_t right = slab->tag;
    slab->tag = static_cast<std::uint16_t>((right & ~(heapglass::kTagClasses - 1)) | 2);
    EXPECT_DEATH(hg_free(mem), "misaligned pointer");
    slab->tag = right;
    if (++seen == 4) break;
  }
  EXPECT_EQ(seen, 4u);
  for (void *mem : blocks) hg_free(mem);
}

TEST(SlabDamage, EachWordThatIsBelievedIsProved) {
  const std::vector<void *> blocks = take_blocks();
  void *const mem = blocks_of_full_slab(blocks)[3];
  Slab *const slab = slab_of(mem);
  char right[sizeof(Slab)];
  std::memcpy(right, slab, sizeof right);
  const size_t number = static_cast<size_t>(static_cast<char *>(mem) - reinterpret_cast<char *>(slab) - heapglass::kSlabHead) / kSmall;
  const size_t half = number / heapglass::kHalf;  // a free believes, and proves, that of its block
  const auto expect_found = [&] {
    EXPECT_DEATH(hg_free(mem), "damaged header|misaligned pointer|double free");
    EXPECT_DEATH(hg_malloc_usable_size(mem), "damaged header|misaligned pointer|double free");
    std::memcpy(static_cast<void *>(slab), right, sizeof right);
  };
  for (unsigned bit = 0; bit < 32; ++bit) {
    slab->free[half] ^= 1u << bit;
    expect_found();
    slab->code[half] += heapglass::Code{1} << bit;
    expect_found();
    slab->free[half] += 1u << bit;
    slab->code[half] += heapglass::Code{1} << bit;
    expect_found();
  }
  for (unsigned bit = 0; bit < 10; ++bit) {
    slab->tag = static_cast<std::uint16_t>(slab->tag ^ 1 << bit);
    expect_found();
  }
  hg_free(mem);
}

TEST(SlabDamage, TheWordsOfOneSlabProveNoOther) {
  const std::vector<void *> blocks = take_blocks();
  void *const mem = blocks_of_full_slab(blocks)[3];
  Slab *const other = slab_of(blocks[100]);
  ASSERT_NE(other, slab_of(mem));
  char right[sizeof(Slab)];
  std::memcpy(right, slab_of(mem), sizeof right);
  std::memcpy(static_cast<void *>(slab_of(mem)), other, sizeof(Slab));
  EXPECT_DEATH(hg_free(mem), "damaged header");
  std::memcpy(static_cast<void *>(slab_of(mem)), right, sizeof right);
}

TEST(SlabDamage, ALinkLeadsToAListedSlabOfTheClass) {
  const std::vector<void *> blocks = take_blocks();
  std::vector<void *> others(400);
  for (void *&mem : others) mem = hg_malloc(2 * kSmall);
  Slab *const first = listed_slab(blocks, 200);
  Slab *const full = slab_of(blocks[500]);
  Slab *const other = listed_slab(others, 200);
  ASSERT_NE(first, full);
  ASSERT_NE(first, slab_of(blocks[100]));
  Slab *const right = first->next;
  first->next = full;
  EXPECT_DEATH(take_many(), "damaged free-list link");
  first->next = other;
  EXPECT_DEATH(take_many(), "damaged free-list link");
  EXPECT_DEATH((free_slab(blocks, 100), hg_malloc_flush()), "damaged free-list link");
  first->next = reinterpret_cast<Slab *>(static_cast<char *>(blocks[500]) + 8);
  EXPECT_DEATH(take_many(), "damaged header");
  first->next = right;
}

TEST(SlabDamage, AListThatIsARingEndsTheProgram) {
  const std::vector<void *> blocks = take_blocks();
  Slab *const first = listed_slab(blocks, 200);
  Slab *const second = listed_slab(blocks, 400);
  ASSERT_NE(first, second);
  Slab *const right = first->next;
  first->next = second;  // which leads to first
  EXPECT_DEATH((free_slab(blocks, 100), hg_malloc_flush()), "damaged free-list link");
  first->next = first;
  EXPECT_DEATH((free_slab(blocks, 100), hg_malloc_flush()), "damaged free-list link");
  EXPECT_DEATH(take_many(), "damaged free-list link");
  first->next = right;
}

TEST(SlabDamage, ASlabThatHasEndedHasNoWords) {
  const std::vector<void *> blocks = take_blocks();
  const std::vector<void *> full = blocks_of_full_slab(blocks);
  Slab *const slab = slab_of(full[0]);
  for (void *mem : blocks) hg_free(mem);
  hg_malloc_flush();
  EXPECT_EQ(slab_of(full[0]), nullptr);
  // What is behind the links that a free chunk may have there.
  EXPECT_EQ(slab->free[0], 0u);
  EXPECT_EQ(slab->tag, 0u);
  EXPECT_DEATH(hg_free(full[0]), "");  // by its words, or by an access outside memory
}

// slab_map.M1
TEST(SlabDamage, AWrongByteOfTheMapLeadsToNoSlab) {
  const std::vector<void *> blocks = take_blocks();
  void *const mem = blocks_of_full_slab(blocks)[3];
  char *const large = static_cast<char *>(hg_malloc(100'000));
  const auto part_of = [](const void *at) -> std::uint8_t & { return heapglass::SlabsInspector::entry(at); };
  std::uint8_t &part = part_of(mem);
  const std::uint8_t right = part;
  for (const int wrong : {0, 1, 2, 3, right ^ 1, right ^ 2, right ^ 3, right ^ 0x81}) {  // bits 0 and 1 say where the slab begins
    part = static_cast<std::uint8_t>(wrong);
    EXPECT_DEATH(hg_free(mem), "") << wrong;
    part = right;
  }
  char *const step = large + (heapglass::kSlabStep - heapglass::address_of(large) % heapglass::kSlabStep);
  std::memcpy(step, slab_of(mem), sizeof(Slab));
  ASSERT_LT(heapglass::SlabsInspector::index(step), heapglass::g_slab_map.length());
  part_of(step) = right & 0xfc;
  EXPECT_DEATH(hg_free(step + heapglass::kSlabHead), "damaged header");
  part_of(step) = 0;
}

// slab.B2: no number is without a bit that proves it, so nothing else has to say where a slab ends.
TEST(SlabDamage, WhatTheMapAddsToASlabIsNoBlockOfIt) {
  const std::vector<void *> blocks = take_blocks();
  Slab *const slab = slab_of(blocks_of_full_slab(blocks)[0]);
  const heapglass::Word steps = heapglass::steps_of(slab);
  ASSERT_LT(steps, heapglass::kMaxSteps);
  char *const end = reinterpret_cast<char *>(slab) + steps * heapglass::kSlabStep;
  auto &entry = heapglass::SlabsInspector::entry(end);
  const auto right = entry;
  entry = static_cast<std::uint8_t>(heapglass::SlabsInspector::entry(slab) + steps);
  size_t seen = 0;
  for (size_t i = heapglass::capacity_of(slab); i < heapglass::kMaxBlocks; ++i) {
    char *const mem = reinterpret_cast<char *>(slab) + heapglass::kSlabHead + i * kSmall;
    if (mem < end || slab_of(mem) != slab) continue;
    EXPECT_DEATH(hg_free(mem), "misaligned pointer") << i;
    EXPECT_DEATH(hg_malloc_usable_size(mem), "misaligned pointer") << i;
    ++seen;
  }
  EXPECT_GT(seen, 10u);
  entry = right;
}

}  // namespace heapglass_test
