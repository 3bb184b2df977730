// Which class a request looks at and which one a freed chunk goes to: the rules malloc.S1 to S4, for every size that has a list.
#include "malloc/size_classes.hpp"

#include "malloc_rig.hpp"

namespace heapglass {
namespace {

constexpr unsigned kSignificantBits = 5;

unsigned class_needed(Word request) { return class_of_units(chunk_size_for(request) / kAlign - 1) + 1; }

TEST(SizeClasses, TheUnitsOfAClassAreOneMoreThanANumberOfFiveSignificantBits) {
  for (unsigned k = 1; k < kLists; ++k) {
    Word v = units_of_class(k) - 1;
    while (v % 2 == 0) v /= 2;
    ASSERT_LT(v, Word{1} << kSignificantBits) << k;
  }
}

TEST(SizeClasses, ClassesAscendAndEachNumberOfFiveSignificantBitsHasOne) {
  ASSERT_EQ(units_of_class(1) * kAlign, kMinChunk);
  unsigned k = 1;
  for (Word units = 2; units < kListedUnits; ++units) {
    Word v = units - 1;
    while (v % 2 == 0) v /= 2;
    if (v >= Word{1} << kSignificantBits) continue;
    ASSERT_EQ(units_of_class(k), units);
    ++k;
  }
  EXPECT_EQ(k, kLists);
}

TEST(SizeClasses, AListHoldsChunksFromTheSizeOfItsClassUpToTheNext) {
  for (Word units = 2; units < kListedUnits; ++units) {
    const unsigned k = class_of_units(units);
    ASSERT_LT(k, kLists);
    ASSERT_LE(units_of_class(k), units);
    ASSERT_GT(units_of_class(k + 1), units);
  }
}

TEST(SizeClasses, ARequestLooksAtTheFirstClassWhoseChunksAllServeIt) {
  for (Word request = 0; request <= kMaxListed; ++request) {
    const unsigned k = class_needed(request);
    ASSERT_GE(k, 1u);
    ASSERT_LT(k, kLists);
    ASSERT_GE(units_of_class(k) * kAlign - kWord, request);
    if (k > 1) { ASSERT_LT(units_of_class(k - 1) * kAlign - kWord, request) << "the class before is too small"; }
  }
}

TEST(SizeClasses, AClassHasNoChunkThatIsTooSmallForARequestThatLooksAtIt) {
  for (Word units = 2; units < kListedUnits; ++units) {
    const Word largest = units_of_class(class_of_units(units)) * kAlign - kWord;  // request of that class
    ASSERT_LE(largest, units * kAlign - kWord) << units;
  }
}

TEST(SizeClasses, TheTableAnswersBothQuestions) {
  fill_class_table();
  for (Word units = 2; units < kListedUnits; ++units) {
    for (const Word flags : {Word{0}, kInUse, kInUse | kPrevInUse, kInUse | kBlockMark, kBlockMark | kPrevInUse}) {
      ASSERT_EQ(class_of_head(units * kAlign | flags), class_of_units(units)) << units;
    }
  }
  for (Word request = 0; request <= kMaxListed; ++request) ASSERT_EQ(class_for_request(request), class_needed(request)) << request;
}

TEST(SizeClasses, ANewChunkHasTheSizeOfItsClassAndGoesBackToIt) {
  for (Word request = 0; request <= kMaxListed; ++request) {
    const Word size = chunk_bytes_for(request);
    ASSERT_EQ(size, units_of_class(class_needed(request)) * kAlign) << request;
    ASSERT_EQ(class_of_units(size / kAlign), class_needed(request)) << request;
    ASSERT_EQ(chunk_bytes_for(size - kWord), size) << "all of it asked for is the same class";
  }
}

TEST(SizeClasses, RoundingLosesAtMostASixteenthOfTheChunkTheRequestNeeds) {
  Word lost = 0, needed = 0;
  for (Word request = 0; request <= kMaxListed; ++request) {
    const Word exact = chunk_size_for(request);
    ASSERT_LE((chunk_bytes_for(request) - exact) * 16, exact) << request;
    lost += chunk_bytes_for(request) - exact;
    needed += exact;
  }
  EXPECT_LE(lost * 40, needed) << "in the mean less than 1/40";
}

TEST(SizeClasses, ARequestOfAPowerOfTwoLosesNothing) {
  for (Word request = kMinChunk; request <= 2 * kMaxListed; request *= 2) EXPECT_EQ(chunk_bytes_for(request), chunk_size_for(request)) << request;
}

TEST(SizeClasses, ALargerRequestNeverGetsASmallerChunk) {
  for (Word request = 1; request <= 2 * kListedBytes; ++request) ASSERT_GE(chunk_bytes_for(request), chunk_bytes_for(request - 1)) << request;
}

TEST(SizeClasses, AChunkHasAListExactlyWhenItsRequestLooksAtOne) {
  for (Word request = 0; request <= 2 * kListedBytes; ++request) {
    ASSERT_EQ(chunk_bytes_for(request) < kListedBytes, request <= kMaxListed) << request;
  }
}

TEST(SizeClasses, WhatIsLargerThanAnyListedChunkIsNotRounded) {
  for (Word request = kListedBytes - kWord + 1; request <= 4 * kListedBytes; ++request) {
    ASSERT_EQ(chunk_bytes_for(request), chunk_size_for(request)) << request;
  }
}

}  // namespace
}  // namespace heapglass
