// How a heap ends (row B1): its memory goes back at once as a chain of segments, and serves whoever asks next.
#include <algorithm>
#include <array>

#include "base/address.hpp"
#include "heap_fixture.hpp"
#include "platform/page_source.hpp"
#include "support/held_runs.hpp"
#include "support/release_run.hpp"

namespace heapglass_test {
namespace {

using heapglass::growing_pages;
using heapglass::kPageBytes;

std::uintptr_t frontier() { return growing_pages()->frontier; }

// Several heaps that grow in turn, so that each is in many segments.
std::vector<hg_heap *> interleaved_heaps(std::size_t heaps, std::size_t bytes_each) {
  std::vector<hg_heap *> made;
  for (std::size_t i = 0; i < heaps; ++i) made.push_back(hg_heap_create());
  for (std::size_t bytes = 0; bytes < bytes_each; bytes += 30000) {
    for (hg_heap *const heap : made) EXPECT_NE(hg_heap_allocate(heap, 30000), nullptr);
  }
  return made;
}

TEST(B1_end_of_a_heap, its_segments_serve_another_heap_before_memory_grows) {
  const HeldRuns held;
  std::vector<hg_heap *> heaps = interleaved_heaps(4, 3'000'000);
  EXPECT_GT(stats_of(heaps[0]).segments, 10u);
  const std::uintptr_t end = frontier();
  for (hg_heap *const heap : heaps) hg_heap_destroy(heap);
  EXPECT_EQ(frontier(), end);
  hg_heap *const next = hg_heap_create();
  EXPECT_NE(hg_heap_allocate(next, 11'000'000), nullptr) << "the segments of four heaps, joined";
  EXPECT_EQ(frontier(), end);
  HG_EXPECT_SOUND(next);
  hg_heap_destroy(next);
}

TEST(B1_end_of_a_heap, a_neighbour_grows_into_what_ended_beside_it) {
  const HeldRuns held;
  hg_heap *const heap = hg_heap_create();
  EXPECT_NE(hg_heap_allocate(heap, 100'000), nullptr);
  hg_heap *const neighbour = hg_heap_create();
  EXPECT_NE(hg_heap_allocate(neighbour, 500'000), nullptr);
  const std::uintptr_t end = frontier();
  hg_heap_destroy(neighbour);
  EXPECT_NE(hg_heap_allocate(heap, 400'000), nullptr);
  EXPECT_EQ(stats_of(heap).segments, 1u) << "extended in place";
  EXPECT_EQ(frontier(), end);
  hg_heap_destroy(heap);
}

TEST(B1_end_of_a_heap, a_run_too_short_is_continued_by_a_retired_one_behind_it) {
  const HeldRuns held;
  heapglass::PageSource *const source = growing_pages();
  char *const a = static_cast<char *>(source->acquire(64 * kPageBytes));
  ASSERT_EQ(heapglass::address_of(a) + 64 * kPageBytes, frontier());
  char *const released = a + 10 * kPageBytes;
  char *const retired = a + 20 * kPageBytes;
  release_run(released, 10 * kPageBytes);
  auto *const run = reinterpret_cast<heapglass::ReleasedRun *>(retired);
  *run = {nullptr, 10 * kPageBytes};
  source->retire(run, run + 1);
  EXPECT_TRUE(source->extend(released, 15 * kPageBytes));
  EXPECT_EQ(source->retired, nullptr);
  release_run(a, 25 * kPageBytes);
  release_run(a + 30 * kPageBytes, 34 * kPageBytes);
}

TEST(B1_end_of_a_heap, memory_of_heaps_made_and_ended_in_turn_does_not_grow) {
  const HeldRuns held;
  std::uintptr_t end = 0;
  for (int round = 0; round < 1000; ++round) {
    hg_heap *const heap = hg_heap_create();
    for (int i = 0; i < 5; ++i) ASSERT_NE(hg_heap_allocate(heap, 50'000), nullptr);
    hg_heap_destroy(heap);
    if (round == 0) end = frontier();
  }
  EXPECT_EQ(frontier(), end);
}

TEST(B1_end_of_a_heap, its_id_and_those_of_its_pools_serve_again) {
  const hg_pool_options options = {HG_SHAPE_adaptive, 32, 8, 1, 20};
  hg_heap *const bystander = hg_heap_create();
  hg_pool *const kept = hg_pool_create(bystander, &options);
  for (std::size_t round = 0; round < 1500; ++round) {  // 4500 pools on 1500 heaps: more than ids
    hg_heap *const heap = hg_heap_create();
    ASSERT_NE(heap, nullptr) << round;
    std::array<hg_pool *, 3> pools;
    for (hg_pool *&pool : pools) {
      pool = hg_pool_create(heap, &options);
      ASSERT_NE(pool, nullptr) << round;
      ASSERT_NE(hg_pool_id(pool), hg_pool_id(kept));
    }
    hg_pool_destroy(pools[round % 3]);
    ASSERT_NE(hg_pool_create(heap, &options), nullptr);
    hg_heap_destroy(heap);
  }
  HG_EXPECT_SOUND(bystander);
  hg_pool_destroy(kept);
  hg_heap_destroy(bystander);
}

TEST(B1_end_of_a_heap, a_fixed_region_is_the_callers_again_and_no_page_sources) {
  const HeldRuns held;
  std::vector<unsigned char> region(100'000);
  hg_heap *const heap = hg_heap_create_fixed(region.data(), region.size());
  ASSERT_NE(heap, nullptr);
  const hg_pool_options options = {HG_SHAPE_segregated, 32, 8, 1, 0};
  ASSERT_NE(hg_pool_create(heap, &options), nullptr);
  ASSERT_NE(hg_heap_allocate(heap, 10'000), nullptr);
  hg_heap_destroy(heap);
  EXPECT_EQ(growing_pages()->retired, nullptr);
  EXPECT_EQ(growing_pages()->released, nullptr);
  std::fill(region.begin(), region.end(), static_cast<unsigned char>(0xcc));
  hg_heap *const again = hg_heap_create_fixed(region.data(), region.size());
  HG_EXPECT_SOUND(again);
  hg_heap_destroy(again);
}

// Steps of taking the ended heaps apart, as the next acquire does. It leaves runs in address order that do not touch.
std::size_t steps_to_reuse(std::size_t ended_bytes) {
  heapglass::PageSource *const source = growing_pages();
  const heapglass::Word before = heapglass::g_runs_visited;
  source->reclaim();
  const std::size_t steps = heapglass::g_runs_visited - before;
  std::size_t bytes = 0;
  std::uintptr_t end = 0;
  for (const heapglass::ReleasedRun *run = source->released; run != nullptr; run = run->next) {
    EXPECT_LT(end, heapglass::address_of(run)) << "in order, and joined with the run before";
    end = heapglass::address_of(run) + run->bytes;
    bytes += run->bytes;
  }
  EXPECT_EQ(bytes, ended_bytes);
  return steps;
}

TEST(B1_end_of_a_heap, the_next_acquire_visits_each_of_its_segments_once) {  // pages.G6
  const HeldRuns held;
  const std::vector<hg_heap *> heaps = interleaved_heaps(3, 20'000'000);
  const hg_heap_stats ended = stats_of(heaps[1]);
  EXPECT_GT(ended.segments, 80u);
  hg_heap_destroy(heaps[1]);
  EXPECT_EQ(steps_to_reuse(ended.footprint), ended.segments);
  hg_heap_destroy(heaps[0]);
  hg_heap_destroy(heaps[2]);
}

TEST(B1_end_of_a_heap, many_ended_heaps_are_taken_apart_without_a_pass_for_each) {  // pages.G6
  constexpr std::size_t kEnded = 120;
  for (const bool ascending : {true, false}) {
    const HeldRuns held;
    std::vector<hg_heap *> heaps;
    for (std::size_t i = 0; i < 2 * kEnded; ++i) heaps.push_back(hg_heap_create());
    for (std::size_t i = 0; i < kEnded; ++i) hg_heap_destroy(heaps[2 * (ascending ? i : kEnded - 1 - i)]);
    EXPECT_LE(steps_to_reuse(kEnded * kPageBytes), kEnded * 8) << "7 rounds that halve the chains, and one more";
    for (std::size_t i = 0; i < kEnded; ++i) hg_heap_destroy(heaps[2 * i + 1]);
  }
}

TEST(B1_end_of_a_heap, what_ended_is_used_when_memory_cannot_grow) {
  const HeldRuns held;
  std::vector<hg_heap *> heaps = interleaved_heaps(2, 1'000'000);
  hg_heap_destroy(heaps[0]);
  heapglass::fail_growth(1);
  std::size_t blocks = 0;
  while (hg_heap_allocate(heaps[1], 30000) != nullptr) ++blocks;
  heapglass::fail_growth(0);
  EXPECT_GE(blocks, 30u);
  HG_EXPECT_SOUND(heaps[1]);
  hg_heap_destroy(heaps[1]);
}

}  // namespace
}  // namespace heapglass_test
