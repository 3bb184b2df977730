// The contract as tests: seeded operations over every function of the C ABI, held against the naive twin: 100,000, and in
// npm run test:all (HG_TEST=all) 250,000, with probes a million.
//
// The same program with --run does one run of its own (native_main.cpp); the wasm module runs the same operations.
#include <gtest/gtest.h>
#include <heapglass/heapglass.h>

#include "every.hpp"
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
uint32_t operations_of_a_long_run() {
  if (!heapglass_test::every()) return 100'000;
  return HG_TRACE && !HG_CHECKED ? 1'000'000 : 250'000;
}

TEST(contract, walker_checker_and_twin_agree_at_every_check_of_a_long_run) {
  const uint32_t operations = operations_of_a_long_run();
  const contract::RunResult result = run(1, operations, 1000);
  EXPECT_EQ(result.checks, operations / 1000 + 2);
  EXPECT_GT(result.refusals, operations / 100);  // refused calls are part of the contract
  EXPECT_GT(result.retries, operations / 100);   // K5 was really tried
  testing::Test::RecordProperty("operations", static_cast<int>(operations));
}

TEST(contract, walker_checker_and_twin_agree_after_every_single_operation) {
  const uint32_t operations = heapglass_test::every() ? 2000 : 800;
  EXPECT_EQ(run(2, operations, 1).checks, operations + 2);
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
