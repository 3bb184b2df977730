// The heap's events are facts, and all of them: a strict reader rebuilds the heap from them.
#include "every.hpp"
#include "event_model.hpp"
#include "event_recording.hpp"
#include "platform/page_source.hpp"
#include "soak_operations.hpp"
#include "support/held_runs.hpp"

#if HG_TRACE

namespace heapglass_test {
namespace {

std::string text_of(const hg_event &e) {
  return "kind " + std::to_string(e.head & 0xff) + " detail " + std::to_string(e.head >> 16) + " a " +
         std::to_string(e.a) + " b " + std::to_string(e.b) + " c " + std::to_string(e.c);
}

void apply_all(EventModel &model, const std::vector<hg_event> &events) {
  for (const hg_event &e : events) {
    const std::string wrong = model.apply(e);
    ASSERT_EQ(wrong, "") << text_of(e);
  }
}

void expect_same(const hg_heap *heap, const EventModel &model, int operation) {
  const std::vector<hg_walk_record> real = walk_of(heap);
  const std::vector<hg_walk_record> told = model.walk(hg_heap_id(heap));
  ASSERT_EQ(real.size(), told.size()) << "after operation " << operation;
  for (std::size_t i = 0; i < real.size(); ++i) {
    ASSERT_EQ(std::memcmp(&real[i], &told[i], sizeof real[i]), 0)
        << "record " << i << " after operation " << operation << ": walked " << real[i].kind << ' ' << real[i].address
        << ' ' << real[i].size << ' ' << real[i].extra << ", told " << told[i].kind << ' ' << told[i].address << ' '
        << told[i].size << ' ' << told[i].extra;
  }
}

void follow(hg_heap *heap, std::uint64_t seed, int operations) {
  EventModel model(hg_trace_ring()->word_size);
  Random random{seed};
  Twin twin(heap);
  for (int i = 0; i < operations; ++i) {
    perform_one(twin, random, 150);
    apply_all(model, EventRecording::read());
    expect_same(heap, model, i);
    if (::testing::Test::HasFatalFailure()) return;
  }
  hg_heap_destroy(heap);
  apply_all(model, EventRecording::read());
  EXPECT_EQ(model.chunks(), 0u) << "ending a heap tells the end of every chunk";
}

TEST(HeapEvents, AStrictReaderRebuildsAGrowingHeapFromItsEvents) {
  for (std::uint64_t seed = 1; seed < (every() ? 5 : 2); ++seed) {
    EventRecording::begin();
    follow(hg_heap_create(), seed, 2500);
    EventRecording::end();
  }
}

TEST(HeapEvents, AStrictReaderRebuildsAFullFixedHeapFromItsEvents) {
  for (std::uint64_t seed = 1; seed < (every() ? 5 : 2); ++seed) {
    std::vector<unsigned char> region(32 * 1024);
    EventRecording::begin();
    follow(hg_heap_create_fixed(region.data(), region.size()), seed + 50, 2500);
    EventRecording::end();
  }
}

// A heap that cannot go on where it ends asks for its share of new memory, and for what it needs when that is refused.
TEST(HeapEvents, EachRequestForMemoryIsThereTheRefusedOneToo) {
  const HeldRuns held;
  hg_heap *const heap = hg_heap_create();
  hg_heap *const between = hg_heap_create();
  ASSERT_NE(hg_heap_allocate(heap, 64 * 32 * heapglass::kPageBytes), nullptr);
  ASSERT_NE(hg_heap_allocate(between, 4 * heapglass::kPageBytes), nullptr);
  const std::uint32_t pages = static_cast<std::uint32_t>((heapglass::raw_end() - heapglass::address_base()) / heapglass::kPageBytes);
  EventRecording::begin();
  heapglass::fail_growth(1, 1);
  ASSERT_NE(hg_heap_allocate(heap, stats_of(heap).top_bytes + heapglass::kPageBytes), nullptr);
  heapglass::fail_growth(0);
  std::vector<std::uint32_t> grown;  // worked, pages before, pages behind, pages wanted
  for (const hg_event &e : EventRecording::read()) {
    if ((e.head & 0xff) != HG_EVENT_memory_grown) continue;
    for (const std::uint32_t word : {e.head >> 16, e.a, e.b, e.c / static_cast<std::uint32_t>(heapglass::kPageBytes)}) grown.push_back(word);
  }
  EventRecording::end();
  ASSERT_EQ(grown.size(), 8u);
  EXPECT_EQ(std::vector<std::uint32_t>(grown.begin(), grown.begin() + 3), (std::vector<std::uint32_t>{0, pages, pages}));
  EXPECT_EQ(std::vector<std::uint32_t>(grown.begin() + 4, grown.end()), (std::vector<std::uint32_t>{1, pages, pages + grown[7], grown[7]}));
  EXPECT_GE(grown[3], 64u) << "a thirty-second of the footprint";
  EXPECT_LT(grown[7], 8u);
  hg_heap_destroy(heap);
  hg_heap_destroy(between);
}

TEST(HeapEvents, EveryCallIsFramedByBegunAndEnded) {
  EventRecording::begin();
  hg_heap *const heap = hg_heap_create();
  Random random{9};
  Twin twin(heap);
  for (int i = 0; i < 3000; ++i) perform_one(twin, random, 150);
  hg_heap_destroy(heap);
  std::vector<std::uint32_t> open;
  for (const hg_event &e : EventRecording::read()) {
    const std::uint32_t kind = e.head & 0xff;
    if (kind == HG_EVENT_op_begun) open.push_back(e.head >> 16);
    if (kind == HG_EVENT_op_ended) {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), e.head >> 16) << text_of(e);
      open.pop_back();
    }
    if (kind >= 20 && kind < 40) { ASSERT_FALSE(open.empty()) << "outside any operation: " << text_of(e); }
  }
  EXPECT_TRUE(open.empty());
  EventRecording::end();
}

TEST(HeapEvents, TracingDoesNotChangeWhereAnythingLies) {
  std::vector<hg_walk_record> walks[2];
  std::vector<unsigned char> region(32 * 1024);  // the same: where aligned blocks lie depends on its address
  for (int traced = 0; traced < 2; ++traced) {
    if (traced == 1) EventRecording::begin();
    hg_heap *const heap = hg_heap_create_fixed(region.data(), region.size());
    Random random{4};
    Twin twin(heap);
    for (int i = 0; i < 3000; ++i) perform_one(twin, random, 150);
    walks[traced] = walk_of(heap);
    const std::uint32_t base = walks[traced][0].address;
    for (hg_walk_record &record : walks[traced]) {
      record.address -= base;
      record.kind &= 0xffff00ffu;
    }
    walks[traced][0].extra -= base;
    hg_heap_destroy(heap);
    if (traced == 1) EventRecording::end();
  }
  ASSERT_EQ(walks[0].size(), walks[1].size());
  EXPECT_EQ(std::memcmp(walks[0].data(), walks[1].data(), walks[0].size() * sizeof(hg_walk_record)), 0);
}

TEST(EventRing, InDropModeTheOldestAreOverwrittenAndTheLossCanBeCounted) {
  hg_heap *const heap = hg_default_heap();
  hg_ring *const ring = hg_trace_ring();
  ring->tail_low = ring->head_low;
  hg_trace_start(0);
  const std::uint32_t before = ring->head_low;
  for (std::uint32_t i = 0; i < ring->capacity + 100; ++i) hg_trace_mark(heap, 1, i, 0, 0);
  hg_trace_stop();
  ASSERT_EQ(hg_trace_ring(), ring) << "R4: brings head up to date";
  EXPECT_EQ(ring->head_low - before, ring->capacity + 100);
  EXPECT_EQ(ring->head_low - ring->tail_low - ring->capacity, 100u) << "R2";
  EXPECT_EQ(heapglass::trace::g_records[(ring->head_low - ring->capacity) & (ring->capacity - 1)].a, 100u);
  ring->tail_low = ring->head_low;
}

TEST(EventRing, InLosslessModeTheWriterCallsTheHookBeforeAnythingIsLost) {
  EventRecording::begin();
  hg_heap *const heap = hg_default_heap();
  const std::uint32_t count = hg_trace_ring()->capacity * 2 + 5;
  for (std::uint32_t i = 0; i < count; ++i) hg_trace_mark(heap, 2, i, 0, 0);
  std::uint32_t next = 0;
  for (const hg_event &e : EventRecording::read()) {
    if ((e.head & 0xff) != HG_EVENT_mark) continue;
    ASSERT_EQ(e.a, next++);
  }
  EXPECT_EQ(next, count);
  EventRecording::end();
}

TEST(EventRing, AReaderThatAsksForSmallerBatchesIsCalledWhenOneIsThere) {
  static std::vector<std::uint32_t> batches;
  EventRecording::begin();
  hg_heap *const heap = hg_default_heap();
  hg_ring *const ring = hg_trace_ring();
  hg_set_drain_hook([](hg_ring *of) {
    batches.push_back(of->head_low - of->tail_low);
    of->tail_low = of->head_low;
    if (of->batch < 1000) of->batch *= 2;
  });
  ring->batch = 100;
  for (std::uint32_t i = 0; i < 2000; ++i) hg_trace_mark(heap, 2, i, 0, 0);
  EXPECT_EQ(batches, (std::vector<std::uint32_t>{100, 200, 400, 800})) << "R3";
  EXPECT_EQ(hg_trace_ring()->head_low - ring->tail_low, 500u);
  ring->batch = ring->capacity;
  EventRecording::end();
}

TEST(EventRing, ACheckpointCarriesTheWalkHash) {
  EventRecording::begin();
  hg_heap *const heap = hg_default_heap();
  hg_trace_checkpoint(heap);
  std::size_t records = 0;
  const std::uint32_t hash = hg_walk_hash(heap, &records);
  const std::vector<hg_event> events = EventRecording::read();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().head & 0xff, static_cast<std::uint32_t>(HG_EVENT_checkpoint));
  EXPECT_EQ(events.back().a, hash);
  EXPECT_EQ(events.back().b, records);
  EventRecording::end();
}

}  // namespace
}  // namespace heapglass_test

#endif
