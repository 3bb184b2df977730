// Large blocks wanted by all threads at once: each thread, for itself, replaces one of eight blocks of 32 KiB to 1 MiB,
// every size class of powers of two as often. No thread cache keeps such blocks, so this is the price of the common heap.

#include "workload.hpp"

namespace {

constexpr unsigned kHeld = 8;
constexpr unsigned kLeastShift = 15, kMostShift = 20;
constexpr unsigned kReplaced = 300'000;
constexpr unsigned kReplacedChecked = 3000;  // each byte of them is written and read

unsigned g_replaced;

Block new_block(Random &random) {
  const std::uint32_t least = 1u << random.between(kLeastShift, kMostShift - 1);
  return allocate_block(least + random.below(least), random.next());
}

std::uint64_t replace_large(void *, unsigned number) {
  Random random(number + 1);
  Block held[kHeld];
  std::uint64_t sum = 0;
  for (unsigned left = g_replaced; left > 0; --left) {
    Block &block = held[random.below(kHeld)];
    sum += free_block(block);
    block = new_block(random);
  }
  for (const Block &block : held) sum += free_block(block);
  return sum;
}

Outcome large(unsigned threads, double share) {
  g_replaced = static_cast<unsigned>((kCheck ? kReplacedChecked : kReplaced) * share);
  Outcome outcome = run_threads(threads, replace_large, nullptr);
  outcome.calls = 2ull * threads * g_replaced;
  return outcome;
}

const Workload listed("large", large);

}  // namespace
