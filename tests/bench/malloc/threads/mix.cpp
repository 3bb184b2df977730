// A mix of sizes: each thread, for itself, frees and allocates runs of up to 100 neighbours in a table of 2000 blocks of 1
// to 1000 bytes, small ones far more often. Every other run is freed in reverse, so lists are used as stacks and as
// queues. Also compiled without -pthread: the difference is what threads cost a program that has one.

#include "workload.hpp"

namespace {

constexpr unsigned kTableSize = 2000;
constexpr unsigned kLongestRun = 100;
constexpr unsigned kSizes = 4096;
constexpr unsigned kRuns = 50'000;

struct Table {
  Block blocks[kTableSize];
};

Table g_tables[kMaxThreads];
std::uint16_t g_sizes[kSizes];
unsigned g_runs;

/// 1 to 1000, by the cube of an even distribution: half of them are below 126.
void make_sizes() {
  Random random(7);
  for (std::uint16_t &size : g_sizes) {
    const double even = random.below(1'000'000) / 1e6;
    size = static_cast<std::uint16_t>(1 + 1000 * even * even * even);
  }
}

std::uint64_t mix_one(void *, unsigned number) {
  Table &table = g_tables[number];
  Random random(number + 1);
  std::uint64_t sum = 0;
  unsigned at_size = number * 997;
  for (unsigned run = 0; run < g_runs; ++run) {
    const unsigned count = random.between(1, kLongestRun);
    const unsigned first = random.below(kTableSize - count + 1);
    Block *const begin = table.blocks + first;
    if (run % 2 == 0) {
      for (unsigned at = 0; at < count; ++at) sum += free_block(begin[at]);
    } else {
      for (unsigned at = count; at-- > 0;) sum += free_block(begin[at]);
    }
    for (unsigned at = 0; at < count; ++at) {
      ++at_size;
      begin[at] = allocate_block(g_sizes[at_size % kSizes], at_size);
    }
  }
  for (Block &block : table.blocks) {
    sum += free_block(block);
    block = {};
  }
  return sum;
}

/// Counted beside the clock: the same random numbers without the blocks.
std::uint64_t calls_of(unsigned number) {
  Random random(number + 1);
  std::uint64_t blocks = 0;
  for (unsigned run = 0; run < g_runs; ++run) {
    const unsigned count = random.between(1, kLongestRun);
    random.below(kTableSize - count + 1);
    blocks += count;
  }
  return 2 * blocks;
}

Outcome mix(unsigned threads, double share) {
  g_runs = static_cast<unsigned>(kRuns * share);
  make_sizes();
  Outcome outcome = run_threads(threads, mix_one, nullptr);
  for (unsigned number = 0; number < threads; ++number) outcome.calls += calls_of(number);
  return outcome;
}

const Workload listed("mix", mix);

}  // namespace
