// How large the tables of a worker are. They are static, so that a program's own bookkeeping never calls the allocator.
#pragma once

#include <cstdint>

#if defined(BENCH_THREADS)
inline constexpr bool kThreaded = true;
inline constexpr std::uint32_t kMostBlocks = 1 << 16;   // live in a phase
#else
inline constexpr bool kThreaded = false;
inline constexpr std::uint32_t kMostBlocks = 1 << 18;
#endif
inline constexpr std::uint32_t kMostKept = kMostBlocks / 2;  // kept beyond phases
inline constexpr std::uint32_t kMostThreads = 4;
inline constexpr std::uint32_t kMostInbox = 4096;       // blocks on their way to one thread
inline constexpr std::uint32_t kMostHeld = 4096;        // blocks that came from others and are not yet freed
inline constexpr std::uint32_t kMostBurst = 256;        // blocks handed over at once
inline constexpr std::uint32_t kMostItems = 256;        // vectors or strings of a side
inline constexpr std::uint32_t kMostStructures = 16;    // lists, trees, queues, tables of a side
inline constexpr std::uint32_t kMostDepth = 32;         // of a tree
inline constexpr std::uint32_t kMostResized = 1 << 20;  // bytes of a block that a realloc makes
inline constexpr std::uint32_t kLeastNode = 16;         // four words
