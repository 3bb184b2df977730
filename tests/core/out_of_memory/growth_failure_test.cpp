// The k-th growth of memory is refused, for every k of a life: the call says so, changes nothing, and life goes on.
#include "lives.hpp"
#include "steps.hpp"

namespace out_of_memory_tests {
namespace {

constexpr size_t kRounds = 7;

Outcome live(size_t k, size_t count) {
  const bool transient = count <= 1;
  *heapglass::growing_pages() = heapglass::PageSource{};
  Outcome outcome;
  heapglass::fail_growth(k, count);
  hg_heap *heap = hg_heap_create();
  if (heap == nullptr) {
    heapglass::fail_growth(0);
    heap = hg_heap_create();
    outcome.refused = true;
    if (heap == nullptr) {
      outcome.wrong = "no heap though memory can grow again";
      return outcome;
    }
  }
  Life life(heap);
  for (size_t round = 0; round < kRounds; ++round) {
    for (size_t step = 0; step < Life::kSteps; ++step) {
      const auto failed = [&](const std::string &why) {
        outcome.wrong = std::string(Life::name_of(step)) + ", round " + std::to_string(round) + ": " + why;
        return outcome;
      };
      const size_t asked = heapglass::growths_asked();
      const bool worked = life.perform(step, round);
      // Expanding in place may be refused for want of room beside it; the others only for want of memory.
      const bool in_place = step == 5 || step == 6;
      if (!worked && !in_place && heapglass::growths_asked() == asked) {
        return failed("refused without asking for memory");
      }
      if (!worked) outcome.refused = outcome.refused || heapglass::growths_asked() != asked;
      const std::string wrong = life.proof();
      if (!wrong.empty()) return failed(wrong);
      if (worked || in_place) continue;
      if (!transient) {
        // Memory stays out: what is freed can be had again, without any growth.
        const size_t bytes = life.free_largest();
        if (bytes > 0) {
          void *mem = hg_heap_allocate(heap, bytes);
          if (mem == nullptr) return failed("memory just freed cannot be had again");
          hg_heap_deallocate(heap, mem);
        }
        heapglass::fail_growth(0);
      }
      if (!life.perform(step, round)) return failed("refused again though memory can grow");
      const std::string after = life.proof();
      if (!after.empty()) return failed("after the second try: " + after);
    }
  }
  heapglass::fail_growth(0);
  outcome.wrong = life.end();
  hg_heap_destroy(heap);
  return outcome;
}

TEST(A1_out_of_memory, at_every_growth_for_good_leaves_the_heap_valid_and_freed_memory_usable) {
  const size_t growths = growths_of(live);
  ASSERT_GT(growths, 25u);
  size_t refused = 0;
  for (size_t k = 1; k <= growths; ++k) {
    const int outcome = in_child(live, k, kForever);
    ASSERT_NE(outcome, 2) << "growth " << k;
    refused += outcome == 1;
  }
  EXPECT_EQ(refused, growths);
}

TEST(A1_out_of_memory, at_every_growth_once_is_met_by_asking_for_less_or_passed_on_and_the_next_call_succeeds) {
  const size_t growths = growths_of(live);
  for (size_t k = 1; k <= growths; ++k) ASSERT_NE(in_child(live, k, 1), 2) << "growth " << k;
}

TEST(A1_out_of_memory, at_every_growth_three_times_in_a_row_leaves_the_heap_valid) {
  const size_t growths = growths_of(live);
  for (size_t k = 1; k <= growths; ++k) ASSERT_NE(in_child(live, k, 3), 2) << "growth " << k;
}

// A growth asks for a share of what the heap has; refused, for what is needed. 0: as it must be.
int ask_for_less() {
  *heapglass::growing_pages() = heapglass::PageSource{};
  hg_heap *heap = hg_heap_create();
  if (hg_heap_allocate(heap, 16u << 20) == nullptr) return 1;
  for (;;) {
    hg_heap_stats stats;
    hg_heap_get_stats(heap, &stats);
    if (stats.top_bytes < 1000) break;
    hg_heap_allocate(heap, stats.top_bytes / 2);
  }
  hg_heap_stats before, after;
  hg_heap_get_stats(heap, &before);
  heapglass::fail_growth(1, 1);
  const size_t asked = heapglass::growths_asked();
  if (hg_heap_allocate(heap, 10000) == nullptr) return 2;
  hg_heap_get_stats(heap, &after);
  if (heapglass::growths_asked() != asked + 2) return 3;
  if (after.footprint != before.footprint + 65536 || after.segments != 1) return 4;
  return hg_heap_check(heap) == nullptr ? 0 : 5;
}

TEST(A1_out_of_memory, when_a_share_of_the_footprint_is_refused_one_page_is_asked_for_and_the_segment_extended) {
  const pid_t child = fork();
  if (child == 0) _exit(ask_for_less());
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace out_of_memory_tests
