// What is cached is seen: the walk shows each cached chunk, and the events tell the same story to a strict reader.
#include "malloc_event_model.hpp"
#include "malloc_rig.hpp"

#if HG_TRACE

namespace heapglass_test {
namespace {

// The default heap is there before a test begins, so each recorded story is one of a new default heap: in a new process
// of ctest, or here after the old one was ended.
class MallocEvents : public ::testing::Test {
 protected:
  void SetUp() override {
    hg_malloc_flush();
    hg_heap_destroy(hg_default_heap());
    EventRecording::begin();
  }
  void TearDown() override {
    EventRecording::end();
    hg_malloc_flush();
    HG_EXPECT_SOUND(nullptr);
    EXPECT_EQ(stats_of(nullptr).chunks_in_use, 0u);
  }
};

std::uint32_t offset_of_chunk(const void *mem) { return heapglass::offset_of(mem) - static_cast<std::uint32_t>(kWordBytes); }

TEST_F(MallocEvents, TheWalkShowsACachedChunkInPlaceOfOneInUse) {
  unsigned char *const cached = take(100);
  unsigned char *const used = take(100);
  hg_free(cached);
  std::map<std::uint32_t, std::uint32_t> kinds;
  for (const hg_walk_record &record : walk_of_heap(nullptr)) kinds[record.address] = record.kind;
  EXPECT_EQ(kinds[offset_of_chunk(cached)] & 0xff, static_cast<std::uint32_t>(HG_WALK_chunk_cached));
  EXPECT_EQ(kinds[offset_of_chunk(cached)] >> 16, hg_thread_number()) << "its holder";
  EXPECT_EQ(kinds[offset_of_chunk(used)] & 0xff, static_cast<std::uint32_t>(HG_WALK_chunk_in_use));
  EXPECT_EQ(take(100), cached);
  for (const hg_walk_record &record : walk_of_heap(nullptr)) EXPECT_NE(record.kind & 0xff, static_cast<std::uint32_t>(HG_WALK_chunk_cached));
  hg_free(cached);
  hg_free(used);
}

// malloc had never been asked for anything before.
TEST_F(MallocEvents, ABlockOfTheHeapFreedByMallocIsSeenCached) {
  void *const mem = hg_heap_allocate(nullptr, 100);
  hg_free(mem);
  std::size_t cached = 0;
  for (const hg_walk_record &record : walk_of_heap(nullptr)) cached += (record.kind & 0xff) == HG_WALK_chunk_cached;
  EXPECT_EQ(cached, 1u);
}

// What was in a chunk's payload while it was cached must not make it look cached again later.
TEST_F(MallocEvents, AChunkThatWasCachedIsNotSeenSoAfterTheHeapGaveItOutAgain) {
  for (const std::size_t size : {24u, 100u, 1000u}) {
    std::vector<unsigned char *> blocks;
    for (int i = 0; i < 10; ++i) blocks.push_back(take(size));
    for (unsigned char *const block : blocks) hg_free(block);
    hg_malloc_flush();
    for (int i = 0; i < 10; ++i) blocks[static_cast<std::size_t>(i)] = take(size);  // nothing is written to them
    for (const hg_walk_record &record : walk_of_heap(nullptr)) {
      ASSERT_NE(record.kind & 0xff, static_cast<std::uint32_t>(HG_WALK_chunk_cached)) << size << " at " << record.address;
    }
    for (unsigned char *const block : blocks) hg_free(block);
    hg_malloc_flush();
  }
}

struct Play {
  std::vector<void *> blocks;

  std::size_t pick(Random &random) const { return random.below(static_cast<std::uint32_t>(blocks.size())); }
  void drop(std::size_t at) {
    blocks[at] = blocks.back();
    blocks.pop_back();
  }
};

void step(Play &play, Random &random) {
  const std::uint32_t what = random.below(100);
  const std::size_t size = random.below(random.below(20) == 0 ? 40000 : 700);
  if (what < 40 || play.blocks.empty()) {
    play.blocks.push_back(what % 8 == 0 ? hg_memalign(std::size_t{1} << random.below(13), size)
                          : what % 8 == 1 ? hg_calloc(size, 1)
                          : what % 8 == 2 ? hg_heap_allocate(nullptr, size)
                                          : hg_malloc(size));
  } else if (what < 80) {
    const std::size_t at = play.pick(random);
    hg_free(play.blocks[at]);
    play.drop(at);
  } else if (what < 92) {
    const std::size_t at = play.pick(random);
    play.blocks[at] = hg_realloc(play.blocks[at], size + 1);
  } else if (what < 95) {
    hg_realloc_in_place(play.blocks[play.pick(random)], size);
  } else if (what < 97) {
    const std::size_t at = play.pick(random);
    hg_heap_deallocate(nullptr, play.blocks[at]);
    play.drop(at);
  } else if (what < 99) {
    void *some[4] = {};
    for (void *&one : some) {
      if (play.blocks.empty()) break;
      one = play.blocks.back();
      play.blocks.pop_back();
    }
    hg_bulk_free(some, 4);
  } else {
    if (random.below(2) == 0) hg_malloc_flush();
    else hg_malloc_trim(size);
  }
}

TEST_F(MallocEvents, AStrictReaderRebuildsHeapAndCacheAfterEveryOperation) {
  hg_heap *const heap = hg_default_heap();
  MallocEventModel model(hg_heap_id(heap));
  Play play;
  Random random{21};
  for (int i = 0; i < 4000; ++i) {
    step(play, random);
    const std::string wrong = model.apply_all(EventRecording::read());
    ASSERT_EQ(wrong, "") << "in operation " << i;
    const std::string other = difference(walk_of_heap(heap), model.walk());
    ASSERT_EQ(other, "") << "after operation " << i;
  }
  for (void *const block : play.blocks) hg_free(block);
  hg_malloc_flush();
  EXPECT_EQ(model.apply_all(EventRecording::read()), "");
  EXPECT_TRUE(model.cached().empty());
  EXPECT_EQ(difference(walk_of_heap(heap), model.walk()), "");
  EXPECT_GT(model.count(HG_EVENT_chunk_cached), 1000u);
  EXPECT_GT(model.count(HG_EVENT_chunk_reused), 500u);
  EXPECT_EQ(model.count(HG_EVENT_chunk_cached), model.count(HG_EVENT_chunk_reused) + model.count(HG_EVENT_cached_ended));
}

TEST_F(MallocEvents, WhatTheEventsSayIsCachedIsWhatWasFreedAndNotTakenAgain) {
  MallocEventModel model(hg_heap_id(hg_default_heap()));
  std::map<std::uint32_t, std::uint32_t> freed;  // the twin: chunk and size
  std::vector<unsigned char *> blocks;
  Random random{8};
  hg_free(hg_malloc(4 << 20));  // room enough: nothing is flushed
  for (int i = 0; i < 3000; ++i) {
    if (random.below(2) == 0 || blocks.empty()) {
      blocks.push_back(take(random.below(400)));
      freed.erase(offset_of_chunk(blocks.back()));
    } else {
      freed[offset_of_chunk(blocks.back())] = static_cast<std::uint32_t>(hg_malloc_usable_size(blocks.back()) + kWordBytes);
      hg_free(blocks.back());
      blocks.pop_back();
    }
    ASSERT_EQ(model.apply_all(EventRecording::read()), "") << i;
    ASSERT_EQ(model.cached().size(), freed.size()) << i;
  }
  for (const auto &[at, size] : freed) {
    const auto found = model.cached().find(at);
    ASSERT_NE(found, model.cached().end());
    EXPECT_EQ(found->second.size, size);
    EXPECT_EQ(found->second.holder, 1u);
  }
  for (unsigned char *const block : blocks) hg_free(block);
}

TEST_F(MallocEvents, EveryOperationIsFramedOrOneEvent) {
  Play play;
  Random random{33};
  for (int i = 0; i < 3000; ++i) step(play, random);
  for (void *const block : play.blocks) hg_free(block);
  hg_malloc_trim(0);
  std::vector<std::uint32_t> open;
  unsigned whole = 0, inside = 0;
  for (const hg_event &e : EventRecording::read()) {
    const std::uint32_t kind = e.head & 0xff;
    if (kind == HG_EVENT_op_begun) open.push_back(e.head >> 16);
    if (kind == HG_EVENT_op_ended) {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), e.head >> 16);
      open.pop_back();
    }
    const bool is_whole = kind == HG_EVENT_chunk_cached || kind == HG_EVENT_chunk_reused;
    if (open.empty()) { ASSERT_TRUE(is_whole || kind == HG_EVENT_op_ended) << "kind " << kind; }
    whole += open.empty() && is_whole;
    inside += !open.empty() && is_whole;
  }
  EXPECT_TRUE(open.empty());
  EXPECT_GT(whole, 800u);
  EXPECT_GT(inside, 100u);
}

// A free chunk between chunks in use is not touched when others are joined.
TEST_F(MallocEvents, AFlushLeavesLoneFreeChunksInTheirBinsAndJoinsTheOthers) {
  hg_default_heap();
  void *const lone = hg_malloc(1000);
  void *const wall = hg_malloc(24);
  void *const free_one = hg_malloc(1000);
  void *const cached_one = hg_malloc(24);
  void *const other_wall = hg_malloc(24);
  hg_heap_deallocate(nullptr, lone);
  hg_heap_deallocate(nullptr, free_one);
  hg_free(cached_one);
  EventRecording::read();
  const std::size_t cached_bytes = hg_malloc_usable_size(wall) + kWordBytes;
  EXPECT_EQ(hg_malloc_flush(), cached_bytes);
  std::vector<std::uint32_t> removed, inserted, released;
  for (const hg_event &e : EventRecording::read()) {
    if ((e.head & 0xff) == HG_EVENT_bin_removed) removed.push_back(e.a);
    if ((e.head & 0xff) == HG_EVENT_bin_inserted) inserted.push_back(e.a);
    if ((e.head & 0xff) == HG_EVENT_chunk_released) released.push_back(e.a);
  }
  EXPECT_EQ(removed, std::vector<std::uint32_t>{offset_of_chunk(free_one)});
  EXPECT_EQ(inserted, std::vector<std::uint32_t>{offset_of_chunk(free_one)});
  EXPECT_EQ(released, std::vector<std::uint32_t>{offset_of_chunk(cached_one)});
  hg_free(wall);
  hg_free(other_wall);
}

TEST_F(MallocEvents, ARequestThatAListServesIsOneEvent) {
  hg_default_heap();
  hg_free(hg_malloc(64));
  EventRecording::read();
  void *const mem = hg_malloc(60);
  std::vector<std::uint32_t> told;
  for (const hg_event &e : EventRecording::read()) told.push_back(e.head & 0xff);
  EXPECT_EQ(told, std::vector<std::uint32_t>{HG_EVENT_chunk_reused});
  hg_free(mem);
  told.clear();
  for (const hg_event &e : EventRecording::read()) told.push_back(e.head & 0xff);
  EXPECT_EQ(told, std::vector<std::uint32_t>{HG_EVENT_chunk_cached});
}

}  // namespace
}  // namespace heapglass_test

#endif
