// The end of a whole pool reads and writes no page but the one with its state (row B1), proved by the processor: every
// other page of the heap is made unreadable before, and whoever touches one is counted.
//
// In a build with probes ending a heap tells each fact and so reads everything; hence the release build here.
#include <heapglass/heapglass.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "heap/first_chunk.hpp"
#include "platform/page_source.hpp"
#include "pool/memory_pool.hpp"

namespace {

using heapglass::growing_pages;
using heapglass::kPageBytes;

const uintptr_t kSystemPage = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));

uintptr_t address(const void *mem) { return reinterpret_cast<uintptr_t>(mem); }

// While it lives, what it was told to watch is not there; the first touch of a page is counted and makes it be there.
class WatchedPages {
 public:
  WatchedPages() {
    struct sigaction action = {};
    action.sa_sigaction = on_touch;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &before_);
    touched_ = 0;
    pages_ = 0;
    ranges_.clear();
  }
  ~WatchedPages() {
    for (const Range &range : ranges_) protect(range.from, range.to - range.from, PROT_READ | PROT_WRITE);
    sigaction(SIGSEGV, &before_, nullptr);
  }
  WatchedPages(const WatchedPages &) = delete;
  WatchedPages &operator=(const WatchedPages &) = delete;

  // The system's pages that lie wholly in [from, to).
  void watch(uintptr_t from, uintptr_t to) {
    from = (from + kSystemPage - 1) / kSystemPage * kSystemPage;
    to = to / kSystemPage * kSystemPage;
    if (from >= to) return;
    ranges_.push_back({from, to});
    pages_ += (to - from) / kSystemPage;
    protect(from, to - from, PROT_NONE);
  }
  static size_t touched() { return touched_; }
  static size_t pages() { return pages_; }

 private:
  struct Range {
    uintptr_t from, to;
  };
  static void protect(uintptr_t from, size_t bytes, int how) { mprotect(reinterpret_cast<void *>(from), bytes, how); }
  static void on_touch(int, siginfo_t *info, void *) {
    const uintptr_t at = address(info->si_addr);
    for (const Range &range : ranges_) {
      if (at - range.from >= range.to - range.from) continue;
      ++touched_;
      protect(at / kSystemPage * kSystemPage, kSystemPage, PROT_READ | PROT_WRITE);
      return;
    }
    signal(SIGSEGV, SIG_DFL);  // no page of ours: die of it
  }

  struct sigaction before_;
  static inline std::atomic<size_t> touched_ = 0;
  static inline std::atomic<size_t> pages_ = 0;
  static inline std::vector<Range> ranges_;
};

struct Span {
  uintptr_t from, to;
};

// The segments of a heap, by its walk.
std::vector<Span> segments_of(const hg_heap *heap) {
  std::vector<Span> found;
  std::vector<hg_walk_record> part(4096);
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  while (const size_t count = hg_walk_next(&walk, part.data(), part.size())) {
    for (size_t i = 0; i < count; ++i) {
      if ((part[i].kind & 0xff) != HG_WALK_segment) continue;
      const uintptr_t from = heapglass::g_address_base + part[i].address;
      found.push_back({from, from + part[i].size});
    }
  }
  return found;
}

// Watches all of the heap but [state, state_end).
void watch_heap(WatchedPages *watched, const std::vector<Span> &segments, uintptr_t state, uintptr_t state_end) {
  for (const Span &segment : segments) {
    if (segment.from <= state && state < segment.to) {
      watched->watch(segment.from, state / kSystemPage * kSystemPage);
      watched->watch(state_end, segment.to);
    } else {
      watched->watch(segment.from, segment.to);
    }
  }
}

// Fills the pool with `blocks` blocks, a quarter of them on the fixed path.
void fill(hg_memory_pool *pool, size_t blocks) {
  for (size_t i = 0; i < blocks; ++i) {
    const size_t size = 8 + i * 7919 % 57;
    void *const mem = i % 4 == 0 ? hg_memory_pool_allocate_fixed(pool) : hg_memory_pool_allocate(pool, size);
    ASSERT_NE(mem, nullptr);
    std::memset(mem, 0x11, 8);
  }
}

uintptr_t end_of_state(hg_memory_pool *pool) {
  const auto *const state = reinterpret_cast<const heapglass::MemoryPool *>(pool);
  return address(state->pool) + sizeof(heapglass::Pool);
}

// How many pages the end of a pool of `blocks` blocks touches, of how many there are.
void end_of_pool(size_t blocks, size_t *touched, size_t *pages, size_t *segments) {
  hg_memory_pool *const pool = hg_memory_pool_create(24);
  hg_memory_pool *const beside = hg_memory_pool_create(24);  // grows in turn, so that there are many segments
  const size_t turns = blocks < 1000 ? 1 : 500;
  for (size_t turn = 0; turn < turns; ++turn) {
    fill(pool, blocks / turns);
    fill(beside, blocks / turns);
  }
  const uintptr_t state = address(hg_memory_pool_heap(pool));
  const std::vector<Span> spans = segments_of(hg_memory_pool_heap(pool));
  *segments = spans.size();
  {
    WatchedPages watched;
    watch_heap(&watched, spans, state, end_of_state(pool));
    hg_memory_pool_destroy(pool);
    *touched = WatchedPages::touched();
    *pages = WatchedPages::pages();
  }
  EXPECT_STREQ(hg_heap_check(hg_memory_pool_heap(beside)), nullptr);
  hg_memory_pool_destroy(beside);
}

TEST(B1_whole_pool, its_end_touches_no_page_of_its_blocks_whatever_their_number) {
  for (const size_t blocks : {size_t{10}, size_t{1'000'000}}) {
    size_t touched = 0, pages = 0, segments = 0;
    end_of_pool(blocks, &touched, &pages, &segments);
    EXPECT_EQ(touched, 0u) << blocks << " blocks";
    EXPECT_GE(pages, blocks < 100 ? 10u : 8000u) << "what was watched is the heap";
    EXPECT_GE(segments, blocks < 100 ? 1u : 50u);
  }
}

TEST(B1_whole_pool, the_end_of_a_heap_with_pools_among_its_blocks_touches_none_either) {
  hg_heap *const heap = hg_heap_create();
  for (uint32_t i = 0; i < 20; ++i) {
    ASSERT_NE(hg_heap_allocate(heap, 100'000), nullptr);
    const hg_pool_options options = {1 + i % 3, 64, 64, 1, 20};
    hg_pool *const pool = hg_pool_create(heap, &options);
    for (int node = 0; node < 300; ++node) ASSERT_NE(hg_pool_allocate(pool), nullptr);
  }
  {
    WatchedPages watched;
    watch_heap(&watched, segments_of(heap), address(heap), address(heap) + heapglass::kStateBytes);
    hg_heap_destroy(heap);
    EXPECT_EQ(WatchedPages::touched(), 0u);
    EXPECT_GT(WatchedPages::pages(), 400u);
  }
}

TEST(B1_whole_pool, the_watch_counts_who_touches) {  // or the zeros above would prove nothing
  hg_memory_pool *const pool = hg_memory_pool_create(24);
  std::vector<char *> blocks;
  for (int i = 0; i < 50; ++i) blocks.push_back(static_cast<char *>(hg_memory_pool_allocate(pool, 3 * kSystemPage)));
  {
    WatchedPages watched;
    watch_heap(&watched, segments_of(hg_memory_pool_heap(pool)), address(hg_memory_pool_heap(pool)), end_of_state(pool));
    for (char *const block : blocks) *static_cast<volatile char *>(block + kSystemPage) = 1;
    EXPECT_EQ(WatchedPages::touched(), 50u);
    for (char *const block : blocks) *static_cast<volatile char *>(block + kSystemPage) = 2;
    EXPECT_EQ(WatchedPages::touched(), 50u);
  }
  hg_memory_pool_destroy(pool);
}

TEST(B1_whole_pool, memory_of_ended_pools_is_used_before_memory_grows) {
  for (int round = 0; round < 20; ++round) {
    hg_memory_pool *const pool = hg_memory_pool_create(24);
    const heapglass::Word asked = heapglass::growths_asked();
    const uintptr_t frontier = growing_pages()->frontier;
    fill(pool, 100'000);
    if (round > 0) {
      EXPECT_EQ(heapglass::growths_asked(), asked);
      EXPECT_EQ(growing_pages()->frontier, frontier);
    }
    EXPECT_STREQ(hg_heap_check(hg_memory_pool_heap(pool)), nullptr);
    hg_memory_pool_destroy(pool);
  }
}

}  // namespace
