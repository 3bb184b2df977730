// hg_discard_pages of these tests gives the pages back to the system, which then reads zeros there: every test of this program that
// trims also proves that nothing depends on them. To write the zeros took half of the program's time, as a trim lists again what
// earlier tests released.
#include <heapglass/discard.h>
#include <sys/mman.h>

#include "heap_fixture.hpp"
#include "support/held_runs.hpp"

namespace heapglass_test {
namespace {

constexpr std::size_t kPage = 65536;
std::size_t g_discarded = 0;
bool g_whole = true;

using Growing = GrowingHeap;

TEST_F(Growing, ATrimGivesEachWholeFreePageToTheHost) {
  const HeldRuns held;
  std::vector<void *> blocks;
  for (int i = 0; i < 20; ++i) {
    blocks.push_back(hg_heap_allocate(heap, 5 * kPage));
    memset(blocks.back(), 7, 5 * kPage);
  }
  for (int i = 0; i < 20; i += 2) hg_heap_deallocate(heap, blocks[i]);
  g_discarded = 0;
  hg_heap_trim(heap, 0);
  EXPECT_TRUE(g_whole);
  EXPECT_GE(g_discarded, hg_heap_returnable(heap, kPage));
  EXPECT_GE(hg_heap_returnable(heap, kPage), 10 * 4 * kPage);
  HG_EXPECT_SOUND(heap);
  for (int i = 1; i < 20; i += 2) {
    for (std::size_t at = 0; at < 5 * kPage; at += 511) EXPECT_EQ(static_cast<unsigned char *>(blocks[i])[at], 7);
    hg_heap_deallocate(heap, blocks[i]);
  }
}

TEST_F(Growing, BlocksOverDiscardedPagesAreLikeAnyOther) {
  Random random{21};
  std::vector<void *> blocks;
  for (int step = 0; step < 3000; ++step) {
    const std::size_t size = random.below(4) == 0 ? random.below(400'000) : random.below(3000);
    if (blocks.empty() || random.below(2) == 0) {
      blocks.push_back(hg_heap_allocate_zeroed(heap, 1, size));
      const unsigned char *const bytes = static_cast<unsigned char *>(blocks.back());
      ASSERT_TRUE(size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0)) << step;
      memset(blocks.back(), 0x5a, size);
    } else {
      const std::size_t at = random.below(static_cast<std::uint32_t>(blocks.size()));
      hg_heap_deallocate(heap, std::exchange(blocks[at], blocks.back()));
      blocks.pop_back();
    }
    if (step % 20 != 0) continue;
    hg_heap_trim(heap, 0);
    HG_EXPECT_SOUND(heap);
  }
  for (void *const mem : blocks) hg_heap_deallocate(heap, mem);
}

}  // namespace
}  // namespace heapglass_test

extern "C" void hg_discard_pages(void *address, std::size_t bytes) {
  using namespace heapglass_test;
  g_whole = g_whole && bytes != 0 && reinterpret_cast<std::uintptr_t>(address) % kPage == 0 && bytes % kPage == 0;
  EXPECT_EQ(madvise(address, bytes, MADV_DONTNEED), 0);
  g_discarded += bytes;
}
