// The page list over the native reservation. Each test begins at the frontier and gives back all it took.
#include "platform/page_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

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
  void *const a = source->acquire(kPageBytes);
  const std::uintptr_t frontier = source->frontier;
  for (const Word bytes : {Word{1} << 33, ~Word{0} - 2 * kPageBytes, ~Word{0} - frontier + 1 + kPageBytes}) {
    EXPECT_FALSE(source->extend(reinterpret_cast<void *>(frontier), bytes)) << bytes;
    EXPECT_EQ(source->frontier, frontier) << bytes;
  }
  release_run(a, kPageBytes);  // the last run, which a request might lengthen
  for (const Word bytes : {Word{1} << 33, ~Word{0} - 2 * kPageBytes, ~address_of(a) + 1 + kPageBytes}) {
    EXPECT_EQ(source->acquire(bytes), nullptr) << bytes;
    EXPECT_EQ(source->frontier, frontier) << bytes;
  }
}

// Random requests beside a list of who has what: no page is handed out twice, none is lost, and each keeps its contents.
TEST_F(PageSourceTest, EveryPageIsOfOneOwnerAfterAnyRequests) {
  struct Run {
    char *at;
    Word pages;
    char mark;
  };
  std::mt19937 random(5);
  const auto below = [&](unsigned n) { return static_cast<Word>(random() % n); };
  std::vector<Run> held;
  Word others = 0;
  const auto bytes_of = [](const Run &run) { return run.pages * kPageBytes; };
  const auto mark = [&](Run &run, char with) {
    run.mark = with;
    for (Word page = 0; page < run.pages; ++page) run.at[page * kPageBytes + page % kPageBytes] = with;
  };
  const auto expect_marks = [&](const Run &run) {
    for (Word page = 0; page < run.pages; ++page) ASSERT_EQ(run.at[page * kPageBytes + page % kPageBytes], run.mark);
  };
  const auto unaccounted = [&] {
    Word bytes = raw_end() - source->base - source->spare() - others;
    for (const Run &run : held) bytes -= bytes_of(run);
    return bytes;
  };
  const Word before = unaccounted();
  for (int step = 0; step < 4000; ++step) {
    const Word what = below(10);
    if (what < 4 || held.empty()) {
      Run run = {nullptr, 1 + below(9), 0};
      run.at = static_cast<char *>(source->acquire(bytes_of(run)));
      ASSERT_NE(run.at, nullptr);
      held.push_back(run);
      mark(held.back(), static_cast<char>(step));
    } else if (what < 6) {
      Run &run = held[below(static_cast<unsigned>(held.size()))];
      const Word more = 1 + below(4);
      if (source->extend(run.at + bytes_of(run), more * kPageBytes)) run.pages += more;
      mark(run, static_cast<char>(step));
    } else if (what < 9) {
      const Word nth = below(static_cast<unsigned>(held.size()));
      Run &run = held[nth];
      ASSERT_NO_FATAL_FAILURE(expect_marks(run));
      const Word kept = below(static_cast<unsigned>(run.pages));  // of its front
      release_run(run.at + kept * kPageBytes, (run.pages - kept) * kPageBytes);
      run.pages = kept;
      mark(run, run.mark);
      if (kept == 0) {
        std::swap(run, held.back());
        held.pop_back();
      }
    } else if (below(20) == 0) {
      const Word pages = 1 + below(3);
      grow_by_others(pages * kPageBytes);
      others += pages * kPageBytes;
    }
    if (step % 16 == 0) {
      ASSERT_EQ(unaccounted(), before) << "step " << step;
    }
    if (step % 64 != 0) continue;
    std::sort(held.begin(), held.end(), [](const Run &a, const Run &b) { return a.at < b.at; });
    for (std::size_t i = 0; i < held.size(); ++i) {
      ASSERT_EQ((address_of(held[i].at) - source->base) % kPageBytes, 0u) << "pages.G1";
      ASSERT_LE(address_of(held[i].at) + bytes_of(held[i]), i + 1 < held.size() ? address_of(held[i + 1].at) : raw_end());
      ASSERT_NO_FATAL_FAILURE(expect_marks(held[i]));
    }
  }
  EXPECT_GT(others, 0u);
  for (const Run &run : held) {
    ASSERT_NO_FATAL_FAILURE(expect_marks(run));
    release_run(run.at, bytes_of(run));
  }
}

}  // namespace
}  // namespace heapglass
