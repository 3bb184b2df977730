// Block layouts: L1 to L6 of block_layout.hpp over many options (rows A9, A10).
#include "pool/block_layout.hpp"

#include <gtest/gtest.h>

#include <heapglass/event.h>

namespace heapglass {
namespace {

constexpr size_t kHeader = 8 * kWord;

hg_pool_options options_of(uint32_t shape, uint32_t node_size, uint32_t nodes, uint32_t percent) {
  return {shape, node_size, nodes, 2, percent};
}

// Every node inside its sub-block, behind what is not for nodes, none overlapping, each found again by its offset.
void expect_nodes_in_place(const BlockLayout &layout) {
  size_t behind = 0;
  uint32_t in_first = 0;
  for (uint32_t i = 0; i < layout.nodes_per_block; ++i) {
    const size_t offset = node_offset(layout, i);
    ASSERT_EQ(offset % layout.node_alignment, 0u);
    ASSERT_GE(offset, behind);
    ASSERT_LE(offset + layout.node_size, layout.block_bytes);
    if (layout.sub_blocks != 0) {
      const size_t sub_block = offset / layout.sub_block_bytes;
      const size_t in_sub_block = offset % layout.sub_block_bytes;
      ASSERT_GE(in_sub_block, sub_block == 0 ? kHeader : kWord);
      ASSERT_LE(in_sub_block + layout.node_size, sub_block_size(layout, static_cast<uint32_t>(sub_block)));
      in_first += sub_block == 0;
    }
    ASSERT_EQ(node_at_offset(layout, offset), i);
    ASSERT_EQ(node_at_offset(layout, offset + 1), layout.nodes_per_block);
    behind = offset + layout.node_size;
  }
  ASSERT_EQ(node_at_offset(layout, 0), layout.nodes_per_block);
  ASSERT_EQ(node_at_offset(layout, layout.block_bytes), layout.nodes_per_block);
  if (layout.sub_blocks != 0) {
    ASSERT_EQ(in_first, layout.first_nodes);
  }
}

void expect_adaptive(const BlockLayout &layout, uint32_t wished, uint32_t percent) {
  ASSERT_GE(layout.nodes_per_block, wished);                                       // L6
  ASSERT_EQ(layout.sub_block_bytes & (layout.sub_block_bytes - 1), 0u);
  ASSERT_EQ(layout.block_bytes + kWord, layout.sub_blocks * layout.sub_block_bytes);  // L1
  const double chunk = static_cast<double>(layout.sub_blocks) * layout.sub_block_bytes;
  const double nodes = static_cast<double>(layout.nodes_per_block) * layout.node_size;
  ASSERT_LE((chunk - nodes) / chunk * 100, percent + 1e-9);  // L4
  ASSERT_NO_FATAL_FAILURE(expect_nodes_in_place(layout));
}

TEST(A10_block_layout, AdaptiveLayoutsKeepTheirRulesA10) {
  for (uint32_t node_size : {1u, 8u, 12u, 16u, 20u, 24u, 40u, 56u, 64u, 100u, 256u, 1000u, 4096u, 65536u}) {
    for (uint32_t nodes : {1u, 2u, 16u, 100u, 256u, 333u}) {
      for (uint32_t percent : {2u, 5u, 10u, 50u}) {
        SCOPED_TRACE(testing::Message() << node_size << " bytes, " << nodes << " nodes, " << percent << " %");
        BlockLayout layout;
        const bool made = make_adaptive_layout(options_of(HG_SHAPE_adaptive, node_size, nodes, percent), kHeader, &layout);
        if (node_size * uint64_t{nodes} > kMaxBlockBytes / 2 || node_size >= 65536) {
          if (!made) continue;
        }
        ASSERT_TRUE(made);
        ASSERT_NO_FATAL_FAILURE(expect_adaptive(layout, nodes, percent));
      }
    }
  }
}

TEST(A10_block_layout, AlignmentDoesNotGrowWithNodesPerBlockA10) {
  for (uint32_t node_size : {12u, 24u, 40u, 200u}) {
    BlockLayout few, many, aligned;
    ASSERT_TRUE(make_adaptive_layout(options_of(HG_SHAPE_adaptive, node_size, 16, 2), kHeader, &few));
    for (uint32_t nodes : {64u, 256u, 1024u, 8192u}) {
      ASSERT_TRUE(make_adaptive_layout(options_of(HG_SHAPE_adaptive, node_size, nodes, 2), kHeader, &many));
      EXPECT_EQ(many.sub_block_bytes, few.sub_block_bytes);
    }
    ASSERT_TRUE(make_aligned_only_layout(options_of(HG_SHAPE_aligned_only, node_size, 8192, 0), kHeader, &aligned));
    EXPECT_GT(aligned.sub_block_bytes, many.sub_block_bytes);
  }
}

TEST(A10_block_layout, AlignedOnlyHasOneSubBlockA10) {
  for (uint32_t node_size : {8u, 12u, 24u, 1000u}) {
    for (uint32_t nodes : {1u, 100u, 256u}) {
      BlockLayout layout;
      ASSERT_TRUE(make_aligned_only_layout(options_of(HG_SHAPE_aligned_only, node_size, nodes, 0), kHeader, &layout));
      EXPECT_EQ(layout.sub_blocks, 1u);
      ASSERT_NO_FATAL_FAILURE(expect_adaptive(layout, nodes, 100));
      // The next smaller power of two would not do.
      EXPECT_GT(kHeader + nodes * layout.node_size + kWord, layout.sub_block_bytes / 2);
    }
  }
}

TEST(A10_block_layout, SegregatedHasNoSubBlocksA8) {
  for (uint32_t node_size : {1u, 8u, 12u, 24u, 1000u}) {
    for (uint32_t nodes : {1u, 100u, 256u}) {
      BlockLayout layout;
      ASSERT_TRUE(make_segregated_layout(options_of(HG_SHAPE_segregated, node_size, nodes, 0), 2 * kWord, &layout));
      EXPECT_EQ(layout.sub_blocks, 0u);
      EXPECT_EQ(layout.sub_block_bytes, 0u);
      EXPECT_GE(layout.nodes_per_block, nodes);
      EXPECT_LE(layout.nodes_per_block, nodes + 1);
      ASSERT_NO_FATAL_FAILURE(expect_nodes_in_place(layout));
    }
  }
}

TEST(A10_block_layout, ZeroMeansTheDefaults) {
  BlockLayout layout, expected;
  ASSERT_TRUE(make_adaptive_layout(options_of(HG_SHAPE_adaptive, 24, 0, 0), kHeader, &layout));
  ASSERT_TRUE(make_adaptive_layout(options_of(HG_SHAPE_adaptive, 24, 256, 5), kHeader, &expected));
  EXPECT_EQ(layout.sub_block_bytes, expected.sub_block_bytes);
  EXPECT_EQ(layout.nodes_per_block, expected.nodes_per_block);
}

TEST(A10_block_layout, OptionsOutOfRangeAreRefused) {
  BlockLayout layout;
  EXPECT_FALSE(make_adaptive_layout(options_of(HG_SHAPE_adaptive, 0, 16, 5), kHeader, &layout));
  EXPECT_FALSE(make_adaptive_layout(options_of(HG_SHAPE_adaptive, 16, 16, 101), kHeader, &layout));
  EXPECT_FALSE(make_adaptive_layout(options_of(HG_SHAPE_adaptive, 0xfffffff8, 16, 5), kHeader, &layout));
  EXPECT_FALSE(make_adaptive_layout(options_of(HG_SHAPE_adaptive, 16, 0xffffffff, 5), kHeader, &layout));
  EXPECT_FALSE(make_aligned_only_layout(options_of(HG_SHAPE_aligned_only, 65536, 0x10000, 0), kHeader, &layout));
  EXPECT_FALSE(make_segregated_layout(options_of(HG_SHAPE_segregated, 65536, 0x10000, 0), kHeader, &layout));
}

}  // namespace
}  // namespace heapglass
