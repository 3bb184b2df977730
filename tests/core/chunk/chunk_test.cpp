#include "chunk/chunk.hpp"

#include <gtest/gtest.h>

#include "chunk/segment.hpp"

namespace heapglass {
namespace {

alignas(kAlign) Word g_memory[64];
// A place where a chunk may begin: C2.
Chunk *place(Word word) { return reinterpret_cast<Chunk *>(&g_memory[word]); }

TEST(Chunk, ARequestBecomesTheLeastChunkThatHoldsItAndItsHeader) {
  for (Word request = 0; request < 600; ++request) {
    const Word size = chunk_size_for(request);
    EXPECT_EQ(size % kAlign, 0u) << "C1";
    EXPECT_GE(size, kMinChunk) << "C1";
    EXPECT_GE(size - kWord, request) << "C5";
    EXPECT_TRUE(size == kMinChunk || size - kAlign - kWord < request) << "no smaller chunk would do";
  }
}

TEST(Chunk, HeaderWordHoldsSizeAndThreeFlagsApart) {
  Chunk *const c = place(1);
  c->head = 6 * kAlign | kInUse | kPrevInUse;
  EXPECT_EQ(size_of(c), 6 * kAlign);
  EXPECT_TRUE(in_use(c));
  EXPECT_TRUE(prev_in_use(c));
  EXPECT_FALSE(has_block_mark(c));
  set_block_mark(c, true);
  EXPECT_TRUE(has_block_mark(c));
  EXPECT_EQ(size_of(c), 6 * kAlign);
  set_block_mark(c, false);
  EXPECT_EQ(c->head, 6 * kAlign | kInUse | kPrevInUse);
}

TEST(Chunk, MemIsAlignedAndLeadsBackToTheChunk) {
  Chunk *const c = place(3);
  EXPECT_EQ(address_of(mem_of(c)) % kAlign, 0u) << "C2";
  EXPECT_EQ(chunk_of(mem_of(c)), c);
}

TEST(Chunk, NeighboursFindEachOtherByHeaderAndFoot) {
  Chunk *const left = place(1);
  set_free(left, 5 * kAlign);
  Chunk *const right = next_chunk(left);
  right->head = kMinChunk | kInUse;
  EXPECT_EQ(address_of(right), address_of(left) + 5 * kAlign);
  EXPECT_EQ(prev_foot(right), 5 * kAlign) << "C3";
  EXPECT_EQ(prev_chunk(right), left);
  EXPECT_EQ(prev_chunk(const_cast<const Chunk *>(right)), left);
  EXPECT_EQ(foot_of(left, size_of(left)), size_of(left)) << "C3";
  set_next_prev_in_use(left, size_of(left));
  EXPECT_TRUE(prev_in_use(right));
  set_next_prev_free(left, size_of(left));
  EXPECT_FALSE(prev_in_use(right));
}

TEST(Segment, TheSentinelIsTheLastWordAndTheFirstChunkIsAligned) {
  Segment *const segment = reinterpret_cast<Segment *>(g_memory);
  segment->size = sizeof g_memory;
  EXPECT_EQ(address_of(sentinel_of(segment)), address_of(g_memory) + sizeof g_memory - kWord) << "S3";
  EXPECT_EQ((address_of(segment) + sizeof(Segment)) % kAlign, kWord) << "C2";
  EXPECT_TRUE(segment_holds(segment, &g_memory[63]));
  EXPECT_FALSE(segment_holds(segment, g_memory + 64));
}

}  // namespace
}  // namespace heapglass
