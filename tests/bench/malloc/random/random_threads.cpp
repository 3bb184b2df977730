// Random programs on several threads, as a program of its own:
//
//   node random_threads.js <seed> <threads> <percent> <used: 0 or 1>   a line of JSON: ms, checksum, bytes, usedBytes
//   node random_threads.js <seed> <threads> <percent> <used> <file>    a traced program also writes its events there
//   node random_threads.js describe <seed> <threads> <percent>         the programs in words
//   node random_threads.js base                                        where the heap begins
//
//   T1  Each thread draws a program from the seed and its number, and keeps its own tables and random numbers.
//   T2  The checksum is the sum of what all threads verified.
//   T3  A used heap is used by as many threads at once, which have ended before the clock starts.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "describe.hpp"
#include "run_program.hpp"
#include "used_heap.hpp"

extern "C" char __heap_base;
#if defined(BENCH_TRACE)
void write_events(const char *path);  // trace_store.cpp
#endif

namespace {

constexpr std::uint32_t kRunStream = 0x72756e;
constexpr std::uint32_t kTagBits = 28;

/// One of the threads; in turns, several pthreads run it one after the other.
struct Role {
  Worker worker;
  Courier courier;
  UsedHeap used;
  pthread_t threads[Program::kMostPhases];
  std::uint32_t created;  // pthreads so far; written by the one that creates the next, read after that one was joined
  double ended_ms;
};

Role roles[kMostThreads];
Inbox inboxes[kMostThreads];
Threads threads;
std::uint32_t given_seed;
pthread_barrier_t used_up;
Text text;

double now_ms() {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  return Milliseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::size_t heap_bytes() {
  return __builtin_wasm_memory_size(0) * 65536 - reinterpret_cast<std::uintptr_t>(&__heap_base);
}

void begin(Role &role, void *(*body)(void *)) {
  if (pthread_create(&role.threads[role.created++], nullptr, body, &role) != 0) fail("no thread");
}

void end(Role &role) {
  end_program(role.worker);
  close_exchange(role.worker);
  role.ended_ms = now_ms();
}

/// The whole program; when lives are staggered, the next thread begins after the first phase.
void *run_whole(void *given) {
  Role &role = *static_cast<Role *>(given);
  const Program &program = role.worker.program;
  for (std::uint32_t round = 0; round < program.rounds; ++round) {
    for (std::uint32_t i = 0; i < program.phase_count; ++i) {
      run_phases(role.worker, i);
      Role *const next = &role + 1;
      if (threads.lives == Lives::staggered && round == 0 && i == 0 && next < roles + threads.count) {
        begin(*next, run_whole);
      }
    }
  }
  end(role);
  return nullptr;
}

/// One phase, in each round of the program; the next phase is run by the next pthread, which begins before this one
/// ends.
void *run_one_phase(void *given) {
  Role &role = *static_cast<Role *>(given);
  const Program &program = role.worker.program;
  const std::uint32_t phase = role.created - 1;
  for (std::uint32_t round = 0; round < program.rounds; ++round) run_phases(role.worker, phase);
  if (phase + 1 == program.phase_count) end(role);
  else begin(role, run_one_phase);
  return nullptr;
}

void *use_part(void *given) {
  Role &role = *static_cast<Role *>(given);
  const std::uint32_t seed = mixed(given_seed, static_cast<std::uint32_t>(&role - roles));
  use_heap(role.used, seed, threads.count);
  pthread_barrier_wait(&used_up);  // so that the peak is that of all threads together
  release_used(role.used, seed);
  return nullptr;
}

/// Joins the pthreads of all roles. Those that come later have been created when the one before them was joined.
void join_all() {
  for (std::uint32_t number = 0; number < threads.count; ++number) {
    for (std::uint32_t i = 0; i < roles[number].created; ++i) pthread_join(roles[number].threads[i], nullptr);
  }
}

void draw_all(std::uint32_t seed, std::uint32_t count, std::uint32_t percent) {
  given_seed = seed;
  threads = draw_threads(seed, count);
  for (std::uint32_t number = 0; number < count; ++number) {
    Role &role = roles[number];
    const std::uint32_t work = work_percent(threads, number);
    draw_program(role.worker.program, seed, {number + 1, work * percent / 100, work * percent / 150});
    role.worker.random = {mixed(seed, kRunStream + number)};
    role.worker.tags = number << kTagBits;
    role.worker.courier = &role.courier;
    role.courier.threads = &threads;
    role.courier.inboxes = inboxes;
    role.courier.number = number;
    inboxes[number].open = true;
    pthread_mutex_init(&inboxes[number].lock, nullptr);
  }
}

void describe() {
  text.clear();
  describe_threads(text, threads);
  for (std::uint32_t number = 0; number < threads.count; ++number) {
    text << "thread " << number << ", ";
    describe_program(text, roles[number].worker.program);
  }
  std::fputs(text.begin(), stdout);
}

void run(bool used) {
  if (used) {
    pthread_barrier_init(&used_up, nullptr, threads.count);
    for (std::uint32_t number = 0; number < threads.count; ++number) begin(roles[number], use_part);
    join_all();
    for (Role &role : roles) role.created = 0;
  }
  const std::size_t used_bytes = heap_bytes();
  const double begun_ms = now_ms();
  const std::uint32_t first = threads.lives == Lives::staggered ? 1 : threads.count;
  for (std::uint32_t number = 0; number < first; ++number) {
    begin(roles[number], threads.lives == Lives::in_turn ? run_one_phase : run_whole);
  }
  join_all();
  double ended_ms = begun_ms;
  std::uint32_t sum = 0;
  std::uint64_t live = 0;
  for (const Role &role : roles) {
    ended_ms = std::max(ended_ms, role.ended_ms);
    sum += role.worker.sum;
    live += role.worker.live;
  }
  if (live != 0) fail("blocks were lost");
  std::printf("{\"ms\":%.3f,\"checksum\":%u,\"bytes\":%zu,\"usedBytes\":%zu}\n", ended_ms - begun_ms, sum, heap_bytes(),
              used_bytes);
}

}  // namespace

void fail(const char *what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

int main(int count, char **words) {
  if (count == 2 && std::strcmp(words[1], "base") == 0) {
    std::printf("%zu\n", reinterpret_cast<std::uintptr_t>(&__heap_base));
    return 0;
  }
  if (count < 5) fail("seed, threads, percent, used");
  const bool describes = std::strcmp(words[1], "describe") == 0;
  const auto number = [&](int at) { return static_cast<std::uint32_t>(std::atoi(words[describes ? at + 1 : at])); };
  if (number(2) == 0 || number(2) > kMostThreads) fail("1 to 4 threads");
  draw_all(number(1), number(2), number(3));
  if (describes) describe();
  else run(number(4) != 0);
#if defined(BENCH_TRACE)
  if (!describes && count == 6) write_events(words[5]);
#endif
  return 0;
}
