// The contract with malloc among the other functions: half of all calls are hg_malloc's family, and every block
// may be freed, expanded and reallocated by either side.
#include <gtest/gtest.h>
#include <heapglass/malloc.h>

#include "run.hpp"

namespace {

contract::RunResult run_malloc(uint64_t seed, uint32_t operations, uint32_t check_every) {
  contract::RunOptions options;
  options.seed = seed;
  options.operations = operations;
  options.check_every = check_every;
  options.with_malloc = true;
  return contract::run(options);
}

TEST(malloc_contract, walker_checker_and_twins_agree_at_every_check_of_a_long_run) {
  const contract::RunResult result = run_malloc(11, 250'000, 1000);
  EXPECT_EQ(result.checks, 252u);
  EXPECT_GT(result.refusals, 2'500u);
  EXPECT_GT(result.cached, 10'000u) << "the cache was really used";
}

TEST(malloc_contract, walker_checker_and_twins_agree_after_every_single_operation) {
  EXPECT_EQ(run_malloc(12, 3000, 1).checks, 3002u);
}

TEST(malloc_contract, a_run_of_another_seed_finds_the_heap_as_empty_as_the_first) {
  run_malloc(13, 5000, 500);
  hg_malloc_stats before, after;
  hg_malloc_get_stats(&before);
  run_malloc(14, 5000, 500);
  hg_malloc_get_stats(&after);
  EXPECT_EQ(before.in_use, 0u);
  EXPECT_EQ(before.cached, 0u);
  EXPECT_EQ(after.in_use, 0u);
  EXPECT_EQ(after.cached, 0u);
  EXPECT_EQ(after.footprint, before.footprint);
}

}  // namespace
