// Which thread is calling: numbers 1, 2, ... in the order of first calls; never used twice. 1 in builds without threads,
// but for the numbers that deterministic tests and stories play.
#pragma once

#include "base/bits.hpp"
#include "platform/spin_lock.hpp"

namespace heapglass {

#if HG_THREADS
extern thread_local std::uint32_t t_thread_number;  // 0: no call yet
std::uint32_t begin_thread();

inline std::uint32_t thread_number() {
  const std::uint32_t number = t_thread_number;
  return number != 0 ? number : begin_thread();
}
#else
extern std::uint32_t g_played_thread;

inline constexpr std::uint32_t kPlayedThreads = 16;  // numbers from 1
inline std::uint32_t thread_number() { return g_played_thread; }
inline void play_thread_number(std::uint32_t number) { g_played_thread = number; }
#endif

}  // namespace heapglass
