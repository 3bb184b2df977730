// Random operations over all functions of the heap against a naive twin: a sorted map of intervals and the bytes they
// should hold. The heap's own proof runs after each operation.
#include "every.hpp"
#include "soak_operations.hpp"

namespace heapglass_test {
namespace {

const int kBeyondSeeds = every() ? 6 : 2;

void soak(hg_heap *heap, std::uint64_t seed, int operations, std::size_t most) {
  Random random{seed};
  Twin twin(heap);
  for (int i = 0; i < operations; ++i) {
    perform_one(twin, random, most);
    const char *const broken = hg_heap_check(heap);
    ASSERT_EQ(broken, nullptr) << broken << " after operation " << i << " of seed " << seed;
    if (::testing::Test::HasFatalFailure()) FAIL() << "in operation " << i << " of seed " << seed;
  }
  while (twin.size() != 0) hg_heap_deallocate(heap, twin.take(random).first);
}

class SoakGrowing : public GrowingHeap, public ::testing::WithParamInterface<int> {};
TEST_P(SoakGrowing, RandomOperationsOnGrowingMemoryKeepEveryInvariantAndEveryByte) {
  soak(heap, static_cast<std::uint64_t>(GetParam()), 6000, 250);
  hg_heap_trim(heap, 0);
  EXPECT_EQ(stats_of(heap).segments, 1u) << "trim gives every other segment back";
}
INSTANTIATE_TEST_SUITE_P(Seeds, SoakGrowing, ::testing::Range(1, kBeyondSeeds));

class SoakFixed : public FixedHeap, public ::testing::WithParamInterface<int> {};
TEST_P(SoakFixed, RandomOperationsOnAFullRegionKeepEveryInvariantAndEveryByte) {
  soak(heap, static_cast<std::uint64_t>(GetParam()) + 100, 6000, 250);
  EXPECT_EQ(stats_of(heap).chunks_free, 1u) << "everything joined again";
}
INSTANTIATE_TEST_SUITE_P(Seeds, SoakFixed, ::testing::Range(1, kBeyondSeeds));

TEST(SoakTwoHeaps, HeapsGrowingInTurnsShareMemoryAndNeverOverlap) {
  hg_heap *const a = hg_heap_create();
  hg_heap *const b = hg_heap_create();
  Random random{77};
  Twin twin_a(a);
  Twin twin_b(b);
  for (int i = 0; i < 4000; ++i) {
    perform_one(random.below(2) == 0 ? twin_a : twin_b, random, 200);
    ASSERT_EQ(hg_heap_check(a), nullptr);
    ASSERT_EQ(hg_heap_check(b), nullptr);
    if (::testing::Test::HasFatalFailure()) FAIL() << "in operation " << i;
  }
  hg_heap_destroy(a);
  ASSERT_EQ(hg_heap_check(b), nullptr) << "ending one heap leaves the other sound";
  while (twin_b.size() != 0) hg_heap_deallocate(b, twin_b.take(random).first);
  hg_heap_destroy(b);
}

}  // namespace
}  // namespace heapglass_test
