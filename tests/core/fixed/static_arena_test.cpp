// Fixed-block managers over memory that is there from the beginning (row E1).
#include <heapglass/fixed_block.hpp>

#include <array>
#include <limits>

#include "fixed/fixed_rig.hpp"

namespace fixed_tests {
namespace {

using heapglass::fixed_block_manager;
using heapglass::inline_arena;
using heapglass::static_arena;

constexpr size_t kWord = sizeof(void *);

alignas(64) char g_storage[1000];

// All that a manager gives before it has no more.
template <class Manager>
std::set<void *> take_all(Manager &manager, size_t size) {
  std::set<void *> nodes;
  while (void *const node = manager.try_allocate(size)) {
    EXPECT_TRUE(nodes.insert(node).second) << "given twice";
    std::memset(node, 0xa5, size);
  }
  return nodes;
}

TEST(E1_static_arena, an_array_gives_exactly_as_many_nodes_as_fit_into_it) {
  for (const size_t size : {kWord, 2 * kWord, 3 * kWord, 5 * kWord, size_t{1000}}) {
    fixed_block_manager<static_arena> manager(g_storage);
    EXPECT_TRUE(manager.empty());
    EXPECT_EQ(manager.capacity(), 0u);
    const std::set<void *> nodes = take_all(manager, size);
    EXPECT_EQ(nodes.size(), sizeof g_storage / size);
    EXPECT_EQ(manager.capacity(), sizeof g_storage / size);
    EXPECT_EQ(manager.node_size(), size);
    const char *end = g_storage;
    for (const void *node : nodes) {
      EXPECT_GE(static_cast<const char *>(node), end) << "nodes overlap";
      end = static_cast<const char *>(node) + size;
    }
    EXPECT_LE(end, g_storage + sizeof g_storage);
  }
}

TEST(E1_static_arena, an_exhausted_manager_throws_and_serves_again_after_a_return) {
  fixed_block_manager<static_arena> manager(g_storage);
  const std::set<void *> nodes = take_all(manager, 40);
  EXPECT_THROW(manager.allocate(40), std::bad_alloc);
  manager.deallocate(*nodes.begin());
  EXPECT_EQ(manager.allocate(40), *nodes.begin());
  EXPECT_THROW(manager.allocate(40), std::bad_alloc);
  EXPECT_EQ(manager.arena().arenas(), 1u);
}

TEST(E1_static_arena, the_first_request_sets_the_size_that_larger_ones_fail_at) {
  fixed_block_manager<static_arena> manager(g_storage);
  void *const first = manager.allocate(3 * kWord);
  EXPECT_THROW(manager.allocate(3 * kWord + 1), std::bad_alloc);
  EXPECT_EQ(manager.try_allocate(4 * kWord), nullptr);
  EXPECT_EQ(manager.try_allocate(std::numeric_limits<size_t>::max()), nullptr);
  void *const smaller = manager.allocate(1);
  EXPECT_EQ(static_cast<char *>(smaller) - static_cast<char *>(first), static_cast<ptrdiff_t>(3 * kWord));
  EXPECT_EQ(manager.capacity(), sizeof g_storage / (3 * kWord));
}

TEST(E1_static_arena, a_first_request_that_does_not_fit_sets_nothing) {
  fixed_block_manager<static_arena> manager(g_storage);
  EXPECT_EQ(manager.try_allocate(sizeof g_storage + 1), nullptr);
  EXPECT_EQ(manager.try_allocate(std::numeric_limits<size_t>::max()), nullptr);
  EXPECT_TRUE(manager.empty());
  EXPECT_EQ(manager.node_size(), 0u);
  EXPECT_NE(manager.try_allocate(kWord), nullptr);
  EXPECT_EQ(manager.capacity(), sizeof g_storage / kWord);
}

TEST(E1_static_arena, a_node_is_at_least_the_word_its_link_needs) {
  for (const size_t size : {size_t{0}, size_t{1}, kWord - 1}) {
    fixed_block_manager<static_arena> manager(g_storage);
    void *const a = manager.allocate(size);
    void *const b = manager.allocate(size);
    EXPECT_EQ(static_cast<char *>(b) - static_cast<char *>(a), static_cast<ptrdiff_t>(kWord));
    manager.deallocate(a);
    manager.deallocate(b);
    EXPECT_EQ(manager.node_size(), kWord);
    EXPECT_EQ(manager.free_count(), manager.capacity());
  }
}

TEST(E1_static_arena, the_node_returned_last_is_taken_first) {
  fixed_block_manager<static_arena> manager(g_storage);
  void *const a = manager.allocate(24);
  void *const b = manager.allocate(24);
  void *const c = manager.allocate(24);
  manager.deallocate(nullptr);
  manager.deallocate(a);
  manager.deallocate(c);
  EXPECT_EQ(manager.allocate(24), c);
  EXPECT_EQ(manager.allocate(24), a);
  EXPECT_GT(manager.allocate(24), c) << "then the rest is cut";
  manager.deallocate(b, 24);
  EXPECT_EQ(manager.allocate(24), b);
}

TEST(E1_static_arena, nodes_are_aligned_wherever_the_array_lies) {
  for (size_t shift = 0; shift < 2 * kWord; ++shift) {
    fixed_block_manager<static_arena> manager(g_storage + shift, size_t{400});
    for (const void *node : take_all(manager, 4 * kWord)) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(node) % HG_ALIGNMENT, 0u);
      EXPECT_GE(static_cast<const char *>(node), g_storage + shift);
      EXPECT_LE(static_cast<const char *>(node) + 4 * kWord, g_storage + shift + 400);
    }
    const size_t skipped = (HG_ALIGNMENT - shift % HG_ALIGNMENT) % HG_ALIGNMENT;
    EXPECT_EQ(manager.capacity(), (400 - skipped) / (4 * kWord));
  }
}

// The array ends where its last node would, were it aligned; so what is skipped at its beginning costs a node.
TEST(E1_static_arena, no_node_lies_past_the_end_of_a_misaligned_array) {
  constexpr size_t kNode = 4 * kWord;
  for (size_t shift = 0; shift < 2 * kWord; ++shift) {
    for (size_t bytes = 0; bytes <= 3 * kNode; ++bytes) {
      const size_t skipped = (HG_ALIGNMENT - shift % HG_ALIGNMENT) % HG_ALIGNMENT;
      fixed_block_manager<static_arena> manager(g_storage + shift, bytes);
      const std::set<void *> nodes = take_all(manager, kNode);
      ASSERT_EQ(nodes.size(), bytes < skipped ? 0 : (bytes - skipped) / kNode) << bytes << " bytes at " << shift;
      ASSERT_EQ(manager.capacity(), nodes.size());
      for (const void *node : nodes) {
        ASSERT_GE(static_cast<const char *>(node), g_storage + shift);
        ASSERT_LE(static_cast<const char *>(node) + kNode, g_storage + shift + bytes) << bytes << " bytes at " << shift;
      }
    }
  }
}

TEST(E1_static_arena, a_request_for_more_alignment_than_the_first_one_fails) {
  fixed_block_manager<static_arena> manager(g_storage);
  void *const plain = manager.allocate(64);
  EXPECT_EQ(manager.try_allocate(64, 64), nullptr);
  EXPECT_NE(manager.try_allocate(64, HG_ALIGNMENT), nullptr);
  manager.deallocate(plain);
  manager.clear();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(reinterpret_cast<uintptr_t>(manager.allocate(40, 64)) % 64, 0u);
  EXPECT_EQ(manager.node_size(), 64u) << "the next node must be aligned too";
}

TEST(E1_static_arena, clear_frees_everything_without_touching_a_node) {
  fixed_block_manager<static_arena> manager(g_storage);
  const size_t count = take_all(manager, 40).size();
  std::memset(g_storage, 0x5a, sizeof g_storage);  // every node in use, and ours
  manager.clear();
  EXPECT_TRUE(manager.empty());
  for (const char byte : g_storage) ASSERT_EQ(byte, 0x5a);
  EXPECT_NE(manager.try_allocate(40), nullptr);
  for (const char byte : g_storage) ASSERT_EQ(byte, 0x5a) << "neither does the first node after it visit the others";
  EXPECT_EQ(take_all(manager, 40).size(), count - 1);
  manager.clear();
  EXPECT_EQ(take_all(manager, 100).size(), sizeof g_storage / 104) << "of another size";
}

TEST(E1_static_arena, an_arena_may_own_its_bytes) {
  fixed_block_manager<inline_arena<960>> manager;
  const std::set<void *> nodes = take_all(manager, 48);
  EXPECT_EQ(nodes.size(), 20u);
  for (const void *node : nodes) EXPECT_TRUE(manager.holds(node));
  EXPECT_FALSE(manager.holds(g_storage));
  EXPECT_EQ(manager.arena().bytes_held(), 960u);
}

// Constant initialization: usable before any constructor has run.
char g_early[256];
constinit fixed_block_manager<static_arena> g_early_manager(g_early);
void *const g_early_node = g_early_manager.allocate(16);

TEST(E1_static_arena, a_static_manager_serves_constructors_of_other_statics) {
  EXPECT_TRUE(g_early_manager.holds(g_early_node));
  EXPECT_EQ(g_early_manager.capacity(), 16u);
}

}  // namespace
}  // namespace fixed_tests
