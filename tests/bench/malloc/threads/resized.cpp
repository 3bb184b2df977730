// t-test1-like: each thread, for itself, keeps a table of 1500 blocks of 1 to 10,000 bytes, small ones more often. Each step frees a
// block and allocates another one (malloc, calloc, and aligned to 64 bytes now and then), or resizes one.

#include <cstring>

#include "workload.hpp"

namespace {

constexpr unsigned kPlaces = 1500;
constexpr unsigned kSteps = 500'000;

Block g_places[kMaxThreads][kPlaces];
unsigned g_steps;

/// 1 to 10,000, by the square of an even distribution.
std::uint32_t any_size(Random &random) {
  const double even = random.below(1'000'000) / 1e6;
  return static_cast<std::uint32_t>(4 + 9996 * even * even);
}

Block tagged(void *mem, std::uint32_t size, std::uint32_t tag) {
  if (mem == nullptr) fail("out of memory");
  auto *const bytes = static_cast<unsigned char *>(mem);
  if constexpr (kCheck) {
    for (std::uint32_t at = sizeof tag; at < size; ++at) bytes[at] = pattern_at(tag, at);
  } else {
    bytes[size - 1] = static_cast<unsigned char>(tag);
  }
  std::memcpy(bytes, &tag, sizeof tag);
  return {bytes, size};
}

std::uint64_t resize_one(void *, unsigned number) {
  Block *const places = g_places[number];
  Random random(number + 1);
  std::uint64_t sum = 0;
  for (std::uint32_t step = 0; step < g_steps; ++step) {
    Block &place = places[random.below(kPlaces)];
    const std::uint32_t how = random.below(16), size = any_size(random);
    if (how < 3 && place.mem != nullptr) {
      place = tagged(std::realloc(place.mem, size), size, step);
      continue;
    }
    sum += free_block(place);
    if (how == 15) place = tagged(std::aligned_alloc(64, (size + 63) / 64 * 64), size, step);
    else if (how == 14) place = tagged(std::calloc(1, size), size, step);
    else place = allocate_block(size, step);
  }
  for (unsigned at = 0; at < kPlaces; ++at) {
    sum += free_block(places[at]);
    places[at] = {};
  }
  return sum;
}

Outcome resized(unsigned threads, double share) {
  g_steps = static_cast<unsigned>(kSteps * share);
  Outcome outcome = run_threads(threads, resize_one, nullptr);
  outcome.calls = std::uint64_t{2} * g_steps * threads;
  return outcome;
}

const Workload listed("resized", resized);

}  // namespace
