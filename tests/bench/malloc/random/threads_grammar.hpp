// What a program of several threads has beside a program for each of them: how the work is shared, how long threads
// live, and how blocks pass from one to another.
#pragma once

#include <cstdint>

#include "draw.hpp"
#include "text.hpp"

enum class Share : std::uint8_t { even, uneven, count };  // uneven: thread 0 does 70 % of the work
inline constexpr const char *kShareNames[] = {"even", "uneven"};
static_assert(sizeof kShareNames / sizeof *kShareNames == static_cast<unsigned>(Share::count));

enum class Lives : std::uint8_t {
  together,   // all begin at once and live until their program ends
  in_turn,    // each phase of a program is run by a thread of its own, which begins as the one before it ends
  staggered,  // thread n + 1 begins when thread n has run its first phase
  count,
};
inline constexpr const char *kLivesNames[] = {"together", "a thread for each phase", "staggered"};
static_assert(sizeof kLivesNames / sizeof *kLivesNames == static_cast<unsigned>(Lives::count));

enum class Way : std::uint8_t { none, to_next, from_first, to_first, to_all, count };
inline constexpr const char *kWayNames[] = {"none", "to the next", "from the first to all others", "to the first",
                                            "to each in turn"};
static_assert(sizeof kWayNames / sizeof *kWayNames == static_cast<unsigned>(Way::count));

struct Threads {
  std::uint32_t count;
  Share share;
  Lives lives;
  Way way;
  std::uint32_t percent;  // of the blocks of a sender's phases
  std::uint32_t burst;    // how many are handed over at once
  std::uint32_t held;     // how many a receiver leaves live; the oldest go
};

Threads draw_threads(std::uint32_t seed, std::uint32_t count);

/// How much of the work of one program thread `number` does, in percent: 150 in all.
std::uint32_t work_percent(const Threads &threads, std::uint32_t number);

void describe_threads(Text &text, const Threads &threads);
void list_thread_productions(Text &text);
