// Threads that begin together. See workload.hpp.

#include <algorithm>
#include <chrono>

#include "workload.hpp"

#if defined(__EMSCRIPTEN_PTHREADS__)
#include <pthread.h>
#endif

extern "C" char __heap_base;
extern "C" void *sbrk(std::intptr_t);

double now_ms() {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  return Milliseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::size_t heap_bytes() {
  return __builtin_wasm_memory_size(0) * 65536 - reinterpret_cast<std::uintptr_t>(&__heap_base);
}

std::size_t taken_bytes() {
  return reinterpret_cast<std::uintptr_t>(sbrk(0)) - reinterpret_cast<std::uintptr_t>(&__heap_base);
}

#if defined(__EMSCRIPTEN_PTHREADS__)

namespace {

struct Runner {
  pthread_t thread;
  pthread_barrier_t *begin;
  std::uint64_t (*body)(void *, unsigned);
  void *context;
  unsigned number;
  double begun_ms, ended_ms;
  std::uint64_t checksum;
};

void *run_one(void *given) {
  Runner &runner = *static_cast<Runner *>(given);
  pthread_barrier_wait(runner.begin);
  runner.begun_ms = now_ms();
  runner.checksum = runner.body(runner.context, runner.number);
  runner.ended_ms = now_ms();
  return nullptr;
}

}  // namespace

Outcome run_threads(unsigned threads, std::uint64_t (*body)(void *, unsigned), void *context) {
  pthread_barrier_t begin;
  pthread_barrier_init(&begin, nullptr, threads);
  Runner runners[kMaxThreads];
  for (unsigned number = 0; number < threads; ++number) {
    runners[number] = {{}, &begin, body, context, number, 0, 0, 0};
    if (pthread_create(&runners[number].thread, nullptr, run_one, &runners[number]) != 0) fail("no thread");
  }
  Outcome outcome;
  double begun_ms = 0, ended_ms = 0;
  for (unsigned number = 0; number < threads; ++number) {
    const Runner &runner = runners[number];
    pthread_join(runner.thread, nullptr);
    begun_ms = number == 0 ? runner.begun_ms : std::min(begun_ms, runner.begun_ms);
    ended_ms = std::max(ended_ms, runner.ended_ms);
    outcome.checksum += runner.checksum;
  }
  pthread_barrier_destroy(&begin);
  outcome.ms = ended_ms - begun_ms;
  return outcome;
}

#else

Outcome run_threads(unsigned threads, std::uint64_t (*body)(void *, unsigned), void *context) {
  if (threads != 1) fail("this program was made without -pthread");
  Outcome outcome;
  const double begun_ms = now_ms();
  outcome.checksum = body(context, 0);
  outcome.ms = now_ms() - begun_ms;
  return outcome;
}

#endif
