// Catches what the checked build finds: the failure hook jumps back into the test instead of letting the program trap.
//
//   Caught caught = catch_failure([&] { hg_heap_deallocate(heap, mem); });
//   EXPECT_EQ(caught.kind, HG_FAILURE_double_free);
//
// After a failure the heap is in the middle of an operation: the test throws it away and looks at nothing in it.
#pragma once

#include <heapglass/heapglass.h>

#include <csetjmp>
#include <cstdint>
#include <string>

namespace checked_tests {

enum Failure : uint32_t {
  kNothing = 0,
#define HG_ENUM(number, name, text) k_##name = number,
  HG_FAILURES(HG_ENUM)
#undef HG_ENUM
};

inline const char *text_of(uint32_t kind) {
  switch (kind) {
#define HG_CASE(number, name, text) \
  case number:                      \
    return text;
    HG_FAILURES(HG_CASE)
#undef HG_CASE
    default:
      return "nothing";
  }
}

struct Caught {
  uint32_t kind = kNothing;
  const void *address = nullptr;
  std::string text;
};

inline std::jmp_buf g_back;
inline uint32_t g_kind;
inline const void *g_address;

// kind 0 when nothing was found.
template <class Function>
Caught catch_failure(Function function) {
  g_kind = kNothing;
  hg_set_failure_hook([](uint32_t kind, const void *address, const char *) {
    g_kind = kind;
    g_address = address;
    std::longjmp(g_back, 1);
  });
  if (setjmp(g_back) == 0) function();
  hg_set_failure_hook(nullptr);
  if (g_kind == kNothing) return {};
  return {g_kind, g_address, hg_failure_text()};
}

}  // namespace checked_tests
