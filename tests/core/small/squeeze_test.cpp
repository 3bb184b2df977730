// Giving spans back.
#include <algorithm>

#include "small/central.hpp"
#include "small/small_rig.hpp"

namespace {

using namespace heapglass;
using small_tests::small_stats;

class D6_squeeze : public small_tests::SmallFront {};

TEST_F(D6_squeeze, everything_goes_back_after_a_flush) {
  hg_heap_stats before;
  hg_heap_get_stats(nullptr, &before);
  std::vector<void *> blocks;
  for (int i = 0; i < 20'000; ++i) blocks.push_back(hg_small_allocate(1 + static_cast<size_t>(i) % 3000));
  for (void *block : blocks) hg_small_deallocate(block);
  hg_small_flush();
  const hg_small_stats full = small_stats();
  EXPECT_GT(full.spans, 100u);
  EXPECT_EQ(hg_small_squeeze(), full.span_bytes);
  EXPECT_EQ(small_stats().spans, 0u);
  hg_heap_stats after;
  hg_heap_get_stats(nullptr, &after);
  EXPECT_LE(after.footprint, before.footprint + 65536) << "and the heap gave its pages back";
  EXPECT_EQ(hg_small_squeeze(), 0u);
}

TEST_F(D6_squeeze, a_span_with_one_block_in_use_stays_and_its_other_nodes_still_serve) {
  const uint32_t nodes = span_layout(size_class_of(512)).nodes;
  std::vector<unsigned char *> blocks;
  for (uint32_t i = 0; i < nodes * 5; ++i) blocks.push_back(static_cast<unsigned char *>(hg_small_allocate(512)));
  std::sort(blocks.begin(), blocks.end());
  ASSERT_EQ(small_stats().spans, 5u);
  // One block of the second span and one of the fourth stay.
  unsigned char *const kept[2] = {blocks[nodes + 7], blocks[nodes * 3]};
  std::memset(kept[0], 0x11, 512);
  std::memset(kept[1], 0x22, 512);
  for (unsigned char *block : blocks) {
    if (block != kept[0] && block != kept[1]) hg_small_deallocate(block);
  }
  hg_small_flush();
  EXPECT_EQ(hg_small_squeeze(), 3 * size_t{span_layout(size_class_of(512)).block_bytes});
  EXPECT_EQ(small_stats().spans, 2u);
  EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
  EXPECT_EQ(kept[0][511], 0x11);
  EXPECT_EQ(kept[1][0], 0x22);
  std::vector<void *> again;
  for (uint32_t i = 0; i < nodes * 2 - 2; ++i) again.push_back(hg_small_allocate(512));
  EXPECT_EQ(small_stats().spans, 2u) << "no new span is needed for what the two have free";
  std::sort(again.begin(), again.end());
  EXPECT_EQ(std::unique(again.begin(), again.end()), again.end());
  for (void *block : again) hg_small_deallocate(block);
  hg_small_deallocate(kept[0]);
  hg_small_deallocate(kept[1]);
}

TEST_F(D6_squeeze, nodes_in_a_cache_keep_their_span) {
  void *const block = hg_small_allocate(256);
  hg_small_deallocate(block);
  EXPECT_EQ(hg_small_squeeze(), 0u) << "the thread has a batch of it";
  EXPECT_EQ(small_stats().spans, 1u);
  hg_small_flush();
  EXPECT_GT(hg_small_squeeze(), 0u);
}

TEST_F(D6_squeeze, a_span_never_cut_to_its_end_goes_too) {
  void *const block = hg_small_allocate(8);
  hg_small_deallocate(block);
  hg_small_flush();  // 256 nodes were cut, thousands never
  EXPECT_EQ(hg_small_squeeze(), size_t{span_layout(0).block_bytes});
  void *const after = hg_small_allocate(8);
  EXPECT_NE(after, nullptr) << "a new span is cut";
  hg_small_deallocate(after);
}

TEST_F(D6_squeeze, batches_are_whole_again_after_a_squeeze) {
  const uint32_t nodes = span_layout(size_class_of(64)).nodes;
  std::vector<void *> blocks;
  for (uint32_t i = 0; i < nodes * 4; ++i) blocks.push_back(hg_small_allocate(64));
  std::sort(blocks.begin(), blocks.end());
  for (uint32_t i = 0; i < nodes * 4; ++i) {
    if (i >= nodes * 2 && i % 3 == 0) continue;  // a third of the last two spans stays in use
    hg_small_deallocate(blocks[i]);
  }
  hg_small_flush();
  EXPECT_EQ(hg_small_squeeze(), 2 * size_t{span_layout(size_class_of(64)).block_bytes});
  const hg_small_stats stats = small_stats();
  const size_t central_nodes = stats.central / 64;
  EXPECT_EQ(stats.batches, (central_nodes + 255) / 256) << "whole batches, and at most one shorter";
  for (uint32_t i = nodes * 2; i < nodes * 4; ++i) {
    if (i % 3 == 0) hg_small_deallocate(blocks[i]);
  }
}

}  // namespace
