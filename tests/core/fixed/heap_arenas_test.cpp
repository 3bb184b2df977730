// Fixed-block managers on a heap: one block, a chain of equal ones, growing ones (row E1).
#include <heapglass/fixed_block.hpp>
#include <heapglass/growing_arena.hpp>
#include <heapglass/heap_arenas.hpp>

#include <random>

#include "fixed/fixed_rig.hpp"

namespace fixed_tests {
namespace {

using heapglass::arena_chain;
using heapglass::fixed_block_manager;
using heapglass::growing_arena;
using heapglass::heap_arena;

template <class Arena>
class E1_heap_arenas : public ::testing::Test {};
using Arenas = ::testing::Types<heap_arena, arena_chain, growing_arena>;
TYPED_TEST_SUITE(E1_heap_arenas, Arenas);

// Random takes and returns; `each` after every step with the nodes in use.
template <class Manager, class Each>
void exercise(Manager &manager, size_t size, uint32_t seed, int steps, Each each) {
  std::mt19937 random(seed);
  std::set<void *> nodes;
  for (int step = 0; step < steps; ++step) {
    if (nodes.empty() || random() % 100 < (step / 100 % 2 == 0 ? 75u : 35u)) {
      void *const node = manager.try_allocate(size);
      if (node == nullptr) continue;
      ASSERT_TRUE(nodes.insert(node).second) << "given twice";
      std::memset(node, 0xee, size);
    } else {
      auto chosen = nodes.begin();
      std::advance(chosen, random() % nodes.size());
      manager.deallocate(*chosen);
      nodes.erase(chosen);
    }
    each(nodes);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(E1_heap_arenas, a_walk_shows_exactly_the_nodes_in_use) {
  for (const size_t size : {1u, 24u, 48u, 200u}) {
    TestHeap heap;
    fixed_block_manager<TypeParam> manager(heap, size_t{2048});
    exercise(manager, size, static_cast<uint32_t>(size), 400, [&](const std::set<void *> &nodes) {
      expect_in_use(heap, nodes);
      EXPECT_EQ(manager.capacity() - manager.free_count(), nodes.size());
    });
  }
}

TEST(E1_heap_blocks, a_block_that_holds_no_node_or_is_too_large_is_no_run_of_nodes) {
  using heapglass::fixed::heap_blocks;
  using heapglass::fixed::node_run;
  TestHeap heap;
  constexpr size_t kNode = 48;
  constexpr size_t kFirst = heapglass::fixed::tag_place + sizeof(size_t);
  const heapglass::fixed::free_nodes nodes = {nullptr, [](const void *, hg_free_cursor *) -> const void * { return nullptr; }};
  const auto acquired = [&](heap_blocks &blocks, size_t bytes) { return blocks.acquire({kNode, 8}, {bytes, 0}, 7, nodes); };
  const size_t before = bytes_in_use(heap);
  for (const size_t bytes : {size_t{0}, kFirst - 8, kFirst, kFirst + kNode - 1, size_t{1} << 32, (size_t{1} << 32) + 4096}) {
    heap_blocks blocks(heap);
    const node_run run = acquired(blocks, bytes);
    EXPECT_EQ(run.first, nullptr) << bytes;
    EXPECT_EQ(run.count, 0u) << bytes;
    EXPECT_EQ(blocks.blocks(), 0u);
  }
  heap_blocks blocks(heap);
  for (size_t made = 1; made <= 3; ++made) {
    const node_run run = acquired(blocks, kFirst + 2 * kNode);
    ASSERT_NE(run.first, nullptr);
    EXPECT_EQ(run.count, 2u);
    EXPECT_EQ(heapglass::fixed::tag_of(run.first - kFirst), 7u);
    EXPECT_TRUE(blocks.newest_holds(run.first));
    EXPECT_EQ(blocks.blocks(), made);
    EXPECT_EQ(blocks.bytes_held(), made * (kFirst + 2 * kNode));
  }
  blocks.clear();
  EXPECT_EQ(bytes_in_use(heap), before);
}

TYPED_TEST(E1_heap_arenas, the_events_tell_of_each_node_what_a_walk_finds) {
  TestHeap heap;
  NodesAsTold told(heap);
  {
    fixed_block_manager<TypeParam> manager(heap, size_t{1024});
    exercise(manager, 40, 7, 300, [&](const std::set<void *> &nodes) { ASSERT_EQ(told.in_use(), offsets_of(nodes)); });
    EXPECT_EQ(told.in_use(), picture_of(heap).nodes_in_use());
    EXPECT_FALSE(told.in_use().empty());
  }
  EXPECT_TRUE(told.in_use().empty()) << "the manager's end returns what was in use";
  EXPECT_EQ(told.pools(), 0u);
}

TYPED_TEST(E1_heap_arenas, clear_gives_all_blocks_back_with_nodes_in_use) {
  TestHeap heap;
  fixed_block_manager<TypeParam> manager(heap, size_t{1024});
  NodesAsTold told(heap);
  for (const size_t size : {16u, 100u, 16u}) {
    size_t taken = 0;
    while (taken < 100 && manager.try_allocate(size) != nullptr) ++taken;
    EXPECT_GT(taken, 5u);
    EXPECT_EQ(told.in_use().size(), taken);
    const size_t returned = told.returned();
    manager.clear();
    EXPECT_TRUE(told.in_use().empty());
    EXPECT_EQ(told.returned() - returned, taken) << "each was told of once";
    EXPECT_EQ(bytes_in_use(heap), 0u);
    EXPECT_TRUE(manager.empty());
    EXPECT_EQ(manager.arena().arenas(), 0u);
    EXPECT_EQ(manager.arena().bytes_held(), 0u);
  }
}

TYPED_TEST(E1_heap_arenas, cleared_and_run_again_it_gives_the_same_addresses) {
  TestHeap heap;
  fixed_block_manager<TypeParam> manager(heap, size_t{1024});
  std::vector<void *> first, second;
  for (int i = 0; i < 20; ++i) first.push_back(manager.allocate(40));
  manager.clear();
  for (int i = 0; i < 20; ++i) second.push_back(manager.allocate(40));
  EXPECT_EQ(first, second);
}

TYPED_TEST(E1_heap_arenas, over_aligned_nodes_are_aligned_in_every_block) {
  TestHeap heap;
  fixed_block_manager<TypeParam> manager(heap, size_t{8192});
  size_t taken = 0;
  for (; taken < 300; ++taken) {
    void *const node = manager.try_allocate(72, 64);
    if (node == nullptr) break;
    ASSERT_EQ(reinterpret_cast<uintptr_t>(node) % 64, 0u);
  }
  EXPECT_GE(taken, 60u);
  EXPECT_EQ(manager.node_size(), 128u);
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
}

TYPED_TEST(E1_heap_arenas, a_heap_without_room_leaves_the_manager_as_it_was) {
  TestHeap heap(24 * 1024);
  {
    fixed_block_manager<TypeParam> manager(heap, size_t{1024});
    std::set<void *> nodes;
    while (void *const node = manager.try_allocate(100)) nodes.insert(node);
    EXPECT_GE(nodes.size(), 9u);
    EXPECT_THROW(manager.allocate(100), std::bad_alloc);
    expect_in_use(heap, nodes);
    manager.deallocate(*nodes.begin());
    EXPECT_EQ(manager.allocate(100), *nodes.begin());
  }
  void *all = hg_heap_allocate(heap, 20000);
  EXPECT_NE(all, nullptr);
  {
    fixed_block_manager<TypeParam> manager(heap, size_t{8192});
    EXPECT_EQ(manager.try_allocate(100), nullptr);
    EXPECT_TRUE(manager.empty());
    hg_heap_deallocate(heap, all);
    EXPECT_NE(manager.try_allocate(50), nullptr) << "the failed request set nothing";
    EXPECT_LT(manager.node_size(), 100u);
  }
}

TYPED_TEST(E1_heap_arenas, no_heap_given_is_the_default_heap) {
  const DefaultHeapIsKept kept;
  fixed_block_manager<TypeParam> manager;
  void *const node = manager.allocate(24);
  expect_in_use(hg_default_heap(), {node});
  manager.deallocate(node);
}

TEST(E1_heap_arena, takes_one_block_and_no_more) {
  TestHeap heap;
  fixed_block_manager<heap_arena> manager(heap, size_t{1000});
  size_t taken = 0;
  while (manager.try_allocate(48) != nullptr) ++taken;
  const size_t first = (HG_OWNED_BLOCK_HEAD + sizeof(void *) + HG_ALIGNMENT - 1) / HG_ALIGNMENT * HG_ALIGNMENT;
  EXPECT_EQ(taken, (1000 - first) / 48);
  EXPECT_EQ(manager.capacity(), taken);
  EXPECT_EQ(picture_of(heap).blocks.size(), 1u);
  EXPECT_EQ(manager.arena().bytes_held(), 1000u);
}

TEST(E1_heap_arena, a_block_too_small_for_a_node_gives_none) {
  TestHeap heap;
  fixed_block_manager<heap_arena> manager(heap, size_t{100});
  EXPECT_EQ(manager.try_allocate(101), nullptr);
  EXPECT_EQ(manager.try_allocate(size_t{1} << 40), nullptr);
  EXPECT_EQ(bytes_in_use(heap), 0u);
}

TEST(E1_arena_chain, its_blocks_are_equal_and_go_together) {
  TestHeap heap;
  {
    fixed_block_manager<arena_chain> manager(heap, size_t{512});
    std::set<void *> nodes;
    for (int i = 0; i < 100; ++i) nodes.insert(manager.allocate(32));
    const auto picture = picture_of(heap);
    EXPECT_EQ(picture.blocks.size(), manager.arena().arenas());
    EXPECT_EQ(manager.arena().arenas(), 100 / (manager.capacity() / manager.arena().arenas()) + 1);
    for (const auto &[address, block] : picture.blocks) EXPECT_EQ(block.size, 512u);
    expect_in_use(heap, nodes);
  }
  EXPECT_EQ(bytes_in_use(heap), 0u);
}

TEST(E1_growing_arena, each_block_is_twice_the_one_before_until_64_times_the_first) {
  TestHeap heap;
  fixed_block_manager<growing_arena> manager(heap, size_t{1024});
  std::set<void *> nodes;
  for (int i = 0; i < 5000; ++i) nodes.insert(manager.allocate(64));
  std::multiset<uint32_t> sizes;
  for (const auto &[address, block] : picture_of(heap).blocks) sizes.insert(block.size);
  const std::multiset<uint32_t> expected = {1024, 2048, 4096, 8192, 16384, 32768, 65536, 65536, 65536, 65536};
  EXPECT_EQ(sizes, expected);
  EXPECT_EQ(manager.arena().arenas(), expected.size());
  EXPECT_EQ(manager.arena().bytes_held(), 127 * 1024u + 3 * 65536u);
  expect_in_use(heap, nodes);
  for (void *node : nodes) EXPECT_TRUE(manager.holds(node));
  EXPECT_FALSE(manager.holds(&heap));
}

TEST(E1_growing_arena, a_first_block_too_small_for_eight_nodes_is_doubled_until_they_fit_and_the_others_follow_it) {
  TestHeap heap;
  fixed_block_manager<growing_arena> manager(heap, size_t{1024});
  for (int i = 0; i < 30; ++i) EXPECT_NE(manager.allocate(300), nullptr);
  std::multiset<uint32_t> sizes;
  for (const auto &[address, block] : picture_of(heap).blocks) sizes.insert(block.size);
  EXPECT_EQ(sizes, (std::multiset<uint32_t>{4096, 8192}));
}

TEST(E1_growing_arena, its_first_block_holds_eight_nodes_of_any_size) {
  for (const size_t size : {size_t{8}, size_t{1000}, size_t{100000}}) {
    TestHeap heap;
    fixed_block_manager<growing_arena> manager(heap);
    EXPECT_NE(manager.try_allocate(size), nullptr);
    EXPECT_GE(manager.capacity(), 8u);
    EXPECT_STREQ(hg_heap_check(heap), nullptr);
  }
}

TEST(E1_static_arena, inside_a_block_of_a_heap_is_a_chunk_in_use_on_the_walk) {
  TestHeap heap;
  char *const storage = static_cast<char *>(hg_heap_allocate(heap, 1000));
  {
    fixed_block_manager<heapglass::static_arena> manager(storage, size_t{1000});
    void *const node = manager.allocate(100);
    EXPECT_TRUE(manager.holds(node));
    EXPECT_TRUE(picture_of(heap).blocks.empty());
    EXPECT_GT(bytes_in_use(heap), 1000u);
  }
  hg_heap_deallocate(heap, storage);
}

}  // namespace
}  // namespace fixed_tests
