// Heaps used by several threads at once.
#include <heapglass/heapglass.h>

#include <cstring>
#include <thread>
#include <vector>

namespace heap_threads_tests {
namespace {

// Each thread fills its blocks with its own byte, and finds them so.
void churn(hg_heap *heap, unsigned char mine, unsigned rounds) {
  std::vector<unsigned char *> blocks(64, nullptr);
  std::uint32_t random = 2463534242u + mine;
  for (unsigned i = 0; i < rounds; ++i) {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    unsigned char *&block = blocks[random % blocks.size()];
    if (block != nullptr) {
      ASSERT_EQ(*block, mine);
      hg_heap_deallocate(heap, block);
      block = nullptr;
      continue;
    }
    const std::size_t size = 1 + random % 900;
    block = static_cast<unsigned char *>(hg_heap_allocate(heap, size));
    ASSERT_NE(block, nullptr);
    std::memset(block, mine, size);
  }
  for (unsigned char *block : blocks) hg_heap_deallocate(heap, block);
}

TEST(heap_threads, one_heap_serves_several_threads_at_once) {
  hg_heap *const heap = hg_heap_create();
  std::vector<std::thread> threads;
  for (unsigned char i = 1; i <= 4; ++i) threads.emplace_back([=] { churn(heap, i, 20'000); });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(hg_heap_check(heap), nullptr);
  hg_heap_stats stats;
  hg_heap_get_stats(heap, &stats);
  EXPECT_EQ(stats.chunks_in_use, 0u);
  hg_heap_destroy(heap);
}

TEST(heap_threads, the_default_heap_is_made_once) {
  std::vector<std::thread> threads;
  std::vector<hg_heap *> found(4, nullptr);
  for (std::size_t i = 0; i < found.size(); ++i) threads.emplace_back([&found, i] { found[i] = hg_default_heap(); });
  for (std::thread &thread : threads) thread.join();
  for (hg_heap *heap : found) EXPECT_EQ(heap, found[0]);
  EXPECT_NE(found[0], nullptr);
}

TEST(heap_threads, heaps_of_their_own_share_the_page_source) {
  std::vector<std::thread> threads;
  for (unsigned char i = 1; i <= 4; ++i) {
    threads.emplace_back([=] {
      hg_heap *const heap = hg_heap_create();
      ASSERT_NE(heap, nullptr);
      churn(heap, i, 20'000);
      hg_heap_destroy(heap);
    });
  }
  for (std::thread &thread : threads) thread.join();
}

}  // namespace
}  // namespace heap_threads_tests
