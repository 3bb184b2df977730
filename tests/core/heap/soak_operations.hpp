// Random operations over all functions of the heap, mirrored by a naive twin: a sorted map of intervals and the bytes
// they should hold. Shared by the soak tests and the event tests.
#pragma once

#include <map>
#include <utility>

#include "heap_fixture.hpp"

namespace heapglass_test {

struct Block {
  std::size_t bytes;  // what may be used
  unsigned char fill;
};

class Twin {
 public:
  explicit Twin(hg_heap *heap) : heap_(heap) {}

  void add(void *mem, std::size_t bytes, std::size_t at_least) {
    ASSERT_NE(mem, nullptr);
    ASSERT_GE(bytes, at_least);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(mem) % kAlignBytes, 0u);
    auto *const start = static_cast<unsigned char *>(mem);
    const auto next = blocks_.lower_bound(start);
    if (next != blocks_.end()) { ASSERT_LE(start + bytes, next->first) << "overlaps the next block"; }
    if (next != blocks_.begin()) {
      const auto before = std::prev(next);
      ASSERT_LE(before->first + before->second.bytes, start) << "overlaps the block before";
    }
    const unsigned char fill = static_cast<unsigned char>(++count_ % 251);
    std::memset(start, fill, bytes);
    blocks_[start] = Block{bytes, fill};
  }

  // The first `bytes` of what mem held are still there.
  void expect_contents(const void *mem, std::size_t bytes, unsigned char fill) {
    const auto *const at = static_cast<const unsigned char *>(mem);
    std::size_t same = 0;
    while (same < bytes && at[same] == fill) ++same;
    ASSERT_EQ(same, bytes) << "the byte behind these is " << +at[same] << ", not " << +fill;
  }

  std::pair<unsigned char *, Block> pick(Random &random) {
    auto it = blocks_.begin();
    std::advance(it, random.below(static_cast<std::uint32_t>(blocks_.size())));
    return *it;
  }
  std::pair<unsigned char *, Block> take(Random &random) {
    const auto picked = pick(random);
    expect_contents(picked.first, picked.second.bytes, picked.second.fill);
    blocks_.erase(picked.first);
    return picked;
  }
  void put_back(const std::pair<unsigned char *, Block> &block) { blocks_.insert(block); }
  void forget(unsigned char *mem) { blocks_.erase(mem); }
  std::size_t size() const { return blocks_.size(); }
  hg_heap *heap() const { return heap_; }

 private:
  hg_heap *heap_;
  std::map<unsigned char *, Block> blocks_;
  unsigned count_ = 0;
};

// One random operation; with more than `most` blocks it is a deallocation.
void perform_one(Twin &twin, Random &random, std::size_t most);

}  // namespace heapglass_test
