// What the workloads with threads share: their list, threads that begin together, random numbers, and blocks that carry
// a tag.
//
//   W1  The work is fixed: the same calls whatever the allocator and however long they take. What a thread does follows
//       from its number and from seeds, never from who was first.
//   W2  Each block carries a tag in its first word, and is written at its last byte. The sum of the tags and sizes of all
//       blocks freed is the checksum: equal for every allocator, or a block was lost or damaged.
//   W3  Compiled with BENCH_CHECK, all bytes of a block follow from its tag and are verified before it is freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

inline constexpr unsigned kMaxThreads = 4;  // each has a static table in most workloads

struct Outcome {
  double ms = 0;               // from the first thread's begin to the last one's end
  std::uint64_t checksum = 0;  // W2
  std::uint64_t calls = 0;     // of malloc and free together
  std::size_t early = 0;       // heap bytes after a quarter of the work; 0 where it is not asked
};

struct Workload {
  const char *name;
  Outcome (*run)(unsigned threads, double share);  // share of the full work, 1 when measured
  const Workload *next;
  static inline const Workload *first = nullptr;

  Workload(const char *name, Outcome (*run)(unsigned, double)) : name(name), run(run), next(first) { first = this; }
};

/// Calls body(context, number) on `threads` threads that begin together; `checksum` of the outcome is the sum of what
/// they return. Without -pthread there is one, the caller.
Outcome run_threads(unsigned threads, std::uint64_t (*body)(void *context, unsigned number), void *context);

double now_ms();

/// Linear memory from __heap_base on: it never shrinks, so at the end it is the peak.
std::size_t heap_bytes();
/// What the allocator took of it: up to the break.
std::size_t taken_bytes();

[[noreturn]] inline void fail(const char *what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

/// A linear congruential generator, of which the upper half is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) { next(); }
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 32);
  }
  /// 0 .. bound - 1
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(next()) * bound) >> 32);
  }
  std::uint32_t between(std::uint32_t least, std::uint32_t most) { return least + below(most - least + 1); }

 private:
  std::uint64_t state_;
};

#if defined(BENCH_CHECK)
inline constexpr bool kCheck = true;
#else
inline constexpr bool kCheck = false;
#endif

/// A block and what was asked for. Blocks smaller than a word carry a tag of one byte.
struct Block {
  unsigned char *mem = nullptr;
  std::uint32_t size = 0;
};

inline std::uint32_t shown_tag(std::uint32_t size, std::uint32_t tag) { return size < sizeof tag ? tag & 0xff : tag; }

inline unsigned char pattern_at(std::uint32_t tag, std::uint32_t at) {
  return static_cast<unsigned char>((tag + at) * 167u >> 3);
}

inline Block allocate_block(std::uint32_t size, std::uint32_t tag) {
  auto *const mem = static_cast<unsigned char *>(std::malloc(size));
  if (mem == nullptr) fail("out of memory");
  const std::uint32_t shown = shown_tag(size, tag);
  const std::uint32_t head = size < sizeof tag ? 1 : sizeof tag;
  if constexpr (kCheck) {
    if (reinterpret_cast<std::uintptr_t>(mem) % alignof(std::max_align_t) != 0 && size >= alignof(std::max_align_t)) {
      fail("a block is not aligned");
    }
    for (std::uint32_t at = head; at < size; ++at) mem[at] = pattern_at(shown, at);
  } else if (size > head) {
    mem[size - 1] = static_cast<unsigned char>(shown);
  }
  if (size < sizeof tag) {
    mem[0] = static_cast<unsigned char>(shown);
  } else {
    *reinterpret_cast<std::uint32_t *>(mem) = shown;
  }
  return {mem, size};
}

/// Frees the block; its share of the checksum.
inline std::uint64_t free_block(Block block) {
  if (block.mem == nullptr) return 0;
  const bool tiny = block.size < sizeof(std::uint32_t);
  const std::uint32_t tag = tiny ? block.mem[0] : *reinterpret_cast<std::uint32_t *>(block.mem);
  if constexpr (kCheck) {
    for (std::uint32_t at = tiny ? 1 : sizeof tag; at < block.size; ++at) {
      if (block.mem[at] != pattern_at(tag, at)) fail("a block was damaged");
    }
  }
  std::free(block.mem);
  return static_cast<std::uint64_t>(tag) + block.size;
}
