// Brings the heap into the state that other work leaves: a mixed churn of 16 to 4,096 bytes with 5 to 20 MiB live at
// its peak, of which 90 to 99 % are freed at random. The others stay until the process ends, as the first work's do.
#pragma once

#include <cstdlib>

#include "draw.hpp"

[[noreturn]] void fail(const char *what);

struct UsedHeap {
  static constexpr std::uint32_t kMostBlocks = 1 << 17;
  std::uint32_t *blocks[kMostBlocks];
  std::uint32_t count;
};

inline std::uint32_t *take_used(Draw &draw, std::uint32_t *bytes) {
  const std::uint32_t size = draw.log_uniform(16, 4096);
  auto *const mem = static_cast<std::uint32_t *>(std::malloc(size));
  if (mem == nullptr) fail("memory ran out");
  *mem = size;
  *bytes += size;
  return mem;
}

inline constexpr std::uint32_t kUseStream = 0x75736564, kReleaseStream = 0x72656c65;

/// Up to the peak. One of `threads` that each do their part.
inline void use_heap(UsedHeap &used, std::uint32_t seed, std::uint32_t threads) {
  Draw draw(seed, kUseStream);
  const std::uint32_t goal = draw.between(5 << 20, 20 << 20) / threads;
  std::uint32_t bytes = 0;
  while (bytes < goal && used.count < UsedHeap::kMostBlocks) used.blocks[used.count++] = take_used(draw, &bytes);
  for (std::uint32_t i = 0; i < used.count; ++i) {  // the churn: as many again, each in a random one's place
    std::uint32_t *&block = used.blocks[draw.below(used.count)];
    std::free(block);
    block = take_used(draw, &bytes);
  }
}

inline void release_used(UsedHeap &used, std::uint32_t seed) {
  Draw draw(seed, kReleaseStream);
  const std::uint32_t freed_percent = draw.between(90, 99);
  for (std::uint32_t left = used.count / 100 * freed_percent; left > 0; --left) {
    std::uint32_t *&block = used.blocks[draw.below(used.count)];
    std::free(block);
    block = used.blocks[--used.count];
  }
}
