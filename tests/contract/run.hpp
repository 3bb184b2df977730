// One run of the contract: seeded operations, checked as it goes, everything freed at the end.
#pragma once

#include <cstdint>

namespace contract {

struct RunOptions {
  uint64_t seed = 1;
  uint32_t operations = 100000;
  uint32_t check_every = 1000;
  uint32_t largest_alignment = 65536;
  bool with_malloc = false;  // the operations of malloc too: half of all calls
  // Called between operations, 0: nothing. Tests of growth by others hook in here.
  void (*between)(uint32_t operation) = nullptr;
};

struct RunResult {
  uint64_t offsets_hash;  // over all that the allocator answered, addresses as offsets from their heap's base
  uint64_t checks;
  uint64_t refusals;
  uint64_t retries;
  uint64_t cached;  // chunks that malloc cached, summed over all checks
};

// Ends the program (or traps) at the first contradiction; report_text() tells it. In builds with probes every check
// leaves a checkpoint of each heap in the trace, the last ones behind the last operation.
RunResult run(const RunOptions &options);

// "seed 1 operations 100000 checks 101 ... offsets 0x..." into report_text().
void report_run(const RunOptions &options, const RunResult &result);

}  // namespace contract
