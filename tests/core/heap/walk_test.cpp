// What the walk shows and what the proof refuses.
#include "chunk/chunk.hpp"
#include "heap_fixture.hpp"

namespace heapglass_test {
namespace {

using Growing = GrowingHeap;

std::vector<hg_walk_record> walk_of(const hg_heap *heap, std::size_t part_size) {
  std::vector<hg_walk_record> records;
  std::vector<hg_walk_record> part(part_size);
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  while (const std::size_t n = hg_walk_next(&walk, part.data(), part_size)) {
    records.insert(records.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(n));
  }
  return records;
}

TEST_F(Growing, TheWalkIsTheSameInPartsOfAnySize) {
  std::vector<void *> blocks;
  for (int i = 0; i < 40; ++i) blocks.push_back(hg_heap_allocate(heap, static_cast<std::size_t>(i) * 13));
  for (std::size_t i = 0; i < 40; i += 3) hg_heap_deallocate(heap, std::exchange(blocks[i], nullptr));
  const std::vector<hg_walk_record> whole = walk_of(heap, 1000);
  std::size_t counted = 0;
  hg_walk_hash(heap, &counted);
  EXPECT_EQ(counted, whole.size());
  for (const std::size_t part : {1u, 2u, 7u}) {
    const std::vector<hg_walk_record> parts = walk_of(heap, part);
    ASSERT_EQ(parts.size(), whole.size());
    EXPECT_EQ(std::memcmp(parts.data(), whole.data(), whole.size() * sizeof whole[0]), 0);
  }
  for (void *const mem : blocks) hg_heap_deallocate(heap, mem);
}

TEST_F(Growing, TheWalkTilesEverySegmentAndTheHashFollowsItsWords) {
  void *const a = hg_heap_allocate(heap, 100);
  void *const b = hg_heap_allocate(heap, 200);
  hg_heap_deallocate(heap, a);
  const std::vector<hg_walk_record> records = walk_of(heap, 64);
  ASSERT_EQ(records[0].kind & 0xff, static_cast<std::uint32_t>(HG_WALK_segment));
  std::uint32_t at = records[0].extra;
  std::uint32_t hash = 2166136261u;
  for (const hg_walk_record &record : records) {
    const std::uint32_t kind = record.kind & 0xff;
    if (kind >= HG_WALK_chunk_in_use && kind <= HG_WALK_chunk_victim) {
      EXPECT_EQ(record.address, at) << "segment.S4";
      at += record.size;
    }
    for (const std::uint32_t word : {record.kind, record.address, record.size, record.extra}) {
      for (int byte = 0; byte < 4; ++byte) hash = (hash ^ (word >> (8 * byte) & 0xff)) * 16777619u;
    }
  }
  EXPECT_EQ(at, records[0].address + records[0].size - kWordBytes) << "up to the sentinel";
  EXPECT_EQ(hg_walk_hash(heap, nullptr), hash) << "W4";
  hg_heap_deallocate(heap, b);
}

// Writes a wrong word, expects the proof to name the invariant, puts the word back.
void expect_named(const hg_heap *heap, void *word, std::size_t wrong, const char *invariant) {
  std::size_t saved;
  std::memcpy(&saved, word, sizeof saved);
  std::memcpy(word, &wrong, sizeof wrong);
  const char *const named = hg_heap_check(heap);
  EXPECT_NE(named, nullptr) << invariant;
  if (named != nullptr) { EXPECT_EQ(std::string(named).substr(0, std::strlen(invariant)), invariant); }
  std::memcpy(word, &saved, sizeof saved);
  HG_EXPECT_SOUND(heap);
}

TEST_F(Growing, TheProofNamesTheBrokenInvariant) {
  char *const a = static_cast<char *>(hg_heap_allocate(heap, 100));
  char *const hole = static_cast<char *>(hg_heap_allocate(heap, 100));
  char *const b = static_cast<char *>(hg_heap_allocate(heap, 100));
  hg_heap_deallocate(heap, hole);
  const std::size_t size = chunk_bytes(100);
  const std::size_t word = kWordBytes;
  expect_named(heap, hole - word, size + 1, "chunk.C3 P disagrees");
  expect_named(heap, hole - word, 7 * size * 100000 + 2, "chunk.C1");
  expect_named(heap, hole - word, 2, "chunk.C1");
  expect_named(heap, hole - word, size | 2 | 4, "chunk.C4");
  expect_named(heap, hole + size - 2 * word, size + 8, "chunk.C3 foot != size");
  expect_named(heap, b - word, size | 1 | 2, "chunk.C3 P disagrees");
  expect_named(heap, hole, 1, "bins.I4 a link leads outside");
  expect_named(heap, hole + word, reinterpret_cast<std::size_t>(b) - word, "bins.I4 links disagree");
  hg_heap_deallocate(heap, a);
  hg_heap_deallocate(heap, b);
}

TEST_F(Growing, StatisticsAddUp) {
  void *const a = hg_heap_allocate(heap, 1000);
  void *const b = hg_heap_allocate(heap, 2000);
  hg_heap_deallocate(heap, a);
  const hg_heap_stats stats = stats_of(heap);
  EXPECT_EQ(stats.chunks_in_use, 1u);
  EXPECT_EQ(stats.in_use, chunk_bytes(2000));
  EXPECT_EQ(stats.chunks_free, 2u);
  EXPECT_EQ(stats.free_bytes, chunk_bytes(1000) + stats.top_bytes);
  EXPECT_EQ(stats.largest_free, stats.top_bytes);
  EXPECT_LT(stats.footprint - stats.in_use - stats.free_bytes, 8192u) << "state, segment header, sentinel";
  hg_heap_deallocate(heap, b);
}

}  // namespace
}  // namespace heapglass_test
