// hg_heap_check names each invariant of the heap when it is broken: a proof that nobody has seen fail proves nothing.
#include "heap/heap.hpp"

#include "base/address.hpp"
#include "chunk/segment.hpp"
#include "heap/first_chunk.hpp"
#include "heap_fixture.hpp"
#include "platform/page_source.hpp"
#include "support/damage.hpp"
#include "support/held_runs.hpp"

namespace heapglass {

struct HeapInspector {
  Heap &heap;
  Word &top_size() { return heap.top_size_; }
  Chunk *&top() { return heap.top_; }
  Word &victim_size() { return heap.victim_size_; }
  Chunk *&victim() { return heap.victim_; }
  Chunk *&end() { return heap.end_; }
  Segment *&segments() { return heap.segments_; }
  Segment *&newest() { return heap.newest_; }
  Word &footprint() { return heap.footprint_; }
  Bins &bins() { return heap.bins_; }
};

}  // namespace heapglass

namespace heapglass_test {
namespace {

using heapglass::address_of;
using heapglass::Bins;
using heapglass::Chunk;
using heapglass::chunk_of;
using heapglass::HeapInspector;
using heapglass::Segment;

std::size_t g_outside[8];  // in no heap

constexpr std::size_t kSmallHole = 200, kLargeHole = 20'000;

// Two holes in one small bin, two in one large bin, a victim and top, with blocks in use between them.
class HeapCheck : public GrowingHeap {
 protected:
  void SetUp() override {
    GrowingHeap::SetUp();
    for (const std::size_t size : {kSmallHole, kSmallHole, kLargeHole, kLargeHole, std::size_t{5000}}) {
      holes_.push_back(hg_heap_allocate(heap, size));
      walls_.push_back(hg_heap_allocate(heap, 24));
    }
    for (void *const hole : holes_) hg_heap_deallocate(heap, hole);
    walls_.push_back(hg_heap_allocate(heap, 300));  // from the hole of 5000: what is left is the victim
    ASSERT_EQ(proof_of(heap), "");
    ASSERT_NE(look().victim(), nullptr);
    ASSERT_NE(look().top(), nullptr);
  }
  void TearDown() override {
    for (void *const wall : walls_) hg_heap_deallocate(heap, wall);
    GrowingHeap::TearDown();
  }
  Chunk *hole(int number) const { return chunk_of(holes_[static_cast<std::size_t>(number)]); }
  Chunk *wall(int number) const { return chunk_of(walls_[static_cast<std::size_t>(number)]); }

  HeapInspector look() const { return {*reinterpret_cast<heapglass::Heap *>(heap)}; }

 private:
  std::vector<void *> holes_, walls_;
};

TEST_F(HeapCheck, NamesAWrongChunk) {
  Chunk *const used = wall(0);
  Chunk *const free = hole(0);
  expect_found(heap, "chunk.C1", used->head, heapglass::kAlign | (used->head & heapglass::kFlags));
  expect_found(heap, "chunk.C1", used->head, (std::size_t{1} << 40) | (used->head & heapglass::kFlags));
  expect_found(heap, "chunk.C3", used->head, used->head ^ heapglass::kPrevInUse);
  expect_found(heap, "chunk.C3", free->head, free->head ^ heapglass::kInUse);
  expect_found(heap, "chunk.C4", used->head, used->head ^ heapglass::kInUse);
  auto &foot = *reinterpret_cast<std::size_t *>(reinterpret_cast<char *>(free) + heapglass::size_of(free) - kWordBytes);
  ASSERT_EQ(foot, heapglass::size_of(free));
  expect_found(heap, "chunk.C3 foot", foot, foot + heapglass::kAlign);
}

TEST_F(HeapCheck, NamesAWrongSegment) {
  Segment *const segment = look().segments();
  expect_found(heap, "segment.S1", segment->size, segment->size + 8);
  expect_found(heap, "segment.S5", segment->heap, nullptr);
  expect_found(heap, "segment.S3", look().end()->head, look().end()->head ^ heapglass::kInUse);
  expect_found(heap, "segment.S3", look().end()->head, look().end()->head | 4 * heapglass::kAlign);
  expect_found(heap, "chunk.C3 the sentinel", look().end()->head, look().end()->head ^ heapglass::kPrevInUse);
  expect_found(heap, "heap.H3 end", look().end(), wall(5));
  expect_found(heap, "heap.H3", look().newest(), nullptr);
  expect_found(heap, "H footprint", look().footprint(), look().footprint() + 1);
}

TEST_F(HeapCheck, NamesSegmentsThatOverlapOrAreOutOfOrder) {
  const HeldRuns held;
  void *const first = hg_heap_allocate(heap, 2'000'000);
  heapglass::grow_by_others(heapglass::kPageBytes);
  void *const second = hg_heap_allocate(heap, 2'000'000);
  Segment *const segment = look().segments();
  ASSERT_NE(segment->next, nullptr);
  expect_found(heap, "heap.H5", segment->next, segment);
  expect_found(heap, "heap.H5", segment->next, moved(segment, segment->size - heapglass::kAlign));
  expect_found(heap, "heap.H3 end", segment->next, nullptr);
  hg_heap_deallocate(heap, first);
  hg_heap_deallocate(heap, second);
}

TEST_F(HeapCheck, NamesABinWhoseListIsWrong) {
  Bins &bins = look().bins();
  for (const int first : {0, 2}) {
    const unsigned bin = heapglass::bin_of(heapglass::size_of(hole(first)));
    Chunk *const head = bins.heads[bin];
    ASSERT_EQ(head, hole(first + 1));
    ASSERT_EQ(head->next, hole(first));
    expect_found(heap, "bins.I4 links", head->next->prev, nullptr);
    expect_found(heap, "bins.I4 links", head->prev, hole(first));
    expect_found(heap, "bins.I4 a link leads outside", head->next, reinterpret_cast<Chunk *>(g_outside));
    expect_found(heap, "bins.I4 a link leads outside", bins.heads[bin], moved(head, 8));
    expect_found(heap, "heap.H1 a free chunk is in no place", head->next, nullptr);
    expect_found(heap, "bins.I3 bin map", bins.heads[bin], nullptr);
    expect_found(heap, "bins.I1", bins.heads[bin], hole(3 - first));
  }
}

TEST_F(HeapCheck, NamesABinMapThatIsWrong) {
  Bins &bins = look().bins();
  const unsigned small = heapglass::bin_of(heapglass::size_of(hole(0)));
  const unsigned large = heapglass::bin_of(heapglass::size_of(hole(2))) - heapglass::kSmallBins;
  const unsigned power = large / heapglass::kSteps, step = large % heapglass::kSteps;
  expect_found(heap, "bins.I3 bin map", bins.small_map, bins.small_map ^ 1u << small);
  expect_found(heap, "bins.I3 bin map", bins.small_map, bins.small_map ^ 1u << (heapglass::kSmallBins - 1));
  expect_found(heap, "bins.I3 a map has a bit of no bin", bins.small_map, bins.small_map | 1u << heapglass::kSmallBins);
  expect_found(heap, "bins.I3 a map has a bit of no bin", bins.first_map, bins.first_map | 1u << heapglass::kPowers);
  expect_found(heap, "bins.I3 bin map", bins.second_map[power], bins.second_map[power] ^ 3u << (step == 0 ? 0 : step - 1));
  expect_found(heap, "bins.I3 first map", bins.first_map, bins.first_map ^ 1u << power);
  expect_found(heap, "bins.I3 first map", bins.first_map, bins.first_map ^ 1u << 19);
}

TEST_F(HeapCheck, NamesTopAndVictimThatAreNotWhatTheySay) {
  expect_found(heap, "heap.H4 top", look().top_size(), look().top_size() + heapglass::kAlign);
  expect_found(heap, "heap.H3 a free chunk at the end", look().top(), hole(0));
  expect_found(heap, "heap.H4 victim", look().victim_size(), look().victim_size() - heapglass::kAlign);
  expect_found(heap, "heap.H4 victim", look().victim(), wall(0));
  expect_found(heap, "heap.H4 victim", look().victim(), nullptr);
  look().victim_size() = 0;
  Chunk *const victim = look().victim();
  look().victim() = nullptr;
  EXPECT_EQ(proof_of(heap).substr(0, 35), "heap.H1 a free chunk is in no place");
  look().victim() = victim;
  look().victim_size() = heapglass::size_of(victim);
}

}  // namespace
}  // namespace heapglass_test
