// Random programs on one thread: what the loader calls, in this order.
//
//   bench_random_draw(seed, percent)   draws the program; not timed
//   bench_random_use(seed)             only for used heaps; not timed
//   bench_random_run()                 runs it; the checksum. Timed
//
// A trap is a failure: bench_random_failure() then says which.
#include "describe.hpp"
#include "run_program.hpp"
#include "threads_grammar.hpp"
#include "used_heap.hpp"

#define EXPORT extern "C" __attribute__((used, visibility("default")))

namespace {

constexpr std::uint32_t kRunStream = 0x72756e;

Worker worker;
UsedHeap used;
Text text;
const char *failure = "";

}  // namespace

#if defined(BENCH_TRACE)
extern "C" void trace_phase(std::uint32_t number);  // trace_hooks.cpp
#endif

void fail(const char *what) {
  failure = what;
  __builtin_trap();
}

EXPORT void bench_random_draw(std::uint32_t seed, std::uint32_t percent) {
  draw_program(worker.program, seed, {0, percent, percent});
  worker.random = {mixed(seed, kRunStream)};
#if defined(BENCH_TRACE)
  worker.phase_begins = trace_phase;
#endif
}

EXPORT void bench_random_use(std::uint32_t seed) {
  use_heap(used, seed, 1);
  release_used(used, seed);
}

EXPORT std::uint32_t bench_random_run() {
  run_program(worker);
  return worker.sum;
}

/// The peak of live bytes as requested, without those of the used heap.
EXPORT double bench_random_peak() { return static_cast<double>(worker.peak); }

EXPORT const char *bench_random_failure() { return failure; }

EXPORT const char *bench_random_describe() {
  text.clear();
  describe_program(text, worker.program);
  return text.begin();
}

/// What the seed's programs of several threads have beside a program for each (threads_grammar.hpp).
EXPORT const char *bench_random_describe_threads(std::uint32_t threads) {
  text.clear();
  describe_threads(text, draw_threads(worker.program.seed, threads));
  return text.begin();
}

EXPORT const char *bench_random_productions() {
  text.clear();
  list_productions(text);
  list_thread_productions(text);
  return text.begin();
}
