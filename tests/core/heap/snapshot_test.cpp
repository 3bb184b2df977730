// Snapshots in the stream: every heap's walk as it is, no record lost whatever the mode, and nothing allocated by it.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "event_recording.hpp"

#if HG_TRACE

namespace heapglass_test {
namespace {

std::uint32_t kind_of(const hg_event &event) { return event.head & 0xff; }

// The walk records of a heap in the snapshot that begins at `at`; behind them `at` is at the next heap, or at the end.
std::vector<hg_walk_record> take_heap(const std::vector<hg_event> &events, std::size_t &at, std::uint32_t *id) {
  const hg_event &head = events.at(at);
  EXPECT_EQ(kind_of(head), static_cast<std::uint32_t>(HG_EVENT_snapshot_heap));
  *id = head.head >> 8 & 0xff;
  std::vector<hg_walk_record> records;
  for (++at; records.size() < head.b; ++at) {
    const hg_event &e = events.at(at);
    EXPECT_GT(kind_of(e), HG_EVENT_WALK);
    records.push_back({e.head - HG_EVENT_WALK, e.a, e.b, e.c});
  }
  return records;
}

void fill(hg_heap *heap, int blocks) {
  std::vector<void *> taken;
  for (int i = 0; i < blocks; ++i) taken.push_back(hg_heap_allocate(heap, static_cast<std::size_t>(20 + i % 300)));
  for (std::size_t i = 0; i < taken.size(); i += 2) hg_heap_deallocate(heap, taken[i]);
}

// Takes only what a full lossless ring gives; in drop mode nobody else reads.
void expect_snapshot(std::uint32_t mode) {
  EventRecording::begin();
  hg_heap *const first = hg_heap_create();
  hg_heap *const second = hg_heap_create();
  fill(first, 30000);  // its walk is longer than the ring
  fill(second, 10);
  EventRecording::read();
  hg_trace_start(mode);
  hg_heap_stats before;
  hg_heap_get_stats(first, &before);
  hg_trace_snapshot();
  hg_heap_stats after;
  hg_heap_get_stats(first, &after);
  EXPECT_EQ(std::memcmp(&before, &after, sizeof before), 0);
  const std::vector<hg_event> events = EventRecording::read();
  ASSERT_EQ(kind_of(events.front()), static_cast<std::uint32_t>(HG_EVENT_snapshot_begun));
  ASSERT_EQ(kind_of(events.back()), static_cast<std::uint32_t>(HG_EVENT_snapshot_ended));
  std::size_t at = 1;
  std::uint32_t found = 0;
  for (std::uint32_t heap = 0; heap < events.front().a; ++heap) {
    std::uint32_t id = 0;
    const std::vector<hg_walk_record> told = take_heap(events, at, &id);
    const hg_heap *const real = id == hg_heap_id(first) ? first : id == hg_heap_id(second) ? second : nullptr;
    if (real == nullptr) continue;  // of other tests
    ++found;
    const std::vector<hg_walk_record> walked = walk_of(real);
    ASSERT_EQ(told.size(), walked.size());
    EXPECT_EQ(std::memcmp(told.data(), walked.data(), told.size() * sizeof told[0]), 0);
  }
  EXPECT_EQ(found, 2u);
  EXPECT_EQ(at, events.size() - 1);
  EXPECT_EQ(hg_trace_ring()->mode, mode);
  hg_heap_destroy(first);
  hg_heap_destroy(second);
  EventRecording::end();
}

TEST(Snapshot, IsTheWalkOfEveryHeap) { expect_snapshot(1); }
TEST(Snapshot, LosesNothingInDropModeEither) { expect_snapshot(0); }

TEST(Snapshot, ACopyOfAllMemoryIsRecordedWithItsNumber) {
  EventRecording::begin();
  hg_trace_kept(7);
  const std::vector<hg_event> events = EventRecording::read();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(kind_of(events[0]), static_cast<std::uint32_t>(HG_EVENT_state_kept));
  EXPECT_EQ(events[0].a, 7u);
  EXPECT_EQ(events[0].head >> 8, 0u) << "of no heap";
  EventRecording::end();
}

TEST(Snapshot, NamesHeapsThatLiveOnly) {
  EventRecording::begin();
  hg_heap *const heap = hg_heap_create();
  const std::uint32_t id = hg_heap_id(heap);
  hg_heap_destroy(heap);
  EventRecording::read();
  hg_trace_snapshot();
  for (const hg_event &e : EventRecording::read()) {
    EXPECT_FALSE(kind_of(e) == HG_EVENT_snapshot_heap && (e.head >> 8 & 0xff) == id);
  }
  EventRecording::end();
}

TEST(Snapshot, FollowsTheNumberOfEventsThatWereNotWritten) {
  EventRecording::begin();
  hg_trace_stop();
  hg_trace_resume();  // tells what other tests did not write
  hg_heap *const heap = hg_heap_create();
  void *const warm = hg_heap_allocate(heap, 100);
  hg_heap_deallocate(heap, warm);
  EventRecording::read();
  hg_heap_deallocate(heap, hg_heap_allocate(heap, 100));
  const std::size_t written = EventRecording::read().size();
  hg_trace_stop();
  hg_heap_deallocate(heap, hg_heap_allocate(heap, 100));
  EXPECT_TRUE(EventRecording::read().empty());
  hg_trace_resume();
  const std::vector<hg_event> events = EventRecording::read();
  ASSERT_EQ(kind_of(events.at(0)), static_cast<std::uint32_t>(HG_EVENT_events_lost));
  EXPECT_EQ(events[0].a, written);
  EXPECT_EQ(kind_of(events.at(1)), static_cast<std::uint32_t>(HG_EVENT_snapshot_begun));
  hg_heap_destroy(heap);
  EventRecording::end();
}

TEST(Snapshot, HasAllHeapsThatThereCanBe) {
  EventRecording::begin();
  std::vector<std::vector<unsigned char>> regions;
  std::vector<hg_heap *> heaps;
  for (;;) {
    regions.emplace_back(8192);
    hg_heap *const heap = hg_heap_create_fixed(regions.back().data(), regions.back().size());
    if (heap == nullptr) break;
    heaps.push_back(heap);
  }
  ASSERT_GT(heaps.size(), 200u);
  EventRecording::read();
  hg_trace_snapshot();
  const std::vector<hg_event> events = EventRecording::read();
  std::set<std::uint32_t> found;
  std::size_t at = 1;
  for (std::uint32_t heap = 0; heap < events.front().a; ++heap) {
    std::uint32_t id = 0;
    take_heap(events, at, &id);
    EXPECT_TRUE(found.insert(id).second) << id;
  }
  for (hg_heap *const heap : heaps) EXPECT_TRUE(found.contains(hg_heap_id(heap))) << hg_heap_id(heap);
  for (hg_heap *const heap : heaps) hg_heap_destroy(heap);
  EventRecording::end();
}

TEST(Mark, CarriesItsTextTwelveBytesAnEvent) {
  EventRecording::begin();
  hg_mark("level 3: the gate");
  const std::vector<hg_event> events = EventRecording::read();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].head, HG_EVENT_text | 12u << 16);
  EXPECT_EQ(events[1].head, HG_EVENT_text | 5u << 16);
  char text[24] = {};
  std::memcpy(text, &events[0].a, 12);
  std::memcpy(text + 12, &events[1].a, 12);
  EXPECT_STREQ(text, "level 3: the gate");
  EXPECT_EQ(kind_of(events[2]), static_cast<std::uint32_t>(HG_EVENT_mark));
  EXPECT_EQ(events[2].head >> 16, 2u);
  EventRecording::end();
}

}  // namespace
}  // namespace heapglass_test

#endif
