// The page list over the native reservation. Each test begins at the frontier and gives back all it took.
#include "platform/page_source.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/address.hpp"
#include "support/held_runs.hpp"
#include "support/release_run.hpp"

namespace heapglass {
namespace {

using heapglass_test::release_run;

class PageSourceTest : public ::testing::Test {
 protected:
  void TearDown() override { fail_growth(0); }
  PageSource *const source = growing_pages();

 private:
  const heapglass_test::HeldRuns held_;
};

TEST_F(PageSourceTest, RunsAreWholePagesRelativeToTheBase) {
  void *const a = source->acquire(kPageBytes);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ((address_of(a) - source->base) % kPageBytes, 0u) << "pages.G1";
  std::memset(a, 1, kPageBytes);
  release_run(a, kPageBytes);
}

TEST_F(PageSourceTest, AReleasedRunServesTheNextRequestThatFits) {
  void *const a = source->acquire(4 * kPageBytes);
  void *const guard = source->acquire(kPageBytes);
  release_run(a, 4 * kPageBytes);
  void *const b = source->acquire(3 * kPageBytes);
  EXPECT_EQ(b, a);
  void *const c = source->acquire(kPageBytes);
  EXPECT_EQ(address_of(c), address_of(a) + 3 * kPageBytes) << "the rest of the run";
  release_run(b, 3 * kPageBytes);
  release_run(c, kPageBytes);
  release_run(guard, kPageBytes);
}

TEST_F(PageSourceTest, SpareBytesAreReleasedOnesAndThoseNeverHandedOut) {
  void *const a = source->acquire(4 * kPageBytes);
  void *const guard = source->acquire(kPageBytes);
  const Word spare = source->spare();
  release_run(a, 4 * kPageBytes);
  EXPECT_EQ(source->spare(), spare + 4 * kPageBytes);
  void *const b = source->acquire(3 * kPageBytes);
  EXPECT_EQ(source->spare(), spare + kPageBytes);
  release_run(b, 3 * kPageBytes);
  release_run(guard, kPageBytes);
}

TEST_F(PageSourceTest, ReleasedNeighboursJoinInAnyOrder) {
  const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto &order : orders) {
    char *const run = static_cast<char *>(source->acquire(3 * kPageBytes));
    void *const guard = source->acquire(kPageBytes);
    for (const int part : order) release_run(run + part * static_cast<std::ptrdiff_t>(kPageBytes), kPageBytes);
    EXPECT_EQ(source->acquire(3 * kPageBytes), run);
    release_run(run, 3 * kPageBytes);
    release_run(guard, kPageBytes);
  }
}

TEST_F(PageSourceTest, ExtendContinuesAtTheFrontierAndIntoAReleasedRunAndNowhereElse) {
  char *const a = static_cast<char *>(source->acquire(64 * kPageBytes));
  ASSERT_EQ(address_of(a) + 64 * kPageBytes, source->frontier);
  char *const end = a + 64 * kPageBytes;
  EXPECT_TRUE(source->extend(end, kPageBytes));
  char *const b = static_cast<char *>(source->acquire(64 * kPageBytes));
  EXPECT_FALSE(source->extend(end, kPageBytes)) << "in use already";
  release_run(end, kPageBytes);
  EXPECT_TRUE(source->extend(end, kPageBytes)) << "released behind it";
  release_run(a, 65 * kPageBytes);
  release_run(b, 64 * kPageBytes);
}

TEST_F(PageSourceTest, MemoryGrownByOthersIsNeverHandedOut) {
  char *const a = static_cast<char *>(source->acquire(200 * kPageBytes));
  const std::uintptr_t theirs = raw_end();
  grow_by_others(3 * kPageBytes);
  EXPECT_FALSE(source->extend(a + 200 * kPageBytes, kPageBytes)) << "pages.G3";
  char *const b = static_cast<char *>(source->acquire(200 * kPageBytes));
  ASSERT_NE(b, nullptr);
  EXPECT_GE(address_of(b), theirs + 3 * kPageBytes) << "pages.G3";
  std::memset(b, 2, 200 * kPageBytes);
  release_run(a, 200 * kPageBytes);
  release_run(b, 200 * kPageBytes);
}

TEST_F(PageSourceTest, ARefusedGrowthChangesNothingAndIsTold) {
  fail_growth(2);
  const std::uintptr_t before = source->frontier;
  void *const a = source->acquire(300 * kPageBytes);
  ASSERT_NE(a, nullptr);
  EXPECT_FALSE(source->refused);
  EXPECT_GT(source->new_end, source->old_end);
  const std::uintptr_t frontier = source->frontier;
  EXPECT_EQ(source->acquire(300 * kPageBytes), nullptr);
  EXPECT_TRUE(source->refused);
  EXPECT_EQ(source->frontier, frontier);
  EXPECT_GT(frontier, before);
  fail_growth(0);
  release_run(a, 300 * kPageBytes);
}

TEST_F(PageSourceTest, ARequestBeyondTheReservationIsRefused) {
  EXPECT_EQ(source->acquire(Word{1} << 33), nullptr);
  EXPECT_EQ(source->acquire(~Word{0} - 2 * kPageBytes), nullptr);
}

}  // namespace
}  // namespace heapglass
