// Producers and consumers: a batch of blocks is allocated by one thread, goes through a queue, and is freed by another.
// Half the threads produce and half consume; one thread alone does both, sixteen batches at a time.
//
//   E1  There are 32 batches; a producer waits for an empty one. So at most 32 batches of blocks live, however much faster
//       one side is, and the number of blocks is fixed.
//   E2  The blocks of batch b follow from b, whoever produces it.

#include <pthread.h>

#include "workload.hpp"

namespace {

constexpr unsigned kBatches = 32;
constexpr unsigned kBlocksPerBatch = 512;
constexpr unsigned kBatchesPerProducer = 5000;

struct Batch {
  Block blocks[kBlocksPerBatch];
};

/// First in, first out; kBatches places are enough, as there are no more batches.
class Queue {
 public:
  void open() { first_ = count_ = 0, closed_ = false; }
  void push(Batch *batch) {
    pthread_mutex_lock(&mutex_);
    places_[(first_ + count_++) % kBatches] = batch;
    pthread_mutex_unlock(&mutex_);
    pthread_cond_signal(&filled_);
  }
  /// Waits; nullptr when the queue is empty and closed.
  Batch *pop() {
    pthread_mutex_lock(&mutex_);
    while (count_ == 0 && !closed_) pthread_cond_wait(&filled_, &mutex_);
    Batch *const batch = count_ == 0 ? nullptr : places_[first_];
    if (batch != nullptr) first_ = (first_ + 1) % kBatches, --count_;
    pthread_mutex_unlock(&mutex_);
    return batch;
  }
  void close() {
    pthread_mutex_lock(&mutex_);
    closed_ = true;
    pthread_mutex_unlock(&mutex_);
    pthread_cond_broadcast(&filled_);
  }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t filled_ = PTHREAD_COND_INITIALIZER;
  Batch *places_[kBatches];
  unsigned first_ = 0, count_ = 0;
  bool closed_ = false;
};

struct Exchange {
  Batch batches[kBatches];
  Queue empty, full;
  unsigned threads, producers;
  unsigned per_producer;
  unsigned producing;  // producers that have not ended
};

Exchange g_exchange;

void fill(Batch &batch, unsigned number) {
  Random random(number + 1);
  for (Block &block : batch.blocks) {
    const std::uint32_t bits = random.next();
    // A size of 16 to 512, small ones more often: 16 << 0..4, and up to as much again.
    const std::uint32_t least = 16u << (bits % 5);
    block = allocate_block(least + (bits >> 8) % least, bits);
  }
}

std::uint64_t drain(const Batch &batch) {
  std::uint64_t sum = 0;
  for (const Block &block : batch.blocks) sum += free_block(block);
  return sum;
}

std::uint64_t produce(unsigned producer) {
  for (unsigned made = 0; made < g_exchange.per_producer; ++made) {
    Batch *const batch = g_exchange.empty.pop();
    fill(*batch, producer * g_exchange.per_producer + made);
    g_exchange.full.push(batch);
  }
  if (__atomic_sub_fetch(&g_exchange.producing, 1, __ATOMIC_ACQ_REL) == 0) g_exchange.full.close();
  return 0;
}

std::uint64_t consume() {
  std::uint64_t sum = 0;
  while (Batch *const batch = g_exchange.full.pop()) {
    sum += drain(*batch);
    g_exchange.empty.push(batch);
  }
  return sum;
}

std::uint64_t alternate() {
  constexpr unsigned kAtOnce = 16;
  std::uint64_t sum = 0;
  for (unsigned made = 0; made < g_exchange.per_producer;) {
    unsigned filled = 0;
    for (; filled < kAtOnce && made < g_exchange.per_producer; ++filled, ++made) {
      Batch *const batch = g_exchange.empty.pop();
      fill(*batch, made);
      g_exchange.full.push(batch);
    }
    for (; filled > 0; --filled) {
      Batch *const batch = g_exchange.full.pop();
      sum += drain(*batch);
      g_exchange.empty.push(batch);
    }
  }
  return sum;
}

std::uint64_t take_part(void *, unsigned number) {
  if (g_exchange.threads == 1) return alternate();
  return number < g_exchange.producers ? produce(number) : consume();
}

Outcome exchange(unsigned threads, double share) {
  g_exchange.threads = threads;
  g_exchange.producers = g_exchange.producing = threads == 1 ? 1 : threads / 2;
  g_exchange.per_producer = static_cast<unsigned>(kBatchesPerProducer * share);
  g_exchange.empty.open();
  g_exchange.full.open();
  for (Batch &batch : g_exchange.batches) g_exchange.empty.push(&batch);
  Outcome outcome = run_threads(threads, take_part, nullptr);
  outcome.calls = 2ull * g_exchange.producers * g_exchange.per_producer * kBlocksPerBatch;
  return outcome;
}

const Workload listed("exchange", exchange);

}  // namespace
