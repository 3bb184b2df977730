// CE1: writers and readers exchange buffers through a distributed pool.
//
//   writer:  pop a buffer, fill it with random bytes, write their CRC-32 beside them, push it
//   reader:  pop a buffer, count its CRC-32 anew and compare, push it
//
// Half of the threads write. A writer does `iterations` exchanges, a reader four times as many. An exchange is one pop and
// one push, so a buffer has one user at a time; a wrong CRC means that it had two, or that what a writer wrote was not
// seen by the next user.
//
// Ways are distributions and numbers of pools; `size` is the number of pools too. All rows share kBuffers buffers among
// their pools, so that they move through the same number of cache lines. "soak" is the document's amount of work.
//
//   wall_ms            from the moment all threads are there to the end of the last one
//   exchange_ns        wall_ms by exchange
//   exchanges          done by all threads
//   errors             wrong CRCs, buffers lost
//   contention_varies  retries of compare-and-exchange, percent of pops and pushes; every time includes their counting, an
//                      atomic addition for each operation that was retried
//   empty_varies       pops that found the thread's pool empty and were tried again
#include <heapglass/distributed_pool.hpp>

#include <array>
#include <new>

#include "experiments/experiment.h"
#include "experiments/program.hpp"

#if !defined(__wasm__)
#include <sched.h>
#endif

namespace experiments {

namespace {

constexpr uint32_t kBuffers = 64;
constexpr uint32_t kBytes = 64;
constexpr uint32_t kReadsPerWrite = 4;
constexpr uint32_t kMostThreads = 32;

// CRC-32 as in Ethernet and zip: reflected, polynomial 0xEDB88320, one byte a step.
constexpr std::array<uint32_t, 256> make_crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    table[byte] = crc;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kCrcTable = make_crc_table();

constexpr uint32_t crc_of(const uint8_t *bytes, uint32_t count) {
  uint32_t crc = 0xffffffffu;
  for (uint32_t i = 0; i < count; ++i) crc = kCrcTable[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
  return ~crc;
}
constexpr uint8_t kCheckInput[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
static_assert(crc_of(kCheckInput, 9) == 0xcbf43926u, "the check value of CRC-32");

struct Buffer {
  uint32_t crc;
  uint8_t bytes[kBytes];
  Buffer() noexcept : bytes{} { crc = crc_of(bytes, kBytes); }
};

void write(Buffer &buffer, Random &random) {
  for (uint8_t &byte : buffer.bytes) byte = static_cast<uint8_t>(random.next() >> 24);
  buffer.crc = crc_of(buffer.bytes, kBytes);
}

bool read(const Buffer &buffer) { return crc_of(buffer.bytes, kBytes) == buffer.crc; }

constexpr uint32_t kSpins = 64;

// Where a thread waits for others. Its turn may have to come from the system: there are more threads than processors.
void wait_a_little(uint32_t spins) {
  if (spins % kSpins != kSpins - 1) return;
#if !defined(__wasm__)
  sched_yield();
#elif defined(__wasm_atomics__)
  static int nobody_notifies = 0;  // wasm cannot yield, but wait until a time has passed
  __builtin_wasm_memory_atomic_wait32(&nobody_notifies, 0, 50'000);
#endif
}

// What one thread tells; a line each, so that telling is no contention.
struct alignas(64) Outcome {
  double ms;
  uint32_t errors;
  uint32_t empty;
};

struct Run {
  hg_heap *heap;
  void *pool;
  uint32_t row;
  uint32_t iterations;
  uint32_t threads;
  std::atomic<uint32_t> waiting;  // until all threads are there
  Outcome outcome[kMostThreads];
};
Run g_run;

// What a row does with its kind of pool.
struct Kind {
  size_t bytes;
  uint32_t (*make)(void *at, hg_heap *heap);  // capacity
  void (*exchange)(void *pool, bool writes, uint32_t seed, uint32_t count, Outcome &outcome);
  uint32_t (*free_count)(const void *pool);
  double (*contention)(const void *pool);
  void (*end)(void *pool);
};

template <class Pool>
void exchange(void *at, bool writes, uint32_t seed, uint32_t count, Outcome &outcome) {
  Pool &pool = *static_cast<Pool *>(at);
  Random random(seed);
  for (uint32_t i = 0; i < count; ++i) {
    Buffer *buffer = pool.pop();
    for (uint32_t spins = 0; buffer == nullptr; ++spins) {
      ++outcome.empty;
      wait_a_little(spins);
      buffer = pool.pop();
    }
    if (writes) write(*buffer, random);
    else if (!read(*buffer)) ++outcome.errors;
    pool.push(buffer);
  }
}

template <uint32_t Pools, class Distribution>
constexpr Kind kind_of() {
  using Pool = heapglass::distributed_pool<Buffer, Pools, Distribution, true>;
  return {sizeof(Pool),
          [](void *at, hg_heap *heap) { return (::new (at) Pool(heap, kBuffers / Pools))->capacity(); },
          exchange<Pool>,
          [](const void *pool) { return static_cast<const Pool *>(pool)->free_count(); },
          [](const void *pool) { return static_cast<const Pool *>(pool)->contention_so_far().percent(); },
          [](void *pool) { static_cast<Pool *>(pool)->~Pool(); }};
}

using heapglass::owner_returning;
using heapglass::per_hash;
using heapglass::per_thread;

constexpr Kind kThread1 = kind_of<1, per_thread>(), kThread2 = kind_of<2, per_thread>(),
               kThread4 = kind_of<4, per_thread>(), kThread8 = kind_of<8, per_thread>(),
               kHash1 = kind_of<1, per_hash>(), kHash4 = kind_of<4, per_hash>(),
               kOwner1 = kind_of<1, owner_returning>(), kOwner4 = kind_of<4, owner_returning>();

constexpr uint32_t kSoak = 1'000'000;  // the document's writer; its reader has four times as many
constexpr uint32_t kShort = 100'000;

constexpr Row kRows[] = {
    {"per thread, 4 pools, soak", kSoak, 4, 8},
    {"per thread, 1 pool", kShort, 1, 8},    {"per thread, 1 pool", kShort, 1, 16},
    {"per thread, 1 pool", kShort, 1, 32},   {"per thread, 2 pools", kShort, 2, 8},
    {"per thread, 2 pools", kShort, 2, 16},  {"per thread, 2 pools", kShort, 2, 32},
    {"per thread, 4 pools", kShort, 4, 8},   {"per thread, 4 pools", kShort, 4, 16},
    {"per thread, 4 pools", kShort, 4, 32},  {"per thread, 8 pools", kShort, 8, 8},
    {"per thread, 8 pools", kShort, 8, 16},  {"per thread, 8 pools", kShort, 8, 32},
    {"per hash, 1 pool", kShort, 1, 8},      {"per hash, 1 pool", kShort, 1, 16},
    {"per hash, 1 pool", kShort, 1, 32},     {"per hash, 4 pools", kShort, 4, 8},
    {"per hash, 4 pools", kShort, 4, 16},    {"per hash, 4 pools", kShort, 4, 32},
    {"owner, 1 pool", kShort, 1, 8},         {"owner, 1 pool", kShort, 1, 16},
    {"owner, 1 pool", kShort, 1, 32},        {"owner, 4 pools", kShort, 4, 8},
    {"owner, 4 pools", kShort, 4, 16},       {"owner, 4 pools", kShort, 4, 32},
};
constexpr uint32_t kRowCount = sizeof kRows / sizeof kRows[0];

// A row says its kind by the first letter of its way and its number of pools.
const Kind &kind_of_row(uint32_t row) {
  const Row &at = kRows[row];
  if (at.way[0] == 'o') return at.size == 1 ? kOwner1 : kOwner4;
  if (at.way[4] == 'h') return at.size == 1 ? kHash1 : kHash4;
  switch (at.size) {
    case 1: return kThread1;
    case 2: return kThread2;
    case 4: return kThread4;
    default: return kThread8;
  }
}

bool begin(uint32_t row, uint32_t iterations) {
  const Kind &kind = kind_of_row(row);
  g_run.heap = hg_heap_create();
  if (g_run.heap == nullptr) return false;
  g_run.pool = hg_heap_allocate_aligned(g_run.heap, heapglass::lock_free::kCacheLine, kind.bytes);
  if (g_run.pool == nullptr || kind.make(g_run.pool, g_run.heap) != kBuffers) return false;
  g_run.row = row;
  g_run.iterations = iterations;
  g_run.threads = kRows[row].threads;
  for (Outcome &outcome : g_run.outcome) outcome = {0, 0, 0};
  g_run.waiting.store(g_run.threads, std::memory_order_release);
  return true;
}

// Until all threads are there. Without threads they are played one after another, each to its end.
void pass_gate(uint32_t number) {
#if HG_THREADS
  static_cast<void>(number);
  g_run.waiting.fetch_sub(1, std::memory_order_acq_rel);
  for (uint32_t spins = 0; g_run.waiting.load(std::memory_order_acquire) != 0; ++spins) wait_a_little(spins);
#else
  hg_small_play_thread(number);
#endif
}

// Odd threads write. Each measures from the opening of the gate on its own clock: clocks of workers need not agree.
void thread(uint32_t number) {
  Outcome &outcome = g_run.outcome[number - 1];
  const bool writes = number % 2 == 1;
  pass_gate(number);
  const double begun = experiment_now();
  const uint32_t count = writes ? g_run.iterations : g_run.iterations * kReadsPerWrite;
  kind_of_row(g_run.row).exchange(g_run.pool, writes, 0x9e3779b9u * number, count, outcome);
  outcome.ms = experiment_now() - begun;
}

bool end() {
#if !HG_THREADS
  hg_small_play_thread(1);
#endif
  const Kind &kind = kind_of_row(g_run.row);
  double ms = 0, errors = 0, empty = 0;
  for (const Outcome &outcome : g_run.outcome) {
    if (outcome.ms > ms) ms = outcome.ms;
    errors += outcome.errors;
    empty += outcome.empty;
  }
  const uint32_t back = kind.free_count(g_run.pool);
  errors += back > kBuffers ? back - kBuffers : kBuffers - back;
  const double exchanges =
      static_cast<double>(g_run.threads / 2) * static_cast<double>(g_run.iterations) * (1 + kReadsPerWrite);
  experiment_figure("wall_ms", ms);
  experiment_figure("exchange_ns", ms * 1e6 / exchanges);
  experiment_figure("exchanges", exchanges);
  experiment_figure("errors", errors);
  experiment_figure("contention_varies", kind.contention(g_run.pool));
  experiment_figure("empty_varies", empty);

  if (back != kBuffers) return true;  // told as errors; ending such a pool would stop the program
  kind.end(g_run.pool);
  hg_heap_deallocate(g_run.heap, g_run.pool);
  hg_heap_stats stats;
  hg_heap_get_stats(g_run.heap, &stats);
  experiment_figure("bytes_left", static_cast<double>(stats.in_use));
  hg_heap_destroy(g_run.heap);
  return true;
}

}  // namespace

extern const Program kCe1;
const Program kCe1 = {HG_EXPERIMENT('C', 1), "CE1", kRows, kRowCount, begin, thread, end};

}  // namespace experiments
