// The small front used by several threads at once. In the release variant the fast paths are inlined here and lock nothing.
#include <heapglass/heapglass.h>
#include <heapglass/small.hpp>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "every.hpp"
#include "market.hpp"

namespace small_threads_tests {
namespace {

struct Block {
  unsigned char *mem;
  uint32_t size;
  unsigned char mark;
};

Block take(uint32_t size, unsigned char mark) {
  unsigned char *const mem = static_cast<unsigned char *>(hg_small_allocate(size));
  if (mem != nullptr) std::memset(mem, mark, size);
  return {mem, size, mark};
}

bool is_whole(const Block &block) {
  for (uint32_t i = 0; i < block.size; ++i) {
    if (block.mem[i] != block.mark) return false;
  }
  return true;
}

uint32_t next_random(uint32_t &random) {
  random ^= random << 13;
  random ^= random >> 17;
  random ^= random << 5;
  return random;
}

uint32_t random_size(uint32_t &random) {
  switch (next_random(random) % 16) {
    case 0: return 1 + next_random(random) % 57344;
    case 1: return 57345 + next_random(random) % 20'000;
    default: return 1 + next_random(random) % 600;
  }
}

hg_small_stats small_stats() {
  hg_small_stats stats;
  hg_small_get_stats(&stats);
  return stats;
}

size_t chunks_in_use() {
  hg_heap_stats stats;
  hg_heap_get_stats(nullptr, &stats);
  return stats.chunks_in_use;
}

class ThreadedFront : public ::testing::Test {
 protected:
  void SetUp() override {
    for (unsigned k = 0; k < heapglass::kSizeClasses; ++k) {  // a pool a class stays
      hg_small_deallocate(hg_small_allocate(heapglass::size_of_class(k)));
    }
    hg_small_flush();
    hg_small_squeeze();
    chunks_before_ = chunks_in_use();
  }
  void TearDown() override {
    hg_small_flush();
    EXPECT_EQ(small_stats().threads, 0u) << "each thread gave its cache back when it ended";
    EXPECT_EQ(small_stats().in_use, 0u);
    hg_small_squeeze();
    const hg_small_stats stats = small_stats();
    EXPECT_EQ(stats.spans, 0u);
    EXPECT_EQ(stats.central, 0u);
    EXPECT_EQ(chunks_in_use(), chunks_before_) << "all memory is returned";
    EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
  }

 private:
  size_t chunks_before_ = 0;
};

class D2_threads : public ThreadedFront {};
class D6_squeeze_with_threads : public ThreadedFront {};
class D1_inlined_in_threads : public ThreadedFront {};

// Takes and frees at random: its own blocks, and those of others through the market.
void churn(Market<Block> &market, unsigned char mine, unsigned rounds, std::atomic<unsigned> &errors) {
  std::vector<Block> blocks;
  uint32_t random = 2463534242u + mine * 7919u;
  for (unsigned i = 0; i < rounds; ++i) {
    const uint32_t what = next_random(random) % 8;
    Block other;
    if (what < 4 && blocks.size() < 300) {
      blocks.push_back(take(random_size(random), mine));
      if (blocks.back().mem == nullptr) {
        ++errors;
        blocks.pop_back();
      }
    } else if (what == 4 && !blocks.empty()) {
      market.put(blocks.back());
      blocks.pop_back();
    } else if (what == 5 && market.take(&other, 50)) {
      if (!is_whole(other)) ++errors;
      hg_small_deallocate(other.mem);
    } else if (!blocks.empty()) {
      const size_t at = next_random(random) % blocks.size();
      if (!is_whole(blocks[at])) ++errors;
      hg_small_deallocate(blocks[at].mem);
      blocks[at] = blocks.back();
      blocks.pop_back();
    }
  }
  for (const Block &block : blocks) {
    if (!is_whole(block)) ++errors;
    hg_small_deallocate(block.mem);
  }
}

void run_market(unsigned threads, unsigned rounds, bool squeeze) {
  Market<Block> market;
  std::atomic<unsigned> errors{0};
  std::atomic<bool> ended{false};
  std::vector<std::thread> workers;
  for (unsigned i = 1; i <= threads; ++i) {
    workers.emplace_back([&, i] { churn(market, static_cast<unsigned char>(i), rounds, errors); });
  }
  unsigned squeezes = 0;
  std::thread squeezer([&] {
    while (squeeze && !ended.load()) {
      hg_small_squeeze();
      ++squeezes;
      std::this_thread::yield();
    }
  });
  for (std::thread &worker : workers) worker.join();
  ended.store(true);
  squeezer.join();
  Block block;
  while (market.take(&block)) {
    if (!is_whole(block)) ++errors;
    hg_small_deallocate(block.mem);
  }
  EXPECT_EQ(errors.load(), 0u);
  EXPECT_EQ(squeezes > 0, squeeze);
}

TEST_F(D2_threads, blocks_of_many_threads_keep_their_contents) {
  run_market(6, HG_TRACE && !heapglass_test::every() ? 2'000 : 6'000, false);
}

TEST_F(D6_squeeze_with_threads, squeezing_disturbs_no_thread) { run_market(4, 6'000, true); }

// The pattern that a cache alone could not serve: one thread only takes, the other only gives back.
TEST_F(D2_threads, what_a_producer_makes_a_consumer_may_free) {
  constexpr unsigned kRounds = 60;
  constexpr unsigned kBlocks = 1'000;
  std::vector<unsigned char *> lots[2];
  std::atomic<unsigned> made{0};
  std::atomic<unsigned> freed{0};
  std::atomic<unsigned> errors{0};
  std::thread producer([&] {
    for (unsigned round = 0; round < kRounds; ++round) {
      while (freed.load() + 2 <= round) std::this_thread::yield();
      std::vector<unsigned char *> &lot = lots[round % 2];
      for (unsigned i = 0; i < kBlocks; ++i) {
        lot.push_back(static_cast<unsigned char *>(hg_small_allocate(96)));
        std::memset(lot.back(), static_cast<int>(i), 96);
      }
      made.store(round + 1);
    }
  });
  std::thread consumer([&] {
    for (unsigned round = 0; round < kRounds; ++round) {
      while (made.load() <= round) std::this_thread::yield();
      std::vector<unsigned char *> &lot = lots[round % 2];
      for (unsigned i = 0; i < kBlocks; ++i) {
        if (lot[i][0] != static_cast<unsigned char>(i) || lot[i][95] != static_cast<unsigned char>(i)) ++errors;
        hg_small_deallocate(lot[i]);
      }
      lot.clear();
      freed.store(round + 1);
    }
  });
  producer.join();
  consumer.join();
  EXPECT_EQ(errors.load(), 0u);
  // Two lots are under way at most, and each cache keeps two batches: 60,000 blocks went through as many as this holds.
  EXPECT_LE(small_stats().spans, (2 * kBlocks + 4 * 256) / (65536 / 96) + 2);
}

TEST_F(D2_threads, the_cache_of_a_thread_that_ends_is_flushed) {
  std::vector<unsigned char *> blocks;
  std::thread first([&] {
    for (int i = 0; i < 500; ++i) blocks.push_back(static_cast<unsigned char *>(hg_small_allocate(64)));
  });
  first.join();
  EXPECT_EQ(small_stats().cached, 0u);
  EXPECT_EQ(small_stats().threads, 0u);
  EXPECT_EQ(small_stats().in_use, 500u * 64);
  std::thread second([&] {
    for (unsigned char *block : blocks) hg_small_deallocate(block);
  });
  second.join();
  EXPECT_EQ(small_stats().cached, 0u);
  EXPECT_EQ(small_stats().in_use, 0u);
}

TEST_F(D2_threads, a_thread_may_flush_and_go_on) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 50; ++round) {
        void *const block = hg_small_allocate(40);
        hg_small_flush();
        hg_small_deallocate(block);
        hg_small_flush();
        hg_small_flush();
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
}

struct Node : heapglass::small_object<Node> {
  explicit Node(uint64_t n) : number(n) {}
  Node *next = nullptr;
  uint64_t number;
};

TEST_F(D1_inlined_in_threads, lists_built_by_one_thread_are_taken_apart_by_the_next) {
  std::atomic<Node *> lists[4] = {};
  std::atomic<unsigned> errors{0};
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        uint64_t expected = 2'000;
        for (Node *node = lists[(t + 1) % 4].exchange(nullptr); node != nullptr;) {
          Node *const next = node->next;
          if (node->number != --expected) ++errors;
          delete node;
          node = next;
        }
      });
    }
    for (std::thread &thread : threads) thread.join();
    threads.clear();
    for (unsigned t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        Node *list = nullptr;
        for (uint64_t i = 0; i < 2'000; ++i) {
          Node *const node = new Node(i);
          node->next = list;
          list = node;
        }
        lists[t].store(list);
      });
    }
    for (std::thread &thread : threads) thread.join();
  }
  for (std::atomic<Node *> &list : lists) {
    for (Node *node = list.load(); node != nullptr;) {
      Node *const next = node->next;
      delete node;
      node = next;
    }
  }
  EXPECT_EQ(errors.load(), 0u);
}

}  // namespace
}  // namespace small_threads_tests
