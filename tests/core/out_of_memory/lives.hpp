// Lives on fresh memory, the k-th growth of which is refused. Each is lived in a process of its own, because linear memory
// never shrinks: only a process whose page source has not grown yet grows as often as the first. Whatever is refused, the events
// have an end for each operation that begins.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "heap/event_recording.hpp"
#include "platform/page_source.hpp"

namespace out_of_memory_tests {

constexpr size_t kForever = ~static_cast<size_t>(0);

struct Outcome {
  bool refused = false;  // some call was refused
  std::string wrong;
};

// Lives with `count` growths refused from the k-th on; k 0: none.
using Live = Outcome (*)(size_t k, size_t count);

// 0: all went well and nothing was refused, 1: all went well and a call was refused, 2: wrong.
inline int in_child(Live live, size_t k, size_t count) {
  fflush(stdout);
  fflush(stderr);
  const pid_t child = fork();
  if (child == 0) {
    heapglass_test::EventRecording::begin();
    Outcome outcome = live(k, count);
    if (outcome.wrong.empty()) outcome.wrong = heapglass_test::broken_frame(heapglass_test::EventRecording::read());
    if (!outcome.wrong.empty()) fprintf(stderr, "growth %zu refused (%zu times): %s\n", k, count, outcome.wrong.c_str());
    _exit(!outcome.wrong.empty() ? 2 : outcome.refused ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "growth " << k << ": the child died";
  return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

inline size_t growths_of(Live live) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const size_t before = heapglass::growths_asked();
    live(0, 0);
    const size_t growths = heapglass::growths_asked() - before;
    _exit(write(ends[1], &growths, sizeof growths) == sizeof growths ? 0 : 1);
  }
  size_t growths = 0;
  EXPECT_EQ(read(ends[0], &growths, sizeof growths), static_cast<ssize_t>(sizeof growths));
  close(ends[0]);
  close(ends[1]);
  waitpid(child, nullptr, 0);
  return growths;
}

}  // namespace out_of_memory_tests
