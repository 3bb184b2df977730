#include "index/bins.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace heapglass {
namespace {

// Free chunks far apart in one block of memory, in no heap.
class BinsTest : public ::testing::Test {
 protected:
  Chunk *chunk(Word size) {
    Chunk *const c = reinterpret_cast<Chunk *>(&memory[used + 1]);
    used += kMinLarge / kWord;
    c->head = size | kPrevInUse;
    return c;
  }
  Chunk *insert(Word size) {
    Chunk *const c = chunk(size);
    bins->insert(c, size);
    return c;
  }
  std::vector<Word> memory = std::vector<Word>(1 << 16);
  std::size_t used = 0;
  std::unique_ptr<Bins> bins = std::make_unique<Bins>();
};

TEST_F(BinsTest, EverySizeHasOneBinAndBinsFollowSizes) {
  unsigned before = 0;
  for (Word size = kMinChunk; size < Word{1} << 20; size += kAlign) {
    const unsigned bin = bin_of(size);
    ASSERT_TRUE(bin == before || bin == before + 1) << size;
    ASSERT_LE(bin_floor(bin), size);
    ASSERT_GT(bin_floor(bin + 1), size);
    before = bin;
  }
  EXPECT_EQ(bin_of(kMinChunk), 0u);
  EXPECT_EQ(bin_of(kMinLarge - kAlign), kSmallBins - 1);
  EXPECT_EQ(bin_of(kMinLarge), kSmallBins);
  EXPECT_EQ(bin_of(~Word{0} >> (kWord == 8 ? 32 : 0) & ~(kAlign - 1)), kBins - 1);
}

TEST_F(BinsTest, ASmallBinHoldsOneSizeAndALargeOneASixteenthOfAPowerOfTwo) {
  for (unsigned bin = 0; bin + 1 < kSmallBins; ++bin) EXPECT_EQ(bin_floor(bin + 1) - bin_floor(bin), kAlign) << "bins.I1";
  for (unsigned bin = kSmallBins; bin + 1 < kBins; ++bin) {
    const Word power = Word{1} << floor_log2(bin_floor(bin));
    EXPECT_EQ(bin_floor(bin + 1) - bin_floor(bin), power / kSteps) << "bins.I2";
  }
}

TEST_F(BinsTest, TheNewestChunkOfABinIsFirst) {
  Chunk *const a = insert(kMinChunk);
  Chunk *const b = insert(kMinChunk);
  EXPECT_EQ(bins->heads[0], b);
  EXPECT_EQ(b->next, a);
  EXPECT_EQ(a->prev, b);
  EXPECT_EQ(b->prev, nullptr) << "bins.I4";
  EXPECT_EQ(a->next, nullptr) << "bins.I4";
}

TEST_F(BinsTest, RemovingFromAnyPlaceKeepsTheListAndTheMaps) {
  for (const Word size : {kMinChunk, Word{20000}}) {
    Chunk *c[3] = {insert(size), insert(size), insert(size)};
    const unsigned bin = bin_of(size);
    bins->remove(c[1], size);
    EXPECT_EQ(c[2]->next, c[0]);
    EXPECT_EQ(c[0]->prev, c[2]);
    bins->remove(c[2], size);
    EXPECT_EQ(bins->heads[bin], c[0]);
    EXPECT_EQ(bins->next_used(0), bin) << "bins.I3";
    bins->remove(c[0], size);
    EXPECT_EQ(bins->next_used(0), kNoBin) << "bins.I3";
  }
}

TEST_F(BinsTest, NextUsedFindsEachNonEmptyBinAndNoOther) {
  const unsigned used_bins[] = {0, 1, kSmallBins - 1, kSmallBins, kSmallBins + 15, kSmallBins + 16, kBins - 1};
  for (const unsigned bin : used_bins) insert(bin_floor(bin));
  unsigned expected = 0;
  for (unsigned from = 0; from < kBins; ++from) {
    if (from > used_bins[expected]) ++expected;
    ASSERT_EQ(bins->next_used(from), used_bins[expected]) << from;
  }
  EXPECT_EQ(bins->next_used(kBins), kNoBin);
}

TEST_F(BinsTest, AnyChunkOfALaterBinFits) {
  insert(5000);
  for (Word size = kMinChunk; size < 6000; size += kAlign) {
    const Chunk *const found = bins->best_after(bin_of(size), size);
    if (bin_of(size) < bin_of(5000)) {
      ASSERT_NE(found, nullptr);
      ASSERT_GE(size_of(found), size) << "bins.I2";
    } else {
      ASSERT_EQ(found, nullptr);
    }
  }
}

TEST_F(BinsTest, TheScanOfTheOwnBinIsBestFitWithinItsBound) {
  const unsigned bin = bin_of(32768);
  const Word floor = bin_floor(bin);
  Chunk *const far = insert(floor + 2 * kAlign);
  for (Word i = 0; i < kScan; ++i) insert(floor + (kScan - i + 2) * kAlign);
  const Word asked = floor + 2 * kAlign;
  Chunk *const best = bins->best_in(bin, asked);
  ASSERT_NE(best, nullptr);
  EXPECT_NE(best, far) << "a chunk behind kScan others is not looked at";
  EXPECT_EQ(size_of(best), floor + 3 * kAlign) << "the least of those seen that fit";
  EXPECT_EQ(bins->best_in(bin, floor + (kScan + 3) * kAlign), nullptr);
}

TEST_F(BinsTest, TheScanIsBestFitInEveryLargeBin) {
  for (const unsigned bin : {kSmallBins, kSmallBins + 1, kSmallBins + 5 * kSteps + 3, kSmallBins + 9 * kSteps}) {
    const Word floor = bin_floor(bin);
    const Word all = (bin_floor(bin + 1) - floor) / kAlign;  // sizes of the bin
    if (all < 3) continue;
    Chunk *const best = insert(floor + kAlign);
    Chunk *const larger = insert(floor + 2 * kAlign);
    Chunk *const smaller = insert(floor);
    EXPECT_EQ(bins->best_in(bin, floor + kAlign), best) << bin;
    EXPECT_EQ(bins->best_in(bin, floor + 2 * kAlign), larger) << bin;
    bins->remove(smaller, floor);
    EXPECT_EQ(bins->best_in(bin, floor), best) << "the least of those that fit, not the first, bin " << bin;
    bins->remove(best, floor + kAlign);
    bins->remove(larger, floor + 2 * kAlign);
  }
}

TEST_F(BinsTest, NoneIsAsLargeWhenAllArePowersBelow) {
  for (Word size = kMinLarge; size < Word{1} << 24; size = size * 3 / 2 / kAlign * kAlign) {
    EXPECT_TRUE(bins->none_as_large(size));
    Chunk *const c = insert(size);
    for (Word asked = kMinLarge; asked < Word{1} << 25; asked = asked * 4 / 3 / kAlign * kAlign) {
      ASSERT_EQ(bins->none_as_large(asked), floor_log2(asked) > floor_log2(size)) << size << ", " << asked;
    }
    bins->remove(c, size);
  }
}

TEST_F(BinsTest, LargestIsFromTheLastNonEmptyBin) {
  EXPECT_EQ(bins->largest(), nullptr);
  insert(kMinChunk);
  Chunk *const middle = insert(kMinLarge);
  EXPECT_EQ(bins->largest(), middle);
  Chunk *const big = insert(bin_floor(bin_of(50000)) + kAlign);
  insert(bin_floor(bin_of(50000)));
  EXPECT_EQ(bins->largest(), big);
}

// Bins of one power of two, of the last and of one before it; and the small ones alone.
TEST_F(BinsTest, LargestIsFromTheLastBinOfItsPowerAndTheLastSmallOne) {
  insert(bin_floor(3));
  Chunk *const last_small = insert(bin_floor(kSmallBins - 1));
  insert(bin_floor(5));
  EXPECT_EQ(bins->largest(), last_small);
  for (const unsigned power : {0u, 4u, 9u}) {
    for (const unsigned step : {2u, 9u, 5u}) {
      Chunk *const c = insert(bin_floor(kSmallBins + power * kSteps + step));
      if (step != 5) EXPECT_EQ(bins->largest(), c) << "step " << step;
      else EXPECT_GT(size_of(bins->largest()), size_of(c));
    }
  }
}

TEST_F(BinsTest, LargestLooksAtTheFirstChunksOfItsBin) {
  const unsigned bin = bin_of(50000);
  insert(bin_floor(bin) + (kScan + 1) * kAlign);  // behind kScan others
  Chunk *const seen_last = insert(bin_floor(bin) + kScan * kAlign);
  for (Word i = 1; i < kScan; ++i) insert(bin_floor(bin) + i % 3 * kAlign);
  EXPECT_EQ(bins->largest(), seen_last);
}

}  // namespace
}  // namespace heapglass
