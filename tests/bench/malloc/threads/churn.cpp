// Threads that come and go: each generation of threads frees three quarters of what the one before left, works for a
// while, and ends leaving as much to the next. Blocks outlive the threads that allocated them, and so must whatever the
// allocator keeps for a thread: nothing may be lost, and memory must not grow with the number of threads there ever were.
//
//   H1  In generation g thread t inherits the estate of thread (t + 1) mod threads of the one before.
//   H2  `early` of the outcome is the heap after a quarter of the generations; the end's should be near it.

#include <algorithm>

#include "workload.hpp"

namespace {

constexpr unsigned kEstate = 2000;
constexpr unsigned kGenerations = 40;
constexpr unsigned kReplacedPerLife = 20'000;

struct Estate {
  Block blocks[kEstate];
};

Estate g_estates[kMaxThreads];
unsigned g_generation, g_threads;

Block new_block(Random &random) {
  // 8 to 2047 bytes: a power of two, and up to as much again.
  const std::uint32_t least = 8u << random.below(8);
  return allocate_block(least + random.below(least), random.next());
}

std::uint64_t live(void *, unsigned number) {
  Estate &estate = g_estates[(number + g_generation) % g_threads];
  Random random(1 + number + g_generation * kMaxThreads);
  std::uint64_t sum = 0;
  for (Block &block : estate.blocks) {
    if (random.below(4) == 0 && block.mem != nullptr) continue;
    sum += free_block(block);
    block = new_block(random);
  }
  for (unsigned left = kReplacedPerLife; left > 0; --left) {
    Block &block = estate.blocks[random.below(kEstate)];
    sum += free_block(block);
    block = new_block(random);
  }
  return sum;
}

Outcome churn(unsigned threads, double share) {
  g_threads = threads;
  const unsigned generations = std::max(4u, static_cast<unsigned>(kGenerations * share));
  Outcome outcome;
  const double begun_ms = now_ms();  // threads' starts and ends are part of the work
  for (g_generation = 0; g_generation < generations; ++g_generation) {
    outcome.checksum += run_threads(threads, live, nullptr).checksum;
    if (g_generation == generations / 4) outcome.early = heap_bytes();
  }
  outcome.ms = now_ms() - begun_ms;
  for (unsigned number = 0; number < threads; ++number) {
    for (Block &block : g_estates[number].blocks) {
      outcome.checksum += free_block(block);
      block = {};
    }
  }
  outcome.calls = 2ull * threads * generations * kReplacedPerLife;
  return outcome;
}

const Workload listed("churn", churn);

}  // namespace
