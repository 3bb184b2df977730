// malloc used by several threads at once. In the variant without probes its fast paths lock nothing.
#include <heapglass/malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "core/malloc/malloc_event_model.hpp"
#include "every.hpp"
#include "malloc/central.hpp"
#include "malloc/thread_cache.hpp"
#include "market.hpp"
#include "platform/page_source.hpp"

namespace malloc_threads_tests {
namespace {

// With probes each call takes a lock, which ThreadSanitizer makes eight times as slow.
const unsigned kRoundsOfMarket = HG_TRACE && !heapglass_test::every() ? 2'000 : 6'000;
constexpr size_t kCacheBytes = static_cast<size_t>(heapglass::central::kCacheBytes);

struct Block {
  unsigned char *mem;
  uint32_t size;
  unsigned char mark;

  void fill() const { std::memset(mem, mark, size); }
  bool is_whole() const { return is_whole(size); }
  bool is_whole(uint32_t bytes) const {
    for (uint32_t i = 0; i < bytes; ++i) {
      if (mem[i] != mark) return false;
    }
    return true;
  }
};

hg_malloc_stats malloc_stats() {
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  return stats;
}

class MallocThreads : public ::testing::Test {
 protected:
  void SetUp() override {
    hg_default_heap();
    hg_malloc_trim(0);
    before_ = malloc_stats();  // other tests of the program leave pools
    ASSERT_EQ(before_.cached, 0u);
  }
  void TearDown() override {
    heapglass::fail_growth(0);
    EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
    EXPECT_EQ(malloc_stats().in_use, before_.in_use) << "every block was freed";
    hg_malloc_flush();
    const hg_malloc_stats stats = malloc_stats();
    EXPECT_EQ(stats.cached, 0u) << "each thread gave its cache back when it ended";
    EXPECT_EQ(stats.in_use, before_.in_use);
    EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
  }
  size_t in_use() const { return malloc_stats().in_use - before_.in_use; }
  hg_malloc_stats before_;
};

// One thread's random life: all functions of malloc, its own blocks and those of others.
class Worker {
 public:
  Worker(Market<Block> &market, unsigned number, bool may_be_refused)
      : market_(market), mark_(static_cast<unsigned char>(number)), may_be_refused_(may_be_refused), random_(2463534242u + number * 7919u) {}

  void run(unsigned rounds) {
    for (unsigned i = 0; i < rounds; ++i) step();
    for (const Block &block : blocks_) free_block(block);
    blocks_.clear();
  }
  unsigned errors() const { return errors_; }
  unsigned refused() const { return refused_; }

 private:
  uint32_t below(uint32_t bound) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    return random_ % bound;
  }
  uint32_t some_size() {
    switch (below(32)) {
      case 0: return below(200'000);
      case 1:
      case 2: return below(20'000);
      default: return below(600);
    }
  }
  void allocate() {
    const uint32_t size = some_size();
    void *mem = nullptr;
    switch (below(8)) {
      case 0: mem = hg_calloc(size, 1); break;
      case 1: mem = hg_memalign(size_t{1} << below(13), size); break;
      case 2: mem = hg_heap_allocate(nullptr, size); break;
      default: mem = hg_malloc(size);
    }
    if (mem == nullptr) {
      ++refused_;
      if (!may_be_refused_) ++errors_;
      return;
    }
    if (hg_malloc_usable_size(mem) < size) ++errors_;
    blocks_.push_back({static_cast<unsigned char *>(mem), size, mark_});
    blocks_.back().fill();
  }
  void reallocate(Block &block) {
    const uint32_t size = some_size() + 1;
    if (!block.is_whole()) ++errors_;
    void *const mem = hg_realloc(block.mem, size);
    if (mem == nullptr) {
      ++refused_;
      if (!may_be_refused_ || !block.is_whole()) ++errors_;
      return;
    }
    block.mem = static_cast<unsigned char *>(mem);
    if (!block.is_whole(size < block.size ? size : block.size)) ++errors_;
    block.size = size;
    block.fill();
  }
  void free_block(const Block &block) {
    if (!block.is_whole()) ++errors_;
    if (below(16) == 0) hg_heap_deallocate(nullptr, block.mem);
    else hg_free(block.mem);
  }
  void step() {
    const uint32_t what = below(16);
    Block other;
    if (what < 7 && blocks_.size() < 200) {
      allocate();
    } else if (what < 9 && !blocks_.empty()) {
      market_.put(blocks_.back());
      blocks_.pop_back();
    } else if (what < 11 && market_.take(&other, 50)) {
      free_block(other);
    } else if (what == 11 && !blocks_.empty()) {
      reallocate(blocks_[below(static_cast<uint32_t>(blocks_.size()))]);
    } else if (!blocks_.empty()) {
      const size_t at = below(static_cast<uint32_t>(blocks_.size()));
      free_block(blocks_[at]);
      blocks_[at] = blocks_.back();
      blocks_.pop_back();
    }
  }

  Market<Block> &market_;
  const unsigned char mark_;
  const bool may_be_refused_;
  uint32_t random_;
  std::vector<Block> blocks_;
  unsigned errors_ = 0, refused_ = 0;
};

struct Outcome {
  unsigned errors, refused;
};

Outcome run_market(unsigned threads, unsigned rounds, bool may_be_refused = false) {
  Market<Block> market;
  std::vector<Worker> workers;
  for (unsigned i = 1; i <= threads; ++i) workers.emplace_back(market, i, may_be_refused);
  std::vector<std::thread> running;
  for (Worker &worker : workers) running.emplace_back([&worker, rounds] { worker.run(rounds); });
  for (std::thread &thread : running) thread.join();
  Outcome outcome = {0, 0};
  for (const Worker &worker : workers) {
    outcome.errors += worker.errors();
    outcome.refused += worker.refused();
  }
  Block block;
  while (market.take(&block)) {
    outcome.errors += !block.is_whole();
    hg_free(block.mem);
  }
  return outcome;
}

TEST_F(MallocThreads, BlocksOfManyThreadsKeepTheirContentsWhoeverFreesThem) {
  EXPECT_EQ(run_market(6, kRoundsOfMarket).errors, 0u);
}

// One thread only takes, the other only frees: all blocks go through the central lists, or the heap.
TEST_F(MallocThreads, WhatAProducerMakesAConsumerMayFree) {
  constexpr unsigned kRounds = 40;
  constexpr unsigned kBlocks = 1'000;
  constexpr size_t kSize = 96;
  std::vector<unsigned char *> lots[2];
  std::atomic<unsigned> made{0}, freed{0}, errors{0};
  const size_t footprint = malloc_stats().footprint;
  std::thread producer([&] {
    for (unsigned round = 0; round < kRounds; ++round) {
      while (freed.load() + 2 <= round) std::this_thread::yield();
      std::vector<unsigned char *> &lot = lots[round % 2];
      for (unsigned i = 0; i < kBlocks; ++i) {
        lot.push_back(static_cast<unsigned char *>(hg_malloc(kSize)));
        std::memset(lot.back(), static_cast<int>(i), kSize);
      }
      made.store(round + 1);
    }
  });
  std::thread consumer([&] {
    for (unsigned round = 0; round < kRounds; ++round) {
      while (made.load() <= round) std::this_thread::yield();
      std::vector<unsigned char *> &lot = lots[round % 2];
      for (unsigned i = 0; i < kBlocks; ++i) {
        if (lot[i][0] != static_cast<unsigned char>(i) || lot[i][kSize - 1] != static_cast<unsigned char>(i)) ++errors;
        hg_free(lot[i]);
      }
      lot.clear();
      freed.store(round + 1);
    }
  });
  producer.join();
  consumer.join();
  EXPECT_EQ(errors.load(), 0u);
  // Two lots are under way at most, and each cache is bounded.
  EXPECT_LE(malloc_stats().footprint, footprint + 2 * kBlocks * (kSize + 16) + 2 * kCacheBytes + 4 * 65536);
}

TEST_F(MallocThreads, SeveralProducersFeedSeveralConsumersThroughQueues) {
  constexpr unsigned kPairs = 3;
  Market<Block> markets[kPairs];
  std::atomic<unsigned> errors{0}, ended{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kPairs; ++i) {
    threads.emplace_back([&, i] {
      for (uint32_t n = 0; n < 4'000; ++n) {
        const Block block = {static_cast<unsigned char *>(hg_malloc(n * 13 % 2'000)), n * 13 % 2'000, static_cast<unsigned char>(n)};
        block.fill();
        markets[(i + n) % kPairs].put(block);
      }
      ++ended;
    });
    threads.emplace_back([&, i] {
      Block block;
      for (;;) {
        const bool last = ended.load() == kPairs;
        if (markets[i].take(&block)) {
          if (!block.is_whole()) ++errors;
          hg_free(block.mem);
        } else if (last) {
          return;
        } else {
          std::this_thread::yield();
        }
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(errors.load(), 0u);
}

TEST_F(MallocThreads, TheCacheOfAThreadThatEndsServesOthers) {
  constexpr size_t kSize = 300;  // a chunk in each build; of smaller blocks slab_owners_test.cpp
  std::vector<void *> blocks;
  std::thread first([&] {
    for (int i = 0; i < 500; ++i) blocks.push_back(hg_malloc(kSize));
    for (void *const block : blocks) hg_free(block);
  });
  first.join();
  EXPECT_EQ(in_use(), 0u);
  const hg_malloc_stats stats = malloc_stats();
  EXPECT_GE(stats.cached, 500u * kSize) << "on central lists";
  std::thread second([&] {
    for (void *&block : blocks) block = hg_malloc(kSize);
  });
  second.join();
  EXPECT_EQ(malloc_stats().footprint, stats.footprint);
  EXPECT_LT(malloc_stats().cached, stats.cached);
  for (void *const block : blocks) hg_free(block);
}

TEST_F(MallocThreads, ManyShortThreadsNeedNoMoreMemoryThanAFew) {
  const auto lives = [](unsigned rounds) {
    std::atomic<unsigned> errors{0};
    for (unsigned round = 0; round < rounds; ++round) {
      std::vector<std::thread> threads;
      for (unsigned i = 0; i < 4; ++i) {
        threads.emplace_back([&errors, i] {
          std::vector<Block> blocks;
          for (uint32_t n = 0; n < 100; ++n) {
            blocks.push_back({static_cast<unsigned char *>(hg_malloc(n * 7)), n * 7, static_cast<unsigned char>(i + n)});
            blocks.back().fill();
          }
          for (const Block &block : blocks) {
            if (!block.is_whole()) ++errors;
            hg_free(block.mem);
          }
        });
      }
      for (std::thread &thread : threads) thread.join();
    }
    EXPECT_EQ(errors.load(), 0u);
  };
  lives(3);
  const size_t footprint = malloc_stats().footprint;
  lives(60);
  EXPECT_LE(malloc_stats().footprint, footprint + 8 * 65536);
}

TEST_F(MallocThreads, AThreadThatOnlyFreesOrOnlyFlushesEndsWell) {
  void *const block = hg_malloc(100);
  std::thread([block] { hg_free(block); }).join();
  std::thread([] { hg_malloc_flush(); }).join();
  std::thread([] { hg_free(hg_malloc(0)); hg_malloc_flush(); hg_malloc_flush(); }).join();
}

struct FreesLate {
  void *block = nullptr;
  ~FreesLate() { hg_free(block); }
};

// Destructors of thread-local variables run when the cache may be gone already.
TEST_F(MallocThreads, ADestructorOfAThreadMayStillFreeAndAllocate) {
  for (int i = 0; i < 20; ++i) {
    std::thread([] {
      static thread_local FreesLate late;
      late.block = hg_malloc(200);
      hg_free(hg_malloc(3000));
    }).join();
  }
}

TEST_F(MallocThreads, FlushingAndTrimmingDisturbNoThread) {
  std::atomic<bool> ended{false};
  unsigned flushes = 0;
  std::thread flusher([&] {
    while (!ended.load()) {
      if (++flushes % 2 == 0) hg_malloc_flush();
      else hg_malloc_trim(0);
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(run_market(4, 4'000).errors, 0u);
  ended.store(true);
  flusher.join();
  EXPECT_GT(flushes, 0u);
}

// A walk reads blocks that their threads write to at that moment (slab.B9), and statistics read what each cache may still take.
TEST_F(MallocThreads, LooksDisturbNoThread) {
  std::atomic<unsigned> looks{0};
  std::vector<std::thread> writing;
  for (unsigned n = 0; n < 3; ++n) {
    writing.emplace_back([&looks, n] {
      std::vector<Block> blocks(500);
      uint32_t i = 0;
      for (Block &block : blocks) block = {static_cast<unsigned char *>(hg_malloc(40)), 40, static_cast<unsigned char>(n)};
      for (; looks.load(std::memory_order_relaxed) < 20; ++i) {
        Block &block = blocks[i * 7 % blocks.size()];
        if (i % 64 == 0) {
          hg_free(block.mem);
          block.mem = static_cast<unsigned char *>(hg_malloc(40));
          hg_free(hg_malloc(1'000));
        }
        block.fill();
        EXPECT_TRUE(block.is_whole());
      }
      for (const Block &block : blocks) hg_free(block.mem);
    });
  }
  for (; looks.load() < 20; ++looks) {
    size_t records = 0;
    hg_walk_hash(nullptr, &records);
    EXPECT_GT(records, 0u);
    hg_heap_stats stats;
    hg_heap_get_stats(nullptr, &stats);
    EXPECT_GE(stats.footprint, stats.in_use);
    EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
    EXPECT_GT(malloc_stats().footprint, 0u);
    std::this_thread::yield();
  }
  for (std::thread &thread : writing) thread.join();
}

TEST_F(MallocThreads, NoCacheHoldsMoreThanItsBound) {
  std::vector<void *> blocks;
  for (int i = 0; i < 20'000; ++i) blocks.push_back(hg_malloc(100));
  for (void *const block : blocks) hg_free(block);
  const size_t cached = malloc_stats().cached;
  EXPECT_GT(cached, 2'000'000u);
  hg_malloc_flush();
  for (void *&block : blocks) block = hg_malloc(100);
  std::atomic<bool> freed{false}, look{true};
  std::thread freeing([&] {
    for (void *const block : blocks) hg_free(block);
    freed.store(true);
    while (look.load()) std::this_thread::yield();
  });
  while (!freed.load()) std::this_thread::yield();
  hg_malloc_flush();  // this thread's cache, and the central lists
  EXPECT_LE(malloc_stats().cached, kCacheBytes);
  look.store(false);
  freeing.join();
}

TEST_F(MallocThreads, GrowthThatFailsUnderThreadsRefusesRequestsAndNothingElse) {
  for (const heapglass::Word k : {1u, 2u, 5u, 9u}) {
    hg_malloc_trim(0);
    heapglass::fail_growth(k, k == 5 ? 1 : k == 9 ? 3 : ~heapglass::Word{0});
    const Outcome outcome = run_market(4, 2'500, true);
    heapglass::fail_growth(0);
    EXPECT_EQ(outcome.errors, 0u) << k;
    EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
    EXPECT_EQ(in_use(), 0u);
    void *const mem = hg_malloc(3 << 20);
    EXPECT_NE(mem, nullptr) << "memory can grow again";
    hg_free(mem);
  }
}

TEST_F(MallocThreads, WhatThreadsTookAddsUpWhenTheyEnded) {
  std::vector<void *> blocks[4];
  std::vector<std::thread> threads;
  for (std::vector<void *> &mine : blocks) {
    threads.emplace_back([&mine] {
      for (size_t i = 0; i < 1'000; ++i) mine.push_back(hg_malloc(i));
      for (size_t i = 0; i < 500; ++i) {
        hg_free(mine.back());
        mine.pop_back();
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  size_t bytes = 0;
  for (const std::vector<void *> &mine : blocks) {
    for (void *const block : mine) bytes += hg_malloc_usable_size(block) + (heapglass::is_slab_block(block) ? 0 : sizeof(size_t));
  }
  EXPECT_EQ(in_use(), bytes);
  for (const std::vector<void *> &mine : blocks) {
    for (void *const block : mine) hg_free(block);
  }
}

#if HG_TRACE

// The default heap exists before the recording, so the story begins with an empty heap's chunks as the walk shows them.
TEST_F(MallocThreads, SeveralThreadsAtOnceLeaveOneStory) {
  using namespace heapglass_test;
  hg_malloc_trim(0);
  if (before_.in_use != 0) GTEST_SKIP() << "pools of other tests lie in the default heap; ctest runs this program as a whole";
  hg_heap_destroy(hg_default_heap());
  EventRecording::begin();
  MallocEventModel model(hg_heap_id(hg_default_heap()));
  EXPECT_EQ(run_market(4, 1'500).errors, 0u);
  EventRecording::end();
  EXPECT_EQ(model.apply_all(EventRecording::read()), "");
  EXPECT_EQ(difference(walk_of_heap(nullptr), model.walk()), "");
  EXPECT_GT(model.count(HG_EVENT_cached_moved), 0u);
  EXPECT_GT(model.count(HG_EVENT_chunk_reused), 500u);
}

#endif

// In a process of its own, because it ends the default heap.
int call_without_a_heap() {
  alarm(60);  // instead of waiting for ever
  hg_malloc_flush();
  hg_heap_destroy(hg_default_heap());
  new (heapglass::growing_pages()) heapglass::PageSource{};
  heapglass::fail_growth(1, ~size_t{0});
  std::atomic<size_t> got{0};
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n) {
    threads.emplace_back([&got] {
      for (int i = 0; i < 2000; ++i) got += hg_malloc(40) != nullptr || hg_heap_allocate(nullptr, 40) != nullptr;
    });
  }
  for (std::thread &thread : threads) thread.join();
  return got == 0 ? 0 : 1;
}

// Who makes the default heap holds a lock, and with probes then takes the one of all calls. No call may take them in the other order.
TEST(MallocWithoutAHeap, IsRefusedToEachOfSeveralThreads) {
  const pid_t child = fork();
  if (child == 0) _exit(call_without_a_heap());
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace malloc_threads_tests
