// A2, command.X5: a command for new memory alone takes the same chunk as a search would, and records the same events.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "chunk/chunk.hpp"
#include "heap/event_recording.hpp"
#include "heap/heap.hpp"
#include "heap/heap_fixture.hpp"

namespace heapglass {

// Reaches the search below the public calls.
struct HeapInspector {
  static void *search(Heap &heap, Word request) {
    Chunk *const c = heap.obtain(chunk_size_for(request), request);
    return c != nullptr ? mem_of(c) : nullptr;
  }
};

}  // namespace heapglass

namespace heapglass_test {
namespace {

using heapglass::Heap;
using heapglass::HeapInspector;

constexpr std::size_t kRegion = 512 * 1024;
constexpr int kSteps = 3000;

enum class Way { kCommand, kAllocate, kSearch };

struct Done {
  std::vector<std::size_t> offsets;  // of the blocks, in order
  std::vector<hg_event> decisions;   // events, without what names the operation
};

unsigned kind_of(const hg_event &event) { return event.head & 0xffu; }
bool names_the_operation(const hg_event &event) {
  const unsigned kind = kind_of(event);
  return kind == HG_EVENT_op_begun || kind == HG_EVENT_op_ended || kind == HG_EVENT_command_tried;
}

void *take(hg_heap *heap, Way way, std::uint32_t object_size, std::uint32_t limit, std::uint32_t preferred) {
  // A command asks for a whole chunk, so the other ways do, too.
  const std::size_t request = request_of(chunk_bytes(std::size_t{object_size} * preferred));
  if (way == Way::kAllocate) return hg_heap_allocate(heap, request);
  if (way == Way::kSearch) return HeapInspector::search(*reinterpret_cast<Heap *>(heap), request);
  const hg_command_result result = hg_heap_command(heap, HG_ALLOCATE_NEW, object_size, limit, preferred, nullptr);
  EXPECT_EQ(result.status, HG_STATUS_ok);
  EXPECT_EQ(result.reused, 0u);
  EXPECT_EQ(result.received, hg_usable_size(result.mem) / object_size);
  return result.mem;
}

// One random program on a heap of its own in `region`; small blocks mostly, so that bins, victim and top all serve.
Done run(Way way, std::uint64_t seed, unsigned char *region) {
  Done done;
  hg_heap *const heap = hg_heap_create_fixed(region, kRegion);
  EventRecording::begin();
  Random random{seed};
  std::vector<void *> live;
  for (int step = 0; step < kSteps; ++step) {
    if (live.size() < 400 && random.below(100) < 55) {
      const std::uint32_t object_size = 1 + random.below(24);
      const std::uint32_t preferred = random.below(random.below(10) == 0 ? 100 : 12);
      void *const mem = take(heap, way, object_size, random.below(preferred + 1), preferred);
      EXPECT_NE(mem, nullptr) << "the region is large enough";
      if (mem == nullptr) break;
      done.offsets.push_back(static_cast<std::size_t>(static_cast<unsigned char *>(mem) - region));
      live.push_back(mem);
    } else if (!live.empty()) {
      std::swap(live[random.below(static_cast<std::uint32_t>(live.size()))], live.back());
      hg_heap_deallocate(heap, live.back());
      live.pop_back();
    }
  }
  const std::vector<hg_event> events = EventRecording::read();
  std::remove_copy_if(events.begin(), events.end(), std::back_inserter(done.decisions), names_the_operation);
  EventRecording::end();
  HG_EXPECT_SOUND(heap);
  for (void *const mem : live) hg_heap_deallocate(heap, mem);
  EXPECT_EQ(stats_of(heap).chunks_in_use, 0u) << "all memory is returned";
  hg_heap_destroy(heap);
  return done;
}

TEST(A2_new_memory, by_command_lies_where_a_search_and_allocate_would_put_it) {
  const std::unique_ptr<unsigned char[]> memory(new unsigned char[kRegion + 64]);
  unsigned char *const region = memory.get() + (64 - reinterpret_cast<std::uintptr_t>(memory.get()) % 64);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Done searched = run(Way::kSearch, seed, region);
    for (const Way way : {Way::kCommand, Way::kAllocate}) {
      const Done quick = run(way, seed, region);
      ASSERT_EQ(quick.offsets, searched.offsets) << "seed " << seed;
      ASSERT_GT(quick.offsets.size(), 1000u);
      ASSERT_EQ(quick.decisions.size(), searched.decisions.size()) << "seed " << seed;
      for (std::size_t i = 0; i < quick.decisions.size(); ++i) {
        ASSERT_EQ(std::memcmp(&quick.decisions[i], &searched.decisions[i], sizeof(hg_event)), 0)
            << "seed " << seed << ", event " << i << ", kind " << kind_of(quick.decisions[i]);
      }
    }
  }
}

// A region with holes of random sizes; with top used up the largest free chunk is in a bin.
TEST(A2_new_memory, that_is_not_there_is_answered_with_the_largest_limit_that_a_new_call_meets) {
  const std::unique_ptr<unsigned char[]> memory(new unsigned char[kRegion]);
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    hg_heap *const heap = hg_heap_create_fixed(memory.get(), kRegion);
    Random random{seed};
    std::vector<void *> live;
    while (void *const mem = hg_heap_allocate(heap, 16 + random.below(6000))) live.push_back(mem);
    while (void *const mem = hg_heap_allocate(heap, 16)) live.push_back(mem);
    for (std::size_t i = 0; i < live.size(); i += 2 + random.below(4)) {
      hg_heap_deallocate(heap, live[i]);
      live[i] = nullptr;
    }
    const std::uint32_t object_size = 1 + random.below(64);
    const auto ask = [&](std::size_t limit) {
      return hg_heap_command(heap, HG_ALLOCATE_NEW | HG_NOTHROW_ALLOCATION, object_size, limit, limit, nullptr);
    };
    const hg_command_result refused = ask(kRegion);
    ASSERT_EQ(refused.mem, nullptr);
    ASSERT_GT(refused.received, 0u) << "seed " << seed;
    EXPECT_EQ(ask(refused.received + 1).mem, nullptr) << "more could be met, seed " << seed;
    const hg_command_result met = ask(refused.received);
    EXPECT_NE(met.mem, nullptr) << "seed " << seed;
    if (met.mem != nullptr) live.push_back(met.mem);
    HG_EXPECT_SOUND(heap);
    for (void *const mem : live)
      if (mem != nullptr) hg_heap_deallocate(heap, mem);
    EXPECT_EQ(stats_of(heap).chunks_in_use, 0u) << "all memory is returned";
    hg_heap_destroy(heap);
  }
}

}  // namespace
}  // namespace heapglass_test
