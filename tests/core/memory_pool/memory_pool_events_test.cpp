// The life of a memory pool as its events tell it, to the end: nothing of it is left then (rows B1, B2).
#include "heap/event_model.hpp"
#include "pool/pool_rig.hpp"

namespace pool_tests {
namespace {

using heapglass_test::EventModel;

// Chunks by the strict reader, blocks and nodes by a set each.
struct Story {
  EventModel chunks{sizeof(void *)};
  std::set<uint32_t> blocks, nodes_in_use;
  std::map<uint32_t, uint32_t> kinds;  // kind -> events

  void read_on() {
    for (const hg_event &event : take_events()) {
      const uint32_t kind = event.head & 0xff;
      ++kinds[kind];
      ASSERT_EQ(chunks.apply(event), "") << "kind " << kind;
      switch (kind) {
        case HG_EVENT_block_made: ASSERT_TRUE(blocks.insert(event.a).second); break;
        case HG_EVENT_block_retired: ASSERT_EQ(blocks.erase(event.a), 1u); break;
        case HG_EVENT_node_taken: ASSERT_TRUE(nodes_in_use.insert(event.a).second); break;
        case HG_EVENT_node_returned: ASSERT_EQ(nodes_in_use.erase(event.a), 1u); break;
        default: break;
      }
    }
  }
};

TEST(B1_memory_pool_events, tell_every_block_and_node_and_nothing_is_left_at_the_end) {
  hg_trace_start(0);
  take_events();
  Story story;
  hg_memory_pool *const pool = hg_memory_pool_create(40);
  std::vector<void *> fixed, any;
  for (uint32_t i = 0; i < 3000; ++i) {
    if (i % 5 == 4 && i % 10 == 9) {
      hg_memory_pool_deallocate_fixed(fixed.back());
      fixed.pop_back();
    } else if (i % 5 == 4) {
      hg_memory_pool_deallocate(pool, any.front());
      any.erase(any.begin());
    } else {
      fixed.push_back(hg_memory_pool_allocate_fixed(pool));
      any.push_back(hg_memory_pool_allocate(pool, 1 + i % 200));
    }
    story.read_on();
    if (HasFatalFailure()) return;
  }
  const PoolPicture picture = picture_of(hg_memory_pool_heap(pool));
  EXPECT_EQ(story.nodes_in_use, picture.nodes_in_use());
  EXPECT_EQ(story.blocks.size(), picture.blocks.size());
  EXPECT_EQ(story.nodes_in_use.size(), fixed.size());
  hg_memory_pool_destroy(pool);
  story.read_on();
  hg_trace_stop();
  EXPECT_TRUE(story.blocks.empty());
  EXPECT_TRUE(story.nodes_in_use.empty());
  EXPECT_EQ(story.chunks.chunks(), 0u);
  EXPECT_TRUE(story.chunks.walk(1).empty());
  EXPECT_EQ(story.kinds[HG_EVENT_pool_created], 1u);
  EXPECT_EQ(story.kinds[HG_EVENT_pool_destroyed], 1u);
  EXPECT_EQ(story.kinds[HG_EVENT_heap_created], 1u);
  EXPECT_EQ(story.kinds[HG_EVENT_heap_destroyed], 1u);
  EXPECT_EQ(story.kinds[HG_EVENT_segment_added], story.kinds[HG_EVENT_segment_removed]);
}

}  // namespace
}  // namespace pool_tests
