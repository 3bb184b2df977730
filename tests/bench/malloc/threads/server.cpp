// A server: each thread holds a thousand blocks of 8 to 1000 bytes and replaces them at random. After each epoch the
// threads hand what they hold to their neighbour, as connections move between workers, so that most blocks are freed by
// a thread that did not allocate them.
//
//   S1  A table has its own random numbers, so what happens to it does not depend on who holds it.
//   S2  In epoch e thread t holds table (t + e) mod threads; a barrier lies between epochs.

#include <pthread.h>

#include "workload.hpp"

namespace {

constexpr unsigned kTableSize = 1000;
constexpr unsigned kEpochs = 20;
constexpr unsigned kReplacedPerEpoch = 100'000;

struct Table {
  Random random{0};
  Block blocks[kTableSize];
};

struct Server {
  Table tables[kMaxThreads];
  unsigned threads;
  unsigned replaced;
  pthread_barrier_t epoch;
};

Server g_server;

Block new_block(Random &random) {
  const std::uint32_t size = random.between(8, 1000);
  return allocate_block(size, random.next());
}

std::uint64_t serve(void *, unsigned number) {
  std::uint64_t sum = 0;
  for (Block &block : g_server.tables[number].blocks) block = new_block(g_server.tables[number].random);
  for (unsigned epoch = 0; epoch < kEpochs; ++epoch) {
    pthread_barrier_wait(&g_server.epoch);
    Table &table = g_server.tables[(number + epoch) % g_server.threads];
    for (unsigned left = g_server.replaced; left > 0; --left) {
      Block &block = table.blocks[table.random.below(kTableSize)];
      sum += free_block(block);
      block = new_block(table.random);
    }
  }
  pthread_barrier_wait(&g_server.epoch);
  for (const Block &block : g_server.tables[number].blocks) sum += free_block(block);
  return sum;
}

Outcome server(unsigned threads, double share) {
  g_server.threads = threads;
  g_server.replaced = static_cast<unsigned>(kReplacedPerEpoch * share);
  for (unsigned number = 0; number < threads; ++number) g_server.tables[number].random = Random(number + 1);
  pthread_barrier_init(&g_server.epoch, nullptr, threads);
  Outcome outcome = run_threads(threads, serve, nullptr);
  pthread_barrier_destroy(&g_server.epoch);
  outcome.calls = 2ull * threads * (kTableSize + static_cast<std::uint64_t>(kEpochs) * g_server.replaced);
  return outcome;
}

const Workload listed("server", server);

}  // namespace
