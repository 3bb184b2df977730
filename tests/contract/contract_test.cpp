// The contract as tests: a million seeded operations over every function of the C ABI, held against the naive twin.
//
// The same program with --run does one run of its own (native_main.cpp); the wasm module runs the same operations.
#include <gtest/gtest.h>
#include <heapglass/heapglass.h>

#include "report.hpp"
#include "run.hpp"

namespace {

contract::RunResult run(uint64_t seed, uint32_t operations, uint32_t check_every) {
  contract::RunOptions options;
  options.seed = seed;
  options.operations = operations;
  options.check_every = check_every;
  return contract::run(options);
}

// The million is run with probes; the two other builds run the beginning of it.
#if HG_TRACE && !HG_CHECKED
constexpr uint32_t kOperations = 1000000;
#else
constexpr uint32_t kOperations = 250000;
#endif

TEST(contract, walker_checker_and_twin_agree_at_every_check_of_a_long_run) {
  const contract::RunResult result = run(1, kOperations, 1000);
  EXPECT_EQ(result.checks, kOperations / 1000 + 2);
  EXPECT_GT(result.refusals, kOperations / 100);  // refused calls are part of the contract
  EXPECT_GT(result.retries, kOperations / 100);   // K5 was really tried
  testing::Test::RecordProperty("operations", static_cast<int>(kOperations));
}

TEST(contract, walker_checker_and_twin_agree_after_every_single_operation) {
  EXPECT_EQ(run(2, 2000, 1).checks, 2002u);
}

TEST(contract, a_run_of_another_seed_finds_the_heap_as_empty_as_the_first) {
  hg_heap_stats before, after;
  run(3, 5000, 500);
  hg_heap_get_stats(hg_default_heap(), &before);
  run(4, 5000, 500);
  hg_heap_get_stats(hg_default_heap(), &after);
  EXPECT_EQ(before.chunks_in_use, 0u);
  EXPECT_EQ(after.chunks_in_use, 0u);
  EXPECT_EQ(after.footprint, before.footprint);
}

}  // namespace
