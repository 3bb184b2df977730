// shbench-like: each thread, for itself, allocates bursts of up to 60 blocks of one size of 1 to 1000 bytes and puts them at random
// places of a table of 8000, where it frees what lay there. A size comes in runs, and goes in no order at all.

#include "workload.hpp"

namespace {

constexpr unsigned kPlaces = 8000;
constexpr unsigned kBursts = 40'000;

Block g_places[kMaxThreads][kPlaces];
unsigned g_bursts;

/// Half of them up to 64, three in ten up to 256.
std::uint32_t skewed_size(Random &random) {
  const std::uint32_t luck = random.below(100);
  if (luck < 50) return random.between(1, 64);
  return luck < 80 ? random.between(65, 256) : random.between(257, 1000);
}

std::uint64_t bursts_of_one(void *, unsigned number) {
  Block *const places = g_places[number];
  Random random(number + 1);
  std::uint64_t sum = 0;
  for (unsigned burst = 0; burst < g_bursts; ++burst) {
    const std::uint32_t size = skewed_size(random), count = random.between(1, 60);
    for (std::uint32_t at = 0; at < count; ++at) {
      Block &place = places[random.below(kPlaces)];
      sum += free_block(place);
      place = allocate_block(size, burst + at);
    }
  }
  for (unsigned at = 0; at < kPlaces; ++at) {
    sum += free_block(places[at]);
    places[at] = {};
  }
  return sum;
}

/// Counted beside the clock: the same random numbers without the blocks.
std::uint64_t calls_of(unsigned number) {
  Random random(number + 1);
  std::uint64_t blocks = 0;
  for (unsigned burst = 0; burst < g_bursts; ++burst) {
    skewed_size(random);
    const std::uint32_t count = random.between(1, 60);
    for (std::uint32_t at = 0; at < count; ++at) random.below(kPlaces);
    blocks += count;
  }
  return 2 * blocks;
}

Outcome bursts(unsigned threads, double share) {
  g_bursts = static_cast<unsigned>(kBursts * share);
  Outcome outcome = run_threads(threads, bursts_of_one, nullptr);
  for (unsigned number = 0; number < threads; ++number) outcome.calls += calls_of(number);
  return outcome;
}

const Workload listed("bursts", bursts);

}  // namespace
