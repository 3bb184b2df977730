// A block, what is written in it, and the tables of blocks.
//
//   B1  A block of 8 bytes and more carries its tag in the first word and the tag's complement in the last one; a
//       smaller block one byte of the tag. verify() stops the program when they are not there.
//   B2  A table is a ring: it gives its oldest block, its newest one, or any other one in constant time.
#pragma once

#include <cstdint>
#include <cstring>

#include "limits.hpp"

[[noreturn]] void fail(const char *what);

/// Writes and copies word by word in programs with threads: on Node 20 memory.fill and memory.copy may fail in memory
/// that another thread has just grown, because V8 tells a running thread late of the growth.
#if defined(BENCH_THREADS)
#define AS_LOOP __attribute__((no_builtin, noinline)) inline
AS_LOOP void write_bytes(unsigned char *mem, std::uint32_t tag, std::uint32_t size) {
  auto *const words = reinterpret_cast<std::uint32_t *>(mem);
  for (std::uint32_t i = 0; i < size / 4; ++i) words[i] = tag;
}
AS_LOOP void copy_bytes(unsigned char *to, const unsigned char *from, std::uint32_t size) {
  std::uint32_t i = 0;
  for (; i + 4 <= size; i += 4) {
    *reinterpret_cast<std::uint32_t *>(to + i) = *reinterpret_cast<const std::uint32_t *>(from + i);
  }
  for (; i < size; ++i) to[i] = from[i];
}
#else
inline void write_bytes(unsigned char *mem, std::uint32_t tag, std::uint32_t size) {
  std::memset(mem, static_cast<int>(tag & 0xff), size);
}
inline void copy_bytes(unsigned char *to, const unsigned char *from, std::uint32_t size) {
  std::memcpy(to, from, size);
}
#endif

struct Block {
  unsigned char *mem;
  std::uint32_t size, tag;
};

/// Blocks in the order they came: a ring of a power of two.
template <std::uint32_t capacity>
struct Ring {
  static_assert((capacity & (capacity - 1)) == 0);
  Block slots[capacity];
  std::uint32_t head, count, bytes;

  Block &at(std::uint32_t i) { return slots[(head + i) & (capacity - 1)]; }
  bool full() const { return count == capacity; }
  void push(const Block &block) {
    at(count++) = block;
    bytes += block.size;
  }
  Block pop_newest() {
    const Block block = at(--count);
    bytes -= block.size;
    return block;
  }
  Block pop_oldest() {
    const Block block = at(0);
    ++head, --count;
    bytes -= block.size;
    return block;
  }
  /// The newest takes its place.
  Block remove(std::uint32_t i) {
    const Block block = at(i);
    at(i) = at(count - 1);
    --count;
    bytes -= block.size;
    return block;
  }
};

inline void write_ends(const Block &block) {
  if (block.size < 8) {
    block.mem[0] = static_cast<unsigned char>(block.tag);
    return;
  }
  const std::uint32_t other = ~block.tag;
  std::memcpy(block.mem, &block.tag, 4);
  std::memcpy(block.mem + block.size - 4, &other, 4);
}

inline void verify(const Block &block) {
  std::uint32_t first = block.tag, last = ~block.tag;
  if (block.size < 8) {
    if (block.mem[0] != static_cast<unsigned char>(block.tag)) fail("a small block was damaged");
    return;
  }
  std::memcpy(&first, block.mem, 4);
  std::memcpy(&last, block.mem + block.size - 4, 4);
  if (first != block.tag || last != ~block.tag) fail("a block was damaged");
}

struct Node {
  Node *next;
  union {
    Node *child;         // trees: the first one
    std::uint32_t size;  // all others: of the node's own block
  };
  Block *payload;  // a block that begins with its own Block; null without
  std::uint32_t value;
};
static_assert(sizeof(Node) == kLeastNode);
