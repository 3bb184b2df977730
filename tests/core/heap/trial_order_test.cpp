// The order of the expansion command's trials, each pair of neighbours in it on its own: command.cpp states it.
#include "heap_fixture.hpp"

namespace heapglass_test {
namespace {

constexpr std::size_t kObject = HG_ALIGNMENT;
constexpr std::size_t kObjects = 50;  // more than the subject and the hole behind it, fewer than with the hole before

// wall | hole | subject | hole | wall | top
class TrialOrder : public GrowingHeap {
 protected:
  void SetUp() override {
    GrowingHeap::SetUp();
    for (const std::size_t objects : {std::size_t{1}, std::size_t{60}, std::size_t{10}, std::size_t{20}, std::size_t{1}}) {
      blocks.push_back(static_cast<char *>(hg_heap_allocate(heap, request_of(objects * kObject))));
    }
    hg_heap_deallocate(heap, blocks[1]);
    hg_heap_deallocate(heap, blocks[3]);
  }
  void TearDown() override {
    hg_heap_deallocate(heap, result.mem != nullptr ? result.mem : blocks[2]);
    if (result.mem != nullptr && result.reused == 0) hg_heap_deallocate(heap, blocks[2]);
    hg_heap_deallocate(heap, blocks[0]);
    hg_heap_deallocate(heap, blocks[4]);
    GrowingHeap::TearDown();
  }
  void command(std::uint32_t flags) {
    result = hg_heap_command(heap, flags, kObject, kObjects, kObjects, blocks[2]);
    ASSERT_NE(result.mem, nullptr);
    HG_EXPECT_SOUND(heap);
  }
  // Bytes by which the start moved.
  std::size_t moved() const { return static_cast<std::size_t>(blocks[2] - static_cast<char *>(result.mem)); }

  std::vector<char *> blocks;
  hg_command_result result = {};
};

TEST_F(TrialOrder, with_both_directions_a_new_block_comes_before_backward) {
  command(HG_EXPAND_FWD | HG_EXPAND_BWD | HG_ALLOCATE_NEW);
  EXPECT_EQ(result.reused, 0u);
  EXPECT_EQ(stats_of(heap).chunks_free, 3u) << "both holes and top";
}

TEST_F(TrialOrder, without_forward_backward_comes_before_a_new_block) {
  command(HG_EXPAND_BWD | HG_ALLOCATE_NEW);
  EXPECT_EQ(result.reused, 1u);
  EXPECT_LT(result.mem, static_cast<void *>(blocks[2]));
}

TEST_F(TrialOrder, backward_alone_comes_before_both_directions) {
  command(HG_EXPAND_FWD | HG_EXPAND_BWD);
  EXPECT_EQ(result.reused, 1u);
  EXPECT_GE(moved(), (kObjects - 10 - 1) * kObject) << "all that is missing is taken before, nothing behind";
  EXPECT_EQ(stats_of(heap).chunks_free, 3u) << "the rest of the hole before, the hole behind, and top";
}

TEST_F(TrialOrder, forward_comes_first_where_it_reaches_the_limit) {
  result = hg_heap_command(heap, HG_EXPAND_FWD | HG_EXPAND_BWD | HG_ALLOCATE_NEW, kObject, 20, 20, blocks[2]);
  EXPECT_EQ(result.reused, 1u);
  EXPECT_EQ(moved(), 0u);
}

}  // namespace
}  // namespace heapglass_test
