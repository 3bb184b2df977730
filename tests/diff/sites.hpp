// Call sites that a program writes itself, into the ring it records into: what a tool that instruments modules does.
//
//   CALL(f(x))   in g at line 12   pushes the frame "g@program.cpp:12", calls, pops; allocate() writes the stack's site
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "trace/probes.hpp"

namespace sites {

inline constexpr std::uint32_t kMost = 512;
struct Site {
  std::uint32_t parent;
  const char *function;
  int line;
};
inline Site g_sites[kMost];  // number - 1
inline std::uint32_t g_count = 0;
inline std::uint32_t g_stack[64];
inline std::uint32_t g_depth = 0;

inline void write_text(const char *text) {
  for (std::size_t left = std::strlen(text); left > 0;) {
    const std::uint32_t part = left < 12 ? static_cast<std::uint32_t>(left) : 12;
    std::uint32_t words[3] = {};
    std::memcpy(words, text, part);
    HG_PROBE(text, 0, part, words[0], words[1], words[2]);
    text += part;
    left -= part;
  }
}

inline std::uint32_t define(std::uint32_t parent, const char *function, int line) {
  for (std::uint32_t i = 0; i < g_count; ++i) {
    if (g_sites[i].parent == parent && g_sites[i].function == function && g_sites[i].line == line) return i + 1;
  }
  if (g_count == kMost) std::abort();
  g_sites[g_count++] = {parent, function, line};
  char frame[128];
  std::snprintf(frame, sizeof frame, "%s@program.cpp:%d", function, line);
  write_text(frame);
  HG_PROBE(string_defined, 0, 0, g_count, 0, 0);  // a string a site
  HG_PROBE(site_defined, 0, 0, g_count, parent, g_count);
  return g_count;
}

inline void push(const char *function, int line) {
  const std::uint32_t parent = g_depth == 0 ? 0 : g_stack[g_depth - 1];
  g_stack[g_depth++] = define(parent, function, line);
}

template <class T>
T pop(T result) {
  --g_depth;
  return result;
}

inline void *allocate(std::size_t bytes) {
  HG_PROBE(site_entered, 0, 0, g_stack[g_depth - 1], 0, 0);
  void *mem = std::malloc(bytes);
  __asm__ volatile("" : "+r"(mem));  // else a compiler leaves out what is freed unread
  return mem;
}

}  // namespace sites

#define LINE (__LINE__ > 40 ? __LINE__ + SHIFT : __LINE__)
#define CALL(...) (sites::push(__func__, LINE), sites::pop(__VA_ARGS__))
