// Which list a size waits on: the rules Q1 to Q3 of quick_lists.hpp, for every size there is.
#include "front/quick_lists.hpp"

#include "malloc_rig.hpp"

namespace heapglass {
namespace {

constexpr Word kLast = kRoundedMax < 8200 ? kRoundedMax : 8200;

Word rounded_chunk(Word request) { return units_for(request) * kAlign; }

TEST(QuickLists, EveryRequestFitsTheChunkItIsRoundedTo) {
  for (Word request = 0; request <= kRoundedMax; ++request) {
    ASSERT_GE(rounded_chunk(request) - kWord, request);
    ASSERT_GE(rounded_chunk(request), kMinChunk);
    ASSERT_LT(units_for(request), kExactUnits) << "has a list of its own: " << request;
  }
}

TEST(QuickLists, RoundingLosesAtMostASixteenthOfTheChunkTheRequestNeeds) {
  Word lost = 0, needed = 0;
  for (Word request = 0; request <= kRoundedMax; ++request) {
    const Word exact = chunk_size_for(request);
    ASSERT_LE((rounded_chunk(request) - exact) * 16, exact) << request;
    lost += rounded_chunk(request) - exact;
    needed += exact;
  }
  EXPECT_LE(lost * 40, needed) << "in the mean less than 1/40";
}

TEST(QuickLists, ARequestOfAPowerOfTwoLosesNothing) {
  for (Word request = 1; request <= kLast; request *= 2) EXPECT_EQ(rounded_chunk(request), chunk_size_for(request)) << request;
}

TEST(QuickLists, ALargerRequestNeverGetsASmallerChunk) {
  for (Word request = 1; request <= kRoundedMax; ++request) ASSERT_GE(units_for(request), units_for(request - 1)) << request;
}

TEST(QuickLists, WhatARoundedChunkHoldsIsRoundedToTheSameChunk) {
  for (Word request = 0; request <= kRoundedMax; ++request) {
    ASSERT_EQ(units_for(rounded_chunk(request) - kWord), units_for(request)) << request;
  }
}

TEST(QuickLists, RandomSizesMeetOnFewLists) {
  std::vector<bool> used(kExactUnits);
  for (Word request = 0; request <= kRoundedMax; ++request) used[units_for(request)] = true;
  EXPECT_LE(std::count(used.begin(), used.end(), true), 32 + 16 * 5);
}

TEST(QuickLists, EachSizeUpToTheExactOnesHasAListOfItsOwn) {
  for (Word units = 2; units < kExactUnits; ++units) ASSERT_EQ(list_of_units(units), units);
}

TEST(QuickLists, ListsFollowSizesWithoutAGapUpToTheLast) {
  unsigned before = list_of_units(2);
  for (Word units = 3; units <= kQuickMaxUnits; ++units) {
    const unsigned list = list_of_units(units);
    ASSERT_TRUE(list == before || list == before + 1) << units;
    before = list;
  }
  EXPECT_EQ(before + 1, kLists);
}

TEST(QuickLists, SizesThatShareAListDifferByLessThanASixteenth) {
  Word first = kExactUnits;
  for (Word units = kExactUnits; units <= kQuickMaxUnits; ++units) {
    if (list_of_units(units) != list_of_units(first)) first = units;
    ASSERT_LT((units - first) * 16, first) << units;
  }
}

TEST(QuickLists, ForSampledLargeSizesTheNextListFitsWhateverTheirOwnListMayHold) {
  heapglass_test::Random random{7};
  for (int i = 0; i < 20000; ++i) {
    const Word units = kExactUnits + random.below(static_cast<std::uint32_t>(kQuickMaxUnits - kExactUnits));
    const Word other = kExactUnits + random.below(static_cast<std::uint32_t>(kQuickMaxUnits - kExactUnits));
    if (list_of_units(other) > list_of_units(units)) {
      ASSERT_GT(other, units);
    }
  }
}

}  // namespace
}  // namespace heapglass
