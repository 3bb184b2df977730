// malloc under test: on the default heap, which holds nothing before a test and one free chunk after it.
#pragma once

#include <heapglass/malloc.h>

#include "heap/heap_fixture.hpp"

namespace heapglass_test {

class MallocRig : public ::testing::Test {
 protected:
  void SetUp() override {
    hg_malloc_trim(0);
    left_before_ = stats_of(hg_default_heap()).chunks_in_use;  // 0, but behind a test that failed
  }
  void TearDown() override {
    HG_EXPECT_SOUND(nullptr);
    hg_malloc_flush();
    HG_EXPECT_SOUND(nullptr);
    const hg_heap_stats stats = stats_of(nullptr);
    EXPECT_EQ(stats.chunks_in_use, left_before_) << "all memory is returned";
    if (stats.chunks_in_use == 0) {
      EXPECT_EQ(stats.chunks_free, stats.segments) << "a flushed cache leaves one free chunk a segment";
    }
  }

 private:
  std::size_t left_before_ = 0;
};

inline hg_malloc_stats malloc_stats() {
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  return stats;
}

inline unsigned char *take(std::size_t size) { return static_cast<unsigned char *>(hg_malloc(size)); }

// Bytes that depend on place and mark, so that a shifted or torn copy shows.
inline unsigned char byte_at(std::size_t at, unsigned mark) {
  return static_cast<unsigned char>(mark * 37 + at * 11 + at / 251);
}
inline void fill(unsigned char *mem, std::size_t size, unsigned mark) {
  for (std::size_t i = 0; i < size; ++i) mem[i] = byte_at(i, mark);
}
inline bool has(const unsigned char *mem, std::size_t size, unsigned mark) {
  for (std::size_t i = 0; i < size; ++i) {
    if (mem[i] != byte_at(i, mark)) return false;
  }
  return true;
}

}  // namespace heapglass_test
