// What happens when something is wrong, in three grades:
//
//   HG_REQUIRE(condition, kind, address, detail, found...)  misuse by the caller
//   HG_ASSERT(condition, text)                              our bug, on paths that run often
//   HG_ASSERT_SLOW(condition, text)                         our bug, found by a proof that reads the whole heap: only
//                                                           in operations that are rare
//
// They exist in the checked build; elsewhere they are nothing and their arguments are not evaluated.
//
// All end in fail(): it writes a text naming what was found and where into a static buffer, calls the failure hook or
// prints the text, and traps. Nothing here allocates. Out of memory is no failure: it is a status, tested in every build.
//
// Without a hook the text goes to standard error where there is one: natively, and in the malloc of a wasm program. A
// wasm module that is a library prints nothing, so that it needs no import for it: its host reads failure_text().
//
// With threads:
//  failure.T1  A text is told while its thread holds locks. In wasm a worker's line, and whatever a hook prints, is written by the
//              main thread, which may be waiting for one of these locks: it serves the line meanwhile. Emscripten
//              may call malloc on the way: heap/locked.hpp.
//  failure.T2  A thread that has failed keeps its locks. Who waits for a lock after that traps, too.
// Both are the work of a waiting thread: platform/spin_lock.cpp.
#pragma once

#include <heapglass/heapglass.h>

#include "base/address.hpp"
#include "base/build.hpp"

namespace heapglass {

enum FailureKind : std::uint32_t {
#define HG_ENUM(number, name, text) kFailure_##name = number,
  HG_FAILURES(HG_ENUM)
#undef HG_ENUM
};

constexpr const char *text_of(FailureKind kind) {
  switch (kind) {
#define HG_CASE(number, name, text) \
  case kFailure_##name:             \
    return text;
    HG_FAILURES(HG_CASE)
#undef HG_CASE
  }
  __builtin_unreachable();
}

[[noreturn]] void fail_with(const char *text, std::uint32_t kind, const void *address, const char *detail, Word found);

// `found` is a word worth showing (a header, a link), printed in hexadecimal; detail may be nullptr. The text is chosen here, so
// that a build holds only those that it may write. A hardened build, which is to be small, leaves out the detail.
[[noreturn, gnu::always_inline]] inline void fail(FailureKind kind, const void *address, const char *detail, Word found = 0) {
  fail_with(text_of(kind), kind, address, kHardened ? nullptr : detail, kHardened ? 0 : found);
}

#if defined(__wasm__)
inline constexpr bool kTellsFailures = kIsMalloc;
#else
inline constexpr bool kTellsFailures = true;
#endif
// One plain write, of a whole line: platform/native_standard_error.cpp, abi/libc_looks.cpp. Where kTellsFailures is true.
void write_standard_error(const char *text, Word bytes);

inline std::uint32_t g_telling = 0;     // threads that tell something now (failure.T1)
inline std::uint32_t g_has_failed = 0;  // 1: a thread has told why it ends (failure.T2)

// Something is told, by a thread that may hold locks.
class Telling {
 public:
  Telling() { __atomic_add_fetch(&g_telling, 1u, __ATOMIC_SEQ_CST); }
  ~Telling() { __atomic_sub_fetch(&g_telling, 1u, __ATOMIC_SEQ_CST); }
  Telling(const Telling &) = delete;
  Telling &operator=(const Telling &) = delete;
};

void set_failure_hook(hg_failure_hook hook);
const char *failure_text();

// Writes `text`, then " at 0x<offset>", then (detail) " (<detail> 0x<found>)" into a buffer, and returns
// its length. Also used by check().
Word write_report(char *buffer, Word capacity, const char *text, const void *address, const char *detail, Word found);

}  // namespace heapglass

#if HG_CHECKED
#define HG_REQUIRE(condition, kind, address, ...) \
  ((condition) ? (void)0 : ::heapglass::fail(::heapglass::kFailure_##kind, (address), __VA_ARGS__))
#define HG_ASSERT(condition, text) \
  ((condition) ? (void)0 : ::heapglass::fail(::heapglass::kFailure_broken_invariant, nullptr, (text)))
#else
#define HG_REQUIRE(condition, kind, address, ...) ((void)0)
#define HG_ASSERT(condition, text) ((void)0)
#endif
#define HG_ASSERT_SLOW(condition, text) HG_ASSERT(condition, text)
