// What the checked build says of a damaged heap besides its kind (misuse_test.cpp): at which chunk, what is wrong there, and the word
// that it found.
#include <heapglass/event.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

#include "base/address.hpp"
#include "failure_catcher.hpp"

namespace checked_tests {
namespace {

constexpr size_t kWordBytes = sizeof(size_t);
constexpr size_t kRegionBytes = 65536;
constexpr size_t kInUse = 1, kPreviousInUse = 2;

class Report : public testing::Test {
 protected:
  Report() : region_(std::aligned_alloc(4096, kRegionBytes)), heap_(hg_heap_create_fixed(region_, kRegionBytes)) {}
  ~Report() override { std::free(region_); }  // most heaps here are broken on purpose: nothing in them is touched again

  char *take(size_t size) { return static_cast<char *>(hg_heap_allocate(heap_, size)); }
  void give(void *mem) { hg_heap_deallocate(heap_, mem); }
  // Three blocks of 112 bytes with their headers; the middle one is free.
  void take_row() {
    for (char *&mem : row_) mem = take(104);
    take(104);
    give(row_[1]);
  }

  template <class Function>
  void must_say(uint32_t kind, const void *address, const std::string &detail, Function function) {
    const Caught caught = catch_failure(function);
    EXPECT_EQ(caught.kind, kind) << caught.text;
    EXPECT_EQ(caught.address, address) << caught.text;
    EXPECT_NE(caught.text.find(" (" + detail + ")"), std::string::npos) << caught.text << " has not: " << detail;
  }
  static std::string with(const char *what, size_t found) {
    std::ostringstream text;
    text << what << " 0x" << std::hex << found;
    return text.str();
  }
  static size_t word(const char *at) {
    size_t found;
    std::memcpy(&found, at, kWordBytes);
    return found;
  }
  static void set(char *at, size_t value) { std::memcpy(at, &value, kWordBytes); }

  void *region_;
  hg_heap *heap_;
  char *row_[3];
};

constexpr size_t kSize = 112;

TEST_F(Report, ASizeWordOnTheWayToTheBlockIsNamedAtItsOwnBlock) {
  for (const size_t wrong : {size_t{16} | kInUse | kPreviousInUse, size_t{1} << 40}) {
    take_row();
    set(row_[0] - kWordBytes, wrong);
    must_say(k_damaged_header, row_[0], with("size word", wrong), [&] { give(row_[1]); });
    heap_ = hg_heap_create_fixed(region_, kRegionBytes);
  }
}

TEST_F(Report, AnAddressInsideAFreeChunkIsADoubleFreeAndInsideABlockAMisalignedOne) {
  take_row();
  const auto offset = [&](const char *mem) { return size_t{heapglass::offset_of(mem - kWordBytes)}; };
  must_say(k_double_free, row_[1] + 4 * kWordBytes, with("inside the free chunk at", offset(row_[1])),
           [&] { give(row_[1] + 4 * kWordBytes); });
  must_say(k_misaligned_pointer, row_[0] + 4 * kWordBytes, with("inside the chunk at", offset(row_[0])),
           [&] { give(row_[0] + 4 * kWordBytes); });
}

TEST_F(Report, AnAddressInTheHeapsOwnWordsIsMisalignedThere) {
  take_row();
  must_say(k_misaligned_pointer, static_cast<char *>(region_) + 64, "inside a segment's own words",
           [&] { give(static_cast<char *>(region_) + 64); });
}

TEST_F(Report, ABlocksOwnSizeWordIsNamed) {
  for (const size_t head : {kSize, kSize | kWordBytes | kInUse}) {  // not in use; with a bit that no header has
    take_row();
    set(row_[2] - kWordBytes, head);
    must_say(k_damaged_header, row_[2], with("size word", head), [&] { give(row_[2]); });
    heap_ = hg_heap_create_fixed(region_, kRegionBytes);
  }
}

TEST_F(Report, ANeighbourThatSaysTheBlockIsFreeIsNamed) {
  take_row();
  char *const next = row_[2] + kSize;
  const size_t head = word(next - kWordBytes) & ~kPreviousInUse;
  set(next - kWordBytes, head);
  must_say(k_damaged_tag, row_[2], with("header behind it", head), [&] { give(row_[2]); });
}

TEST_F(Report, AFootThatDoesNotFitTheBlockBeforeIsNamed) {
  for (const size_t foot : {kSize + 16, kSize / 2 + 8, size_t{0}, size_t{1} << 20, kSize | kInUse}) {
    take_row();
    set(row_[2] - 2 * kWordBytes, foot);
    must_say(k_damaged_tag, row_[2], foot == 0 ? "foot before it" : with("foot before it", foot), [&] { give(row_[2]); });
    heap_ = hg_heap_create_fixed(region_, kRegionBytes);
  }
}

TEST_F(Report, ANeighbourThatLeadsOutOfTheSegmentIsNamed) {
  take_row();
  char *const next = row_[2] + kSize;
  const size_t head = kRegionBytes | kInUse | kPreviousInUse;
  set(next - kWordBytes, head);
  must_say(k_damaged_header, row_[2], with("header behind it", head), [&] { give(row_[2]); });
}

// Of a free chunk that the heap found in a bin, or beside a block.

TEST_F(Report, AFreeChunksFootIsNamedWhenItIsTaken) {
  take_row();
  set(row_[1] + kSize - 2 * kWordBytes, 96);
  must_say(k_damaged_tag, row_[1] - kWordBytes, with("foot", 96), [&] { take(104); });
}

TEST_F(Report, AFreeChunksNeighbourThatSaysItIsInUseIsNamed) {
  take_row();
  const size_t head = word(row_[2] - kWordBytes) | kPreviousInUse;
  set(row_[2] - kWordBytes, head);
  must_say(k_damaged_tag, row_[1] - kWordBytes, with("header behind it", head), [&] { take(104); });
}

TEST_F(Report, AFreeChunksSizeWordIsNamed) {
  for (const size_t head : {kSize, kSize | kInUse | kPreviousInUse, size_t{16} | kPreviousInUse, kRegionBytes | kPreviousInUse}) {
    take_row();
    set(row_[1] - kWordBytes, head);
    must_say(k_damaged_header, row_[1] - kWordBytes, with("size word of a free chunk", head), [&] { take(104); });
    heap_ = hg_heap_create_fixed(region_, kRegionBytes);
  }
}

TEST_F(Report, BytesWrittenIntoAFreeChunkAreNamedWhereTheyAre) {
  take_row();
  for (const size_t at : {2 * kWordBytes, kSize - 3 * kWordBytes}) {  // the first behind the links, the last before the foot
    const size_t filled = word(row_[1] + at);
    set(row_[1] + at, 0x1234);
    must_say(k_damaged_link, row_[1] + at, with("written to after it was freed:", 0x1234), [&] { take(104); });
    set(row_[1] + at, filled);
    heap_ = hg_heap_create_fixed(region_, kRegionBytes);
    take_row();
  }
}

TEST_F(Report, LinksThatDoNotLeadBackAreNamed) {
  const size_t outside = reinterpret_cast<size_t>(&heap_) / 16 * 16 + kWordBytes;
  take_row();
  set(row_[1], outside);
  must_say(k_damaged_link, row_[1] - kWordBytes, with("next free", outside), [&] { take(104); });
  heap_ = hg_heap_create_fixed(region_, kRegionBytes);
  take_row();
  set(row_[1] + kWordBytes, outside);
  must_say(k_damaged_link, row_[1] - kWordBytes, with("prev free", outside), [&] { take(104); });
}

TEST_F(Report, ASizeWordThatAWalkMeetsIsNamed) {
  for (const size_t size : {size_t{16}, kRegionBytes - kSize, kRegionBytes, size_t{1} << 40}) {
    take_row();
    const size_t head = size | kInUse | kPreviousInUse;
    set(row_[2] - kWordBytes, head);
    must_say(k_damaged_header, row_[2] - kWordBytes, with("size word", head), [&] {
      hg_walk walk;
      hg_walk_begin(&walk, heap_);
      hg_walk_record record;
      while (hg_walk_next(&walk, &record, 1) != 0) {
      }
    });
    heap_ = hg_heap_create_fixed(region_, kRegionBytes);
  }
}

}  // namespace
}  // namespace checked_tests
