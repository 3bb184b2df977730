// Failures, in three grades:
//
//   HG_REQUIRE(condition, kind, address, detail, found...)  misuse by the caller
//   HG_ASSERT(condition, text)                              a bug of ours, on paths that run often
//   HG_ASSERT_SLOW(condition, text)                         a bug of ours, found by a proof that reads the whole heap; used
//                                                           only in rare operations
//
// Only the checked build has them. In other builds they are empty and do not evaluate their arguments.
//
// All three call fail(). It writes what was found, and where, into a static buffer; calls the failure hook or prints the
// text; and traps. Nothing here allocates. Out of memory is not a failure but a status, which every build tests.
//
// Without a hook the text goes to standard error, natively and in the malloc of a wasm program. A wasm library prints
// nothing, so it needs no import for printing; its host reads failure_text().
//
// With threads:
//  failure.T1  A thread may hold locks while it prints or calls a hook. In wasm the main thread does the printing for a worker. It may
//              itself be waiting for one of these locks, so it prints the line while it waits. Emscripten may call
//              malloc for that: heap/locked.hpp.
//  failure.T2  A thread that has failed keeps its locks. A thread that waits for one of them traps, too.
//  failure.T3  In hardened builds for threads a thread that prints its failure passes the locks that it holds: to print, Emscripten calls
//              malloc. If that fails too, it traps at once.
//  failure.T4  In hardened builds for threads a thread writes the line by itself, to the console. What Emscripten asks the main thread for takes locks of
//              Emscripten's, under which it calls malloc: a failure found there would wait for itself. And while the main thread cleans up after
//              another one, it serves nobody (3.1.6).
// The waiting thread implements these rules: platform/spin_lock.cpp.
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

// `found` is a header or a link to show in hexadecimal; detail may be nullptr. This function is inline so that a build contains
// only the texts that it can print. The hardened build omits the detail to stay small.
[[noreturn, gnu::always_inline]] inline void fail(FailureKind kind, const void *address, const char *detail, Word found = 0) {
  fail_with(text_of(kind), kind, address, kHardened ? nullptr : detail, kHardened ? 0 : found);
}

#if defined(__wasm__)
inline constexpr bool kReportsFailures = kIsMalloc;
#else
inline constexpr bool kReportsFailures = true;
#endif
// Writes one whole line: platform/native_standard_error.cpp, abi/libc_looks.cpp. Defined where kReportsFailures is true.
void write_standard_error(const char *text, Word bytes);
#if defined(__wasm__) && HG_THREADS && HG_HARDENED
inline constexpr bool kWritesToConsole = kReportsFailures;
#else
inline constexpr bool kWritesToConsole = false;
#endif
void write_console(const char *line);  // failure.T4: abi/libc_looks.cpp, where kWritesToConsole is true

inline std::uint32_t g_reporting = 0;     // threads that print or call a hook now (failure.T1)
inline std::uint32_t g_has_failed = 0;  // 1: a thread has failed (failure.T2)

#if HG_THREADS && HG_HARDENED
#if defined(__wasm__)
inline const void *own_objects() { return __builtin_wasm_tls_base(); }
#else
inline thread_local char t_own_object;
inline const void *own_objects() { return &t_own_object; }
#endif
inline const void *g_failing_thread = nullptr;  // the own objects of the thread that prints its failure (failure.T3)
inline bool is_failing() {
  const void *const thread = own_objects();
  return thread != nullptr && __atomic_load_n(&g_failing_thread, __ATOMIC_RELAXED) == thread;
}
inline void begin_failing() { __atomic_store_n(&g_failing_thread, own_objects(), __ATOMIC_RELAXED); }
#else
constexpr bool is_failing() { return false; }
inline void begin_failing() {}
#endif

// The scope in which a thread, which may hold locks, prints or calls a hook.
class Reporting {
 public:
  Reporting() { __atomic_add_fetch(&g_reporting, 1u, __ATOMIC_SEQ_CST); }
  ~Reporting() { __atomic_sub_fetch(&g_reporting, 1u, __ATOMIC_SEQ_CST); }
  Reporting(const Reporting &) = delete;
  Reporting &operator=(const Reporting &) = delete;
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
