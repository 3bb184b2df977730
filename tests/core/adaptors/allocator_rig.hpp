// What the tests of the adaptors share.
#pragma once

#include <heapglass/heapglass.h>

#include <cstdint>

namespace adaptor_tests {

inline hg_heap_stats stats_of(hg_heap *heap) {
  hg_heap_stats stats;
  hg_heap_get_stats(heap, &stats);
  return stats;
}

// The default heap is proved and as empty as before when the test ends.
class AsBefore {
 public:
  AsBefore() : chunks_(stats_of(nullptr).chunks_in_use) {}
  AsBefore(const AsBefore &) = delete;
  AsBefore &operator=(const AsBefore &) = delete;
  ~AsBefore() {
    EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
    EXPECT_EQ(stats_of(nullptr).chunks_in_use, chunks_) << "not all memory was returned";
  }

 private:
  size_t chunks_;
};

// A heap on a region that never grows.
class SmallHeap {
 public:
  explicit SmallHeap(size_t bytes) : region_(::operator new(bytes)), heap_(hg_heap_create_fixed(region_, bytes)) {}
  SmallHeap(const SmallHeap &) = delete;
  SmallHeap &operator=(const SmallHeap &) = delete;
  ~SmallHeap() {
    EXPECT_STREQ(hg_heap_check(heap_), nullptr);
    EXPECT_EQ(stats_of(heap_).chunks_in_use, 0u) << "not all memory was returned";
    hg_heap_destroy(heap_);
    ::operator delete(region_);
  }
  operator hg_heap *() const { return heap_; }

 private:
  void *region_;
  hg_heap *heap_;
};

}  // namespace adaptor_tests
