// Who runs a program: its tables, and the calls it makes.
//
//   W1  The tables are static (limits.hpp): a worker calls the allocator only for its program.
//   W2  A block is verified before it is freed and around each realloc (block.hpp); one of calloc is verified to be 0
//       at both ends and in the middle.
//   W3  The checksum is the sum of what was read before each free. It depends on no address and on no order.
//   W4  What a step does depends on the program and the worker's own random numbers alone.
#pragma once

#include <malloc.h>

#include <cstdint>
#include <cstdlib>

#include "block.hpp"
#include "grammar.hpp"

/// The running state of a side. Which of it counts depends on the kind.
struct SideState {
  Block items[kMostItems];            // vectors, strings
  std::uint32_t lengths[kMostItems];  // strings
  Node *first[kMostStructures], *last[kMostStructures];
  Node **buckets[kMostStructures];  // tables
  std::uint32_t counts[kMostStructures], capacities[kMostStructures];
  Node *open[kMostStructures][kMostDepth];  // trees: the way to the node that gets children
  std::uint32_t depth[kMostStructures];
};

struct Courier;  // exchange.hpp

/// Where a block lies: nothing but where two builds of one allocator are compared (addresses.cpp).
#if defined(BENCH_ADDRESSES)
void note_address(const void *mem);
#else
inline void note_address(const void *) {}
#endif

struct Worker {
  Program program;
  const Phase *phase;
  Random random;
  std::uint32_t sum, tags;           // of thread n, tags begin with n << 28
  std::uint32_t size_run, run_size;  // how many more requests take the same size
  std::uint64_t live, peak;
  Ring<kMostBlocks> blocks, old;
  Ring<kMostKept> kept;
  SideState sides[Phase::kMostSides];
  Courier *courier;                            // with threads: what leaves for others and comes from them
  void (*phase_begins)(std::uint32_t number);  // for traces; null without

  std::uint32_t below(std::uint32_t limit) { return random_below(&random, limit); }
  std::uint32_t next_size();
  Block take(std::uint32_t size);
  void give(const Block &block);
  void *take_zeroed(std::uint32_t size);             // calloc, outside the phase's laws
  void give_written(void *mem, std::uint32_t size);  // of a block whose words the program has overwritten
  void resize(Block &block, std::uint32_t size, bool copies);
  void keep(const Block &block);

 private:
  void *obtain(std::uint32_t size);
  void count(std::int64_t bytes) {
    live += static_cast<std::uint64_t>(bytes);
    if (live > peak) peak = live;
  }
};

inline std::uint32_t Worker::next_size() {
  if (size_run == 0) {
    size_run = phase->sizes.run;
    run_size = phase->sizes.table[random_next(&random) >> 20];
  }
  --size_run;
  return run_size;
}

inline void *Worker::obtain(std::uint32_t size) {
  if (phase->calloc_percent > 0 && below(100) < phase->calloc_percent) {
    auto *const mem = static_cast<unsigned char *>(std::calloc(1, size));
    if (mem != nullptr && (mem[0] | mem[size / 2] | mem[size - 1]) != 0) fail("calloc: a block is not 0");
    return mem;
  }
  if (phase->aligned_percent > 0 && below(100) < phase->aligned_percent) {
    std::uint32_t alignment = 16;
    while (alignment < phase->most_aligned && below(2) != 0) alignment *= 2;
    void *const mem = memalign(alignment, size);
    if ((reinterpret_cast<std::uintptr_t>(mem) & (alignment - 1)) != 0) fail("a block is not aligned");
    return mem;
  }
  return std::malloc(size);
}

inline Block Worker::take(std::uint32_t size) {
  auto *const mem = static_cast<unsigned char *>(obtain(size));
  if (mem == nullptr) fail("memory ran out");
  note_address(mem);
  const Block block{mem, size, ++tags * 0x9e3779b1u};
  if (phase->touch == Touch::all) write_bytes(mem, block.tag, size);
  if (phase->touch == Touch::first_64) write_bytes(mem, block.tag, size < 64 ? size : 64);
  write_ends(block);
  count(size);
  return block;
}

inline void Worker::give(const Block &block) {
  verify(block);
  sum += block.size < 8 ? block.mem[0] : *reinterpret_cast<std::uint32_t *>(block.mem) ^ block.size;
  count(-static_cast<std::int64_t>(block.size));
  std::free(block.mem);
}

inline void *Worker::take_zeroed(std::uint32_t size) {
  void *const mem = std::calloc(1, size);
  if (mem == nullptr) fail("memory ran out");
  note_address(mem);
  count(size);
  return mem;
}

inline void Worker::give_written(void *mem, std::uint32_t size) {
  sum += size;
  count(-static_cast<std::int64_t>(size));
  std::free(mem);
}

inline void Worker::resize(Block &block, std::uint32_t size, bool copies) {
  verify(block);
  const std::uint32_t common = size < block.size ? size : block.size;
  unsigned char *mem;
  if (copies) {
    mem = static_cast<unsigned char *>(std::malloc(size));
    if (mem != nullptr) {
      copy_bytes(mem, block.mem, common);
      std::free(block.mem);
    }
  } else {
    mem = static_cast<unsigned char *>(std::realloc(block.mem, size));
  }
  if (mem == nullptr) fail("memory ran out");
  note_address(mem);
  count(static_cast<std::int64_t>(size) - block.size);
  if (size >= block.size) {
    verify({mem, block.size, block.tag});
  } else if (mem[0] != static_cast<unsigned char>(block.tag)) {
    fail("realloc: a block was damaged");
  }
  if (phase->touch == Touch::all && size > common) write_bytes(mem + (common & ~3u), block.tag, size - (common & ~3u));
  block = {mem, size, block.tag};
  write_ends(block);
}

/// Keeps a block beyond the phase. Above the program's limit, random ones of those kept go first.
inline void Worker::keep(const Block &block) {
  while (kept.full() || (kept.count > 0 && kept.bytes + block.size > program.most_kept_bytes)) {
    give(kept.remove(below(kept.count)));
  }
  kept.push(block);
}
