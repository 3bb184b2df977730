// Thread caches and central lists, with played threads: deterministic, and every node's way told by events.
#include <algorithm>
#include <map>

#include "pool/pool_rig.hpp"
#include "small/central.hpp"
#include "small/small_rig.hpp"
#include "support/event_words.hpp"
#include "trace/ring.hpp"

namespace {

using namespace heapglass;
using small_tests::small_stats;

// Rule P3 of event.h, folded over events: who has how many nodes of each pool, and never less than none.
class NodeCounts {
 public:
  struct Of {
    int64_t nodes = 0;
    int64_t central = 0;
    int64_t in_use = 0;
    std::map<uint32_t, int64_t> cached;
    uint32_t nodes_per_block = 0;
    bool size_class = false;
  };

  explicit NodeCounts(uint32_t acting) : acting_(acting) {}

  void apply(const hg_event &event) {
    EXPECT_EQ(heapglass_test::word_out_of_place(event), "");
    const uint32_t kind = event.head & 0xff;
    const uint32_t pool = event.head >> 16;
    switch (kind) {
      case HG_EVENT_thread_changed:
        EXPECT_EQ(event.b, acting_) << "the thread before";
        acting_ = event.a;
        ++thread_changes;
        break;
      case HG_EVENT_pool_created: pools_[pool].nodes_per_block = event.c; break;
      case HG_EVENT_pool_shaped: pools_[pool].size_class = (event.c & 0xff) == HG_SHAPE_size_class; break;
      case HG_EVENT_block_made: {
        Of &of = pools_[pool];
        of.nodes += of.nodes_per_block;
        of.central += of.nodes_per_block;
        break;
      }
      case HG_EVENT_block_retired: {
        Of &of = pools_[pool];
        of.nodes -= of.nodes_per_block;
        of.central -= of.nodes_per_block;
        break;
      }
      case HG_EVENT_batch_fetched:
        EXPECT_EQ(event.c, acting_);
        EXPECT_GE(event.b, 1u);
        EXPECT_LE(event.b, 256u);
        pools_[pool].central -= event.b;
        pools_[pool].cached[event.c] += event.b;
        ++fetches;
        break;
      case HG_EVENT_batch_stored:
        EXPECT_EQ(event.c, acting_);
        EXPECT_LE(event.b, 256u);
        pools_[pool].cached[event.c] -= event.b;
        pools_[pool].central += event.b;
        ++stores;
        break;
      case HG_EVENT_node_taken:
        EXPECT_EQ(event.b, 0u);
        EXPECT_EQ(event.c, 0u);
        --pools_[pool].cached[acting_];
        ++pools_[pool].in_use;
        break;
      case HG_EVENT_node_returned:
        EXPECT_EQ(event.b, 0u);
        EXPECT_EQ(event.c, 0u);
        ++pools_[pool].cached[acting_];
        --pools_[pool].in_use;
        break;
      case HG_EVENT_op_begun: ++begun[event.head >> 16]; break;
      case HG_EVENT_op_ended: ++ended[event.head >> 16]; break;
      default: return;
    }
    if (pool != 0 && kind >= HG_EVENT_pool_created) prove(pools_[pool]);
  }

  void prove(const Of &of) {
    int64_t cached = 0;
    for (const auto &[thread, count] : of.cached) {
      ASSERT_GE(count, 0) << "thread " << thread;
      cached += count;
    }
    ASSERT_GE(of.central, 0);
    ASSERT_GE(of.in_use, 0);
    ASSERT_EQ(of.nodes, of.central + cached + of.in_use);
  }

  Of &operator[](uint32_t pool) { return pools_[pool]; }
  // A pool that was there before, empty.
  void knows(uint32_t pool, uint32_t nodes_per_block) {
    pools_[pool].nodes_per_block = nodes_per_block;
    pools_[pool].size_class = true;
  }

  uint64_t fetches = 0;
  uint64_t stores = 0;
  uint64_t thread_changes = 0;
  std::map<uint32_t, uint64_t> begun;
  std::map<uint32_t, uint64_t> ended;

 private:
  uint32_t acting_;
  std::map<uint32_t, Of> pools_;
};

class PlayedThreads : public small_tests::SmallFront {
 protected:
  void SetUp() override {
    SmallFront::SetUp();
    for (unsigned k = 0; k < kSizeClasses; ++k) counts_.knows(g_central[k].pool->id, span_layout(k).nodes);
    hg_trace_start(0);
    pool_tests::take_events();
  }
  void TearDown() override {
    for (uint32_t thread = 16; thread != 0; --thread) {
      hg_small_play_thread(thread);
      hg_small_flush();
    }
    fold();
    SmallFront::TearDown();
    fold();
    hg_trace_stop();
    for (unsigned k = 0; k < kSizeClasses; ++k) EXPECT_EQ(counts_[g_central[k].pool->id].nodes, 0);
    for (const uint32_t op : {HG_OP_small_allocate, HG_OP_small_deallocate, HG_OP_small_squeeze, HG_OP_small_flush}) {
      EXPECT_EQ(counts_.begun[op], counts_.ended[op]);
    }
  }
  // All events so far, folded; often enough that the ring loses none.
  void fold() {
    for (const hg_event &event : pool_tests::take_events()) counts_.apply(event);
  }
  // The model, the statistics and the walk of the real heap agree.
  void prove_class(size_t size) {
    fold();
    const unsigned k = size_class_of(size);
    NodeCounts::Of &of = counts_[g_central[k].pool->id];
    hg_pool_stats pool;
    hg_pool_get_stats(reinterpret_cast<hg_pool *>(g_central[k].pool), &pool);
    int64_t cached = 0;
    for (const auto &[thread, count] : of.cached) cached += count;
    EXPECT_EQ(static_cast<int64_t>(pool.nodes_free), of.central + cached);
    EXPECT_EQ(static_cast<int64_t>(pool.nodes_in_use), of.in_use);
    prove_stats();
    EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
  }

  // Of all classes together.
  void prove_stats() {
    int64_t in_use = 0, cached = 0, central = 0, spans = 0, span_bytes = 0;
    for (unsigned k = 0; k < kSizeClasses; ++k) {
      const heapglass::SpanLayout layout = span_layout(k);
      const NodeCounts::Of &of = counts_[g_central[k].pool->id];
      const int64_t spans_of_class = of.nodes / layout.nodes;
      in_use += of.in_use * layout.node_size;
      central += of.central * layout.node_size;
      for (const auto &[thread, count] : of.cached) cached += count * layout.node_size;
      spans += spans_of_class;
      span_bytes += spans_of_class * static_cast<int64_t>(layout.block_bytes);
    }
    const hg_small_stats stats = small_stats();
    EXPECT_EQ(static_cast<int64_t>(stats.in_use), in_use);
    EXPECT_EQ(static_cast<int64_t>(stats.cached), cached);
    EXPECT_EQ(static_cast<int64_t>(stats.central), central);
    EXPECT_EQ(static_cast<int64_t>(stats.spans), spans);
    EXPECT_EQ(static_cast<int64_t>(stats.span_bytes), span_bytes);
  }

  NodeCounts counts_{1};
};

class D2_thread_cache : public PlayedThreads {};
class D2_producer_and_consumer : public PlayedThreads {};

TEST_F(D2_thread_cache, one_fetch_serves_a_batch_of_allocations) {
  std::vector<void *> blocks;
  for (int i = 0; i < 256; ++i) blocks.push_back(hg_small_allocate(64));
  fold();
  EXPECT_EQ(counts_.fetches, 1u);
  EXPECT_EQ(counts_.begun[HG_OP_small_allocate], 256u);
  blocks.push_back(hg_small_allocate(64));
  fold();
  EXPECT_EQ(counts_.fetches, 2u);
  for (void *block : blocks) hg_small_deallocate(block);
  prove_class(64);
  EXPECT_EQ(counts_.stores, 0u) << "a list and a spare batch stay with the thread";
}

TEST_F(D2_thread_cache, a_pair_at_the_edge_of_a_batch_does_not_move_one_each_time) {
  std::vector<void *> blocks;
  for (int i = 0; i < 257; ++i) blocks.push_back(hg_small_allocate(128));
  fold();
  const uint64_t before = counts_.fetches;
  for (int i = 0; i < 500; ++i) {
    for (int j = 0; j < 3; ++j) {
      hg_small_deallocate(blocks.back());
      blocks.pop_back();
    }
    for (int j = 0; j < 3; ++j) blocks.push_back(hg_small_allocate(128));
    fold();
  }
  EXPECT_EQ(counts_.fetches, before);
  EXPECT_EQ(counts_.stores, 0u);
  for (void *block : blocks) hg_small_deallocate(block);
  prove_class(128);
}

TEST_F(D2_thread_cache, the_last_block_freed_is_the_first_taken) {
  void *const first = hg_small_allocate(100);
  void *const second = hg_small_allocate(100);
  hg_small_deallocate(first);
  EXPECT_EQ(hg_small_allocate(100), first);
  hg_small_deallocate(second);
  hg_small_deallocate(first);
}

TEST_F(D2_thread_cache, each_thread_has_a_cache_of_its_own) {
  void *const of_one = hg_small_allocate(48);
  hg_small_deallocate(of_one);
  hg_small_play_thread(2);
  EXPECT_EQ(hg_thread_number(), 2u);
  void *const of_two = hg_small_allocate(48);
  EXPECT_NE(of_two, of_one) << "it lies in the cache of thread 1";
  EXPECT_EQ(small_stats().threads, 2u);
  hg_small_play_thread(1);
  EXPECT_EQ(hg_small_allocate(48), of_one);
  hg_small_deallocate(of_one);
  hg_small_deallocate(of_two);  // into the cache of thread 1
  EXPECT_EQ(hg_small_allocate(48), of_two);
  hg_small_deallocate(of_two);
  prove_class(48);
  EXPECT_EQ(counts_.thread_changes, 2u);
  hg_small_play_thread(0);   // no number
  hg_small_play_thread(17);  // beyond what can be played
  EXPECT_EQ(hg_thread_number(), 1u);
}

TEST_F(D2_thread_cache, flushing_leaves_everything_in_the_central_list) {
  std::vector<void *> blocks;
  for (int i = 0; i < 700; ++i) blocks.push_back(hg_small_allocate(32));
  for (void *block : blocks) hg_small_deallocate(block);
  EXPECT_GT(small_stats().cached, 0u);
  hg_small_flush();
  const hg_small_stats stats = small_stats();
  EXPECT_EQ(stats.cached, 0u);
  EXPECT_EQ(stats.threads, 0u);
  EXPECT_EQ(stats.in_use, 0u);
  EXPECT_EQ(stats.central, size_t{span_layout(size_class_of(32)).nodes} * 32 * stats.spans);
  EXPECT_EQ(stats.batches, 3u) << "of 256 nodes each: what three fetches had taken";
  prove_class(32);
}

// One makes, another one frees: the blocks come back to the first through the central list, in batches.
TEST_F(D2_producer_and_consumer, blocks_freed_elsewhere_come_back_in_batches) {
  const size_t one_round = 512;
  size_t spans_after_warming = 0;
  for (int round = 0; round < 30; ++round) {
    std::vector<unsigned char *> made;
    hg_small_play_thread(1);
    for (size_t i = 0; i < one_round; ++i) {
      made.push_back(static_cast<unsigned char *>(hg_small_allocate(80)));
      std::memset(made.back(), static_cast<int>(i), 80);
    }
    fold();
    hg_small_play_thread(2);
    for (size_t i = 0; i < one_round; ++i) {
      ASSERT_EQ(made[i][79], static_cast<unsigned char>(i));
      hg_small_deallocate(made[i]);
    }
    fold();
    if (round == 3) spans_after_warming = small_stats().spans;
  }
  prove_class(80);
  EXPECT_EQ(small_stats().spans, spans_after_warming) << "nothing is lost, nothing grows";
  EXPECT_GE(counts_.fetches, 30u * one_round / 256);
  EXPECT_LE(counts_.fetches, 30u * one_round / 256 + small_stats().spans) << "the last nodes of a span are a shorter batch";
  EXPECT_GE(counts_.stores, 29u * one_round / 256 - 2);
}

// Eight threads at random, each freeing whatever is there; all sizes.
TEST_F(D2_producer_and_consumer, random_threads_lose_nothing) {
  struct Held {
    unsigned char *mem;
    size_t size;
    unsigned char mark;
  };
  std::vector<Held> held;
  uint32_t random = 88172645;
  const auto next = [&] {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    return random;
  };
  for (int i = 0; i < 12'000; ++i) {
    if (next() % 16 == 0) hg_small_play_thread(1 + next() % 8);
    if (next() % 4096 == 0) hg_small_squeeze();
    if (next() % 1024 == 0) hg_small_flush();
    if (held.size() > 400 || (!held.empty() && next() % 5 < 2)) {
      const size_t at = next() % held.size();
      ASSERT_EQ(held[at].mem[0], held[at].mark);
      ASSERT_EQ(held[at].mem[held[at].size - 1], held[at].mark);
      hg_small_deallocate(held[at].mem);
      held[at] = held.back();
      held.pop_back();
    } else {
      const size_t size = 1 + (next() % 8 == 0 ? next() % 70'000 : next() % 1'000);
      unsigned char *const mem = static_cast<unsigned char *>(hg_small_allocate(size));
      ASSERT_NE(mem, nullptr);
      const unsigned char mark = static_cast<unsigned char>(next());
      mem[0] = mem[size - 1] = mark;
      held.push_back({mem, size, mark});
    }
    if (i % 256 == 0) fold();
  }
  EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
  size_t in_use = 0;
  for (const Held &one : held) in_use += one.size <= kSmallMax ? size_of_class(size_class_of(one.size)) : 0;
  EXPECT_EQ(small_stats().in_use, in_use);
  for (const Held &one : held) hg_small_deallocate(one.mem);
  fold();
}

TEST_F(D2_thread_cache, an_operation_is_told_from_beginning_to_end) {
  void *const warm = hg_small_allocate(200);
  hg_small_deallocate(warm);
  pool_tests::take_events();
  const uint32_t pool = g_central[size_class_of(200)].pool->id;
  void *const block = hg_small_allocate(200);
  std::vector<hg_event> events = pool_tests::take_events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].head & 0xff, uint32_t{HG_EVENT_op_begun});
  EXPECT_EQ(events[0].head >> 16, uint32_t{HG_OP_small_allocate});
  EXPECT_EQ(events[0].b, 200u);
  EXPECT_EQ(events[0].c, pool);
  EXPECT_EQ(events[1].head & 0xff, uint32_t{HG_EVENT_node_taken});
  EXPECT_EQ(events[1].head >> 16, pool);
  EXPECT_EQ(events[1].a, pool_tests::at(block));
  EXPECT_EQ(events[2].head & 0xff, uint32_t{HG_EVENT_op_ended});
  EXPECT_EQ(events[2].a, pool_tests::at(block));
  EXPECT_EQ(events[2].b, 224u) << "the size of the class";
  hg_small_deallocate(block);
  events = pool_tests::take_events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].head >> 16, uint32_t{HG_OP_small_deallocate});
  EXPECT_EQ(events[0].a, pool_tests::at(block));
  EXPECT_EQ(events[1].head & 0xff, uint32_t{HG_EVENT_node_returned});
  hg_small_flush();
  pool_tests::take_events();  // the fold would miss what was looked at here
  hg_small_squeeze();
  pool_tests::take_events();
}

// The walk tells every node, cached, central, never cut or in use; and the same thing twice.
TEST_F(D2_thread_cache, the_walk_sees_into_caches_and_central_lists) {
  std::vector<void *> blocks;
  for (int i = 0; i < 300; ++i) blocks.push_back(hg_small_allocate(1000));
  hg_small_play_thread(3);
  for (int i = 0; i < 200; ++i) {
    hg_small_deallocate(blocks.back());
    blocks.pop_back();
  }
  const uint32_t pool = g_central[size_class_of(1000)].pool->id;
  std::set<uint32_t> in_use;
  size_t nodes = 0;
  for (const auto &[address, block] : pool_tests::picture_of(nullptr).blocks) {
    if (block.pool != pool) continue;
    nodes += block.nodes.size();
    for (const auto &[node, used] : block.nodes) {
      if (used) in_use.insert(node);
    }
  }
  std::set<uint32_t> expected;
  for (void *block : blocks) expected.insert(pool_tests::at(block));
  EXPECT_EQ(in_use, expected);
  EXPECT_EQ(nodes, small_stats().spans * span_layout(size_class_of(1000)).nodes);
  EXPECT_EQ(hg_walk_hash(nullptr, nullptr), hg_walk_hash(nullptr, nullptr));
  prove_class(1000);
  for (void *block : blocks) hg_small_deallocate(block);
}

// Threads without a cache take single nodes: of a batch that another thread stored they get as many as they ask for.
TEST_F(D2_thread_cache, no_more_nodes_are_fetched_than_were_asked_for) {
  constexpr unsigned kClass = 3;
  const Word batch = batch_size(kClass);
  for (const Word most : {Word{1}, batch - 1, batch, batch + 1}) {
    const NodeList whole = fetch_nodes(Heap::default_heap(), kClass, batch);
    ASSERT_EQ(whole.count, batch);
    store_batch(kClass, whole.first);
    Word left = batch;
    while (left != 0) {
      const NodeList some = fetch_nodes(Heap::default_heap(), kClass, most);
      ASSERT_GE(some.count, 1u);
      ASSERT_LE(some.count, most);
      Word linked = 0;
      for (void *node = some.first; node != nullptr; node = link_of(node)) ++linked;
      EXPECT_EQ(linked, some.count);
      store_loose(kClass, some);
      left -= some.count < left ? some.count : left;
    }
    EXPECT_LT(g_central[kClass].loose_count, batch) << "small.T3";
  }
}

}  // namespace
