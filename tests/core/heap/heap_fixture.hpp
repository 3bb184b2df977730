// A heap under test: on growing memory or on a fixed region, checked after the test, with all memory returned.
#pragma once

#include <gtest/gtest.h>
#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace heapglass_test {

// Deterministic; the same seed gives the same operations everywhere.
struct Random {
  std::uint64_t state;
  std::uint32_t next() {
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 16);
  }
  std::uint32_t below(std::uint32_t n) { return n == 0 ? 0 : next() % n; }
};

inline constexpr std::size_t kWordBytes = sizeof(std::size_t);
inline constexpr std::size_t kAlignBytes = HG_ALIGNMENT;

// Chunk size of a request, as docs/memory_layout.md states it; written anew here on purpose.
inline std::size_t chunk_bytes(std::size_t request) {
  const std::size_t size = (request + kWordBytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes;
  return size < 4 * kWordBytes ? 4 * kWordBytes : size;
}
// Largest request whose chunk has that size.
inline std::size_t request_of(std::size_t chunk) { return chunk - kWordBytes; }

inline hg_heap_stats stats_of(const hg_heap *heap) {
  hg_heap_stats stats;
  hg_heap_get_stats(heap, &stats);
  return stats;
}

#define HG_EXPECT_SOUND(heap)                                  \
  do {                                                         \
    const char *const broken = hg_heap_check(heap);            \
    EXPECT_EQ(broken, nullptr) << (broken ? broken : "");      \
  } while (false)

class GrowingHeap : public ::testing::Test {
 protected:
  void SetUp() override {
    heap = hg_heap_create();
    ASSERT_NE(heap, nullptr);
  }
  void TearDown() override {
    HG_EXPECT_SOUND(heap);
    EXPECT_EQ(stats_of(heap).chunks_in_use, 0u) << "all memory is returned";
    hg_heap_destroy(heap);
  }
  hg_heap *heap = nullptr;
};

class FixedHeap : public ::testing::Test {
 protected:
  static constexpr std::size_t kBytes = 32 * 1024;
  void SetUp() override {
    region.reset(new (std::align_val_t(64)) unsigned char[kBytes]);
    heap = hg_heap_create_fixed(region.get(), kBytes);
    ASSERT_NE(heap, nullptr);
  }
  void TearDown() override {
    HG_EXPECT_SOUND(heap);
    EXPECT_EQ(stats_of(heap).chunks_in_use, 0u) << "all memory is returned";
    hg_heap_destroy(heap);
  }
  struct Free {
    void operator()(unsigned char *p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  std::unique_ptr<unsigned char[], Free> region;
  hg_heap *heap = nullptr;
};

}  // namespace heapglass_test
