// See threads_grammar.hpp.
#include "threads_grammar.hpp"

#include "limits.hpp"

namespace {
constexpr std::uint32_t kStream = 0x74687264, kWork = 150, kMostPercent = 70;
}

Threads draw_threads(std::uint32_t seed, std::uint32_t count) {
  Draw draw(seed, kStream);
  Threads threads{};
  threads.count = count;
  threads.share = draw.any<Share>();
  threads.lives = draw.any<Lives>();
  threads.way = draw.any<Way>();
  threads.percent = draw.log_uniform(2, 80);
  threads.burst = draw.percent(50) ? 1 : draw.log_uniform(2, kMostBurst);
  threads.held = draw.percent(30) ? 0 : draw.log_uniform(16, kMostHeld);
  return threads;
}

std::uint32_t work_percent(const Threads &threads, std::uint32_t number) {
  if (threads.count == 1) return 100;
  if (threads.share == Share::even) return kWork / threads.count;
  const std::uint32_t first = kWork * kMostPercent / 100;
  return number == 0 ? first : (kWork - first) / (threads.count - 1);
}

void describe_threads(Text &text, const Threads &threads) {
  const auto name = [](const char *const *names, auto choice) { return names[static_cast<unsigned>(choice)]; };
  text << threads.count << " threads; share: " << name(kShareNames, threads.share)
       << "; lives: " << name(kLivesNames, threads.lives) << "; hand-off: " << name(kWayNames, threads.way);
  if (threads.way != Way::none) {
    text << "; " << threads.percent << " % of the blocks, " << threads.burst << " at a time, " << threads.held
         << " held by the receiver";
  }
  text << "\n";
}

void list_thread_productions(Text &text) {
  for (const char *name : kShareNames) text << "share: " << name << "\n";
  for (const char *name : kLivesNames) text << "lives: " << name << "\n";
  for (const char *name : kWayNames) text << "hand-off: " << name << "\n";
}
