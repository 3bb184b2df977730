// What the tests of the small front share. There is one front a program, on the default heap, so a test ends as it began:
// nothing in use, no cache, no span, and a heap that holds nothing but what it held before and the classes' pools.
#pragma once

#include <gtest/gtest.h>
#include <heapglass/event.h>
#include <heapglass/heapglass.h>
#include <heapglass/size_class.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

namespace small_tests {

inline hg_small_stats small_stats() {
  hg_small_stats stats;
  hg_small_get_stats(&stats);
  return stats;
}

inline size_t default_heap_in_use() {
  hg_heap_stats stats;
  hg_heap_get_stats(nullptr, &stats);
  return stats.chunks_in_use;
}

// Classes used for the first time take a pool for good: before the test, so that chunks can be counted.
inline void use_every_class_once() {
  for (unsigned k = 0; k < heapglass::kSizeClasses; ++k) {
    hg_small_deallocate(hg_small_allocate(heapglass::size_of_class(k)));
  }
}

class SmallFront : public ::testing::Test {
 protected:
  void SetUp() override {
    use_every_class_once();
    hg_small_flush();
    hg_small_squeeze();
    chunks_before_ = default_heap_in_use();
    EXPECT_EQ(small_stats().spans, 0u);
  }
  void TearDown() override {
    hg_small_flush();
    hg_small_squeeze();
    const hg_small_stats stats = small_stats();
    EXPECT_EQ(stats.spans, 0u);
    EXPECT_EQ(stats.span_bytes, 0u);
    EXPECT_EQ(stats.in_use, 0u);
    EXPECT_EQ(stats.cached, 0u);
    EXPECT_EQ(stats.central, 0u);
    EXPECT_EQ(stats.batches, 0u);
    EXPECT_EQ(stats.threads, 0u);
    EXPECT_EQ(default_heap_in_use(), chunks_before_) << "all memory is returned";
    EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
  }

 private:
  size_t chunks_before_ = 0;
};

// What the document's table says of a size: the upper end of its range, and the alignment.
struct TableRow {
  uint32_t last;
  uint32_t alignment;
};
inline constexpr TableRow kTable[] = {
    {4, 4},         {8, 8},         {12, 4},        {16, 16},       {20, 4},        {24, 8},        {28, 4},
    {32, 32},       {40, 8},        {48, 16},       {56, 8},        {64, 64},       {80, 16},       {96, 32},
    {112, 16},      {128, 128},     {160, 32},      {192, 64},      {224, 32},      {256, 256},     {320, 64},
    {384, 128},     {448, 64},      {512, 512},     {640, 128},     {768, 256},     {896, 128},     {1024, 1024},
    {1280, 256},    {1536, 512},    {1792, 256},    {2048, 2048},   {2560, 512},    {3072, 1024},   {3584, 512},
    {4096, 4096},   {5120, 1024},   {6144, 2048},   {7168, 1024},   {8192, 8192},   {10240, 2048},  {12288, 4096},
    {14336, 2048},  {16384, 16384}, {20480, 4096},  {24576, 8192},  {28672, 4096},  {32768, 32768}, {40960, 8192},
    {49152, 16384}, {57344, 8192}};

}  // namespace small_tests
