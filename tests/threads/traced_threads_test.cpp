// A program with threads, watched: whatever the threads do at the same time, the trace is one story (decision 7), and a walk
// in the middle of it finds what the story says. tests/contract/native_trace.test.ts holds the trace of this test, which it
// asks for by HG_TRACE_FILE, against the model.
#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "contract/trace_writer.hpp"

namespace traced_threads_tests {
namespace {

constexpr unsigned kThreads = 4;
constexpr unsigned kRounds = 3;
constexpr unsigned kOperations = 3000;  // a thread and round
constexpr unsigned kSlots = 256;

// Blocks that any thread may take out and free: half of what is allocated is freed by another thread.
std::atomic<void *> g_slots[kSlots];

struct Worker {
  hg_heap *heap;
  hg_pool *pool;
  std::uint32_t random;

  std::uint32_t below(std::uint32_t bound) {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    return random % bound;
  }
  void exchange() {
    void *mem = nullptr;
    if (below(2) == 0) {
      mem = hg_small_allocate(1 + below(below(8) == 0 ? 70'000 : 700));
      ASSERT_NE(mem, nullptr);
      std::memset(mem, 0x5a, hg_small_usable_size(mem));
    }
    hg_small_deallocate(g_slots[below(kSlots)].exchange(mem));
  }
  void run() {
    std::vector<void *> chunks, nodes;
    for (unsigned i = 0; i < kOperations; ++i) {
      switch (below(8)) {
        case 0: chunks.push_back(hg_heap_allocate(heap, 1 + below(2000))); break;
        case 1: nodes.push_back(hg_pool_allocate(pool)); break;
        case 2:
          if (!chunks.empty()) hg_heap_deallocate(heap, chunks.back()), chunks.pop_back();
          break;
        case 3:
          if (!nodes.empty()) hg_pool_deallocate(pool, nodes.back()), nodes.pop_back();
          break;
        default: exchange(); break;
      }
      if (i % 16 == 0) std::this_thread::yield();  // so that the operations of all come in turns
      if (i % 500 == 250) hg_trace_checkpoint(nullptr);  // the others go on, before and after
      if (i % 1000 == 500) hg_small_squeeze();
    }
    for (void *chunk : chunks) hg_heap_deallocate(heap, chunk);
    for (void *node : nodes) hg_pool_deallocate(pool, node);
  }
};

TEST(D2_traced_threads, several_threads_at_once_leave_one_story) {
  const char *const path = std::getenv("HG_TRACE_FILE");
  if (path != nullptr) {
    ASSERT_TRUE(contract::open_trace(path)) << path;
  }
  hg_heap *const heap = hg_default_heap();
  const hg_pool_options options = {HG_SHAPE_adaptive, 40, 64, 2, 5};
  hg_pool *const pool = hg_pool_create(heap, &options);
  ASSERT_NE(pool, nullptr);
  for (unsigned round = 0; round < kRounds; ++round) {
    std::vector<std::thread> threads;
    for (unsigned i = 1; i <= kThreads; ++i) {
      threads.emplace_back([=] { Worker{heap, pool, 2463534242u + 7919 * (round * kThreads + i)}.run(); });
    }
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(hg_heap_check(heap), nullptr);
    hg_trace_checkpoint(heap);
  }
  for (std::atomic<void *> &slot : g_slots) hg_small_deallocate(slot.exchange(nullptr));
  hg_small_flush();
  hg_small_squeeze();
  hg_pool_destroy(pool);
  EXPECT_EQ(hg_heap_check(heap), nullptr);
  hg_small_stats stats;
  hg_small_get_stats(&stats);
  EXPECT_EQ(stats.in_use, 0u);
  hg_trace_checkpoint(heap);
  if (path != nullptr) {
    EXPECT_TRUE(contract::close_trace());
  }
}

}  // namespace
}  // namespace traced_threads_tests
