// adaptive_pool and node_allocator (rows A8 to A11) without Boost: the standard's containers, and who owns a node.
#include <heapglass/adaptive_pool.hpp>
#include <heapglass/node_allocator.hpp>

#include <array>
#include <list>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "adaptors/allocator_rig.hpp"

// Every member compiles, of both versions and for a type that no node can hold.
template class heapglass::adaptive_pool<int>;
template class heapglass::adaptive_pool<int, 32, 1, heapglass::kOnlyAlignment, 1>;
template class heapglass::node_allocator<int>;
template class heapglass::node_allocator<int, 32, 1>;
template class heapglass::node_allocator<char[5000]>;
template class heapglass::detail::pooled_allocator<int, 2, heapglass::detail::pool_rule<HG_SHAPE_adaptive, 32, 1, 5>>;
template class heapglass::detail::pooled_allocator<int, 1, heapglass::detail::pool_rule<HG_SHAPE_segregated, 32, 0, 0>>;
template class heapglass::detail::pooled_allocator<char[5000], 2, heapglass::detail::pool_rule<HG_SHAPE_segregated, 32, 0, 0>>;

namespace adaptor_tests {
namespace {

hg_pool_stats pool_stats(const hg_pool *pool) {
  hg_pool_stats stats;
  hg_pool_get_stats(pool, &stats);
  return stats;
}

// The template's parameters come in the order of Boost.Container, and rebind keeps all of them.
template <class Allocator>
using ForLong = typename std::allocator_traits<Allocator>::template rebind_alloc<long>;
static_assert(std::is_same_v<ForLong<heapglass::adaptive_pool<int, 20, 3, 5, 1>>, heapglass::adaptive_pool<long, 20, 3, 5, 1>>);
static_assert(std::is_same_v<ForLong<heapglass::node_allocator<int, 20, 1>>, heapglass::node_allocator<long, 20, 1>>);
static_assert(heapglass::adaptive_pool<int, 20, 3, 5, 1>::version::value == 1 && heapglass::adaptive_pool<int>::version::value == 2);
static_assert(heapglass::node_allocator<int, 20, 1>::version::value == 1 && heapglass::node_allocator<int>::version::value == 2);
// What a program gets that names none of them: blocks of 256 nodes, two free ones kept, two percent of headers.
static_assert(std::is_base_of_v<heapglass::detail::pooled_allocator<int, 2, heapglass::detail::pool_rule<HG_SHAPE_adaptive, 256, 2, 2>>,
                                heapglass::adaptive_pool<int>>);

// Version 1 is the standard's interface, version 2 has Boost's beside it.
template <class A>
concept HasArrays = requires(A a, typename A::pointer p, size_t n, typename A::multiallocation_chain chain) {
  a.size(p);
  a.allocation_command(1u, n, n, p);
  a.allocate_many(n, n, chain);
  a.allocate_many(&n, n, chain);
  a.deallocate_many(chain);
};
template <class A>
concept HasAnyOfVersion2 =
    requires(A a, typename A::pointer p) { a.size(p); } || requires(A a) { a.allocate_one(); } ||
    requires(A a, typename A::pointer p) { a.deallocate_one(p); } ||
    requires(A a, size_t n, typename A::pointer p) { a.allocation_command(1u, n, n, p); } ||
    requires(A a, size_t n, typename A::multiallocation_chain chain) { a.allocate_individual(n, chain); } ||
    requires(A a, typename A::multiallocation_chain chain) { a.deallocate_individual(chain); } ||
    requires(A a, size_t n, typename A::multiallocation_chain chain) { a.allocate_many(n, n, chain); } ||
    requires(A a, size_t n, typename A::multiallocation_chain chain) { a.allocate_many(&n, n, chain); } ||
    requires(A a, typename A::multiallocation_chain chain) { a.deallocate_many(chain); };
static_assert(HasArrays<heapglass::adaptive_pool<int>> && HasArrays<heapglass::node_allocator<int>>);
static_assert(!HasAnyOfVersion2<heapglass::adaptive_pool<int, 20, 3, 5, 1>>);
static_assert(!HasAnyOfVersion2<heapglass::node_allocator<int, 20, 1>>);

// More free blocks than the pool can count are all of them.
template <size_t MaxFreeBlocks>
constexpr uint32_t kKept = heapglass::detail::pool_rule<HG_SHAPE_adaptive, 32, MaxFreeBlocks, 5>::options(8).max_free_blocks;
static_assert(kKept<0> == 0 && kKept<3> == 3 && kKept<0xfffe> == 0xfffe && kKept<0xffff> == 0xffff);
static_assert(kKept<0x10000> == 0xffff && kKept<size_t(-1)> == 0xffff);

struct Node12 {  // no other test has nodes of this size
  int words[11];
};

// Notes the pool of each node type that a container makes of it, and how many nodes went by.
std::set<void (*)()> g_pools_used;
size_t g_nodes_taken = 0;
template <class Base>
class Noted : public Base {
 public:
  using value_type = typename Base::value_type;
  template <class U>
  struct rebind {
    using other = Noted<typename Base::template rebind<U>::other>;
  };
  Noted() = default;
  template <class Other>
  Noted(const Noted<Other> &other) : Base(other) {}
  value_type *allocate(size_t count) {
    value_type *const block = Base::allocate(count);
    if (count == 1) {
      EXPECT_EQ(hg_pool_owns_node(Base::pool(), block), 1u);
      g_pools_used.insert(&Base::destroy_pool);
      ++g_nodes_taken;
    }
    return block;
  }
};

template <class Pooled>
void serve_standard_containers() {
  const AsBefore as_before;
  using Allocator = Noted<Pooled>;
  using Pairs = typename Allocator::template rebind<std::pair<const int, int>>::other;
  g_nodes_taken = 0;
  {
    std::list<Node12, typename Allocator::template rebind<Node12>::other> list(1000);
    std::map<int, int, std::less<int>, Pairs> map;
    for (int i = 0; i < 1000; ++i) map[i] = -i;
    for (int i = 0; i < 1000; i += 2) map.erase(i);
    EXPECT_EQ(map.at(501), -501);
    EXPECT_EQ(map.size(), 500u);
    EXPECT_GE(g_nodes_taken, 2000u);
    const std::vector<int, Allocator> vector(1000, 3);
    EXPECT_EQ(vector[999], 3);
    list.remove_if([](const Node12 &) { return true; });
    EXPECT_TRUE(list.empty());
  }
  EXPECT_GE(g_pools_used.size(), 2u) << "one of the list's nodes, one of the map's";
  for (void (*end)() : g_pools_used) end();
  g_pools_used.clear();
}

TEST(A8_node_allocator, version_1_serves_the_standards_containers) {
  serve_standard_containers<heapglass::node_allocator<int, 20, 1>>();
}
TEST(A9_adaptive_pool, version_1_serves_the_standards_containers) {
  serve_standard_containers<heapglass::adaptive_pool<int, 20, 2, 2, 1>>();
  serve_standard_containers<heapglass::adaptive_pool<int, 20, 0, heapglass::kOnlyAlignment, 1>>();
}

TEST(A8_node_allocator, version_1_gives_a_standard_list_nodes_and_keeps_them) {
  using Allocator = heapglass::node_allocator<Node12, 32, 1>;
  Allocator nodes;
  Node12 *const first = nodes.allocate(1);
  EXPECT_EQ(pool_stats(Allocator::pool()).nodes_in_use, 1u);
  Node12 *const array = nodes.allocate(2);
  EXPECT_EQ(pool_stats(Allocator::pool()).nodes_in_use, 1u) << "arrays come from the heap";
  nodes.deallocate(array, 2);
  const auto [second, room] = nodes.allocate_at_least(1);
  EXPECT_EQ(pool_stats(Allocator::pool()).nodes_in_use, 2u);
  EXPECT_EQ(room, 1u);
  const auto [larger, room_of_two] = nodes.allocate_at_least(2);
  EXPECT_EQ(pool_stats(Allocator::pool()).nodes_in_use, 2u);
  EXPECT_GE(room_of_two, 2u);
  nodes.deallocate(larger, room_of_two);
  nodes.deallocate(second, 1);
  nodes.deallocate(first, 1);
  EXPECT_EQ(pool_stats(Allocator::pool()).blocks, 1u) << "kept until trim";
  EXPECT_EQ(Allocator::trim(), 1u);
  Allocator::destroy_pool();
  EXPECT_EQ(Allocator::pool(), nullptr);
}

TEST(A8_node_allocator, types_of_one_size_share_a_pool) {
  using Ints = heapglass::node_allocator<Node12, 33>;
  using Chars = Ints::rebind<std::array<char, sizeof(Node12)>>::other;
  Ints ints;
  Node12 *const node = ints.allocate_one();
  EXPECT_EQ(Ints::pool(), Chars::pool());
  EXPECT_NE(static_cast<void *>(Ints::pool()), nullptr);
  EXPECT_EQ((heapglass::node_allocator<Node12, 34>::pool()), nullptr) << "another rule is another pool";
  ints.deallocate_one(node);
  Ints::destroy_pool();
  EXPECT_EQ(Chars::pool(), nullptr);
}

template <class One>
void be_equal() {
  EXPECT_TRUE(One() == One());
  EXPECT_FALSE(One() != One());
}
TEST(A8_node_allocator, all_of_one_rule_are_equal_also_those_of_nothing) {
  be_equal<heapglass::node_allocator<int>>();
  be_equal<heapglass::node_allocator<void>>();
  be_equal<heapglass::adaptive_pool<void, 20, 2, 2, 1>>();
}

TEST(A8_node_allocator, a_block_has_256_nodes_where_no_number_is_given) {
  using Allocator = heapglass::node_allocator<Node12>;
  Allocator nodes;
  Allocator::multiallocation_chain chain;
  nodes.allocate_individual(256, chain);
  EXPECT_EQ(pool_stats(Allocator::pool()).blocks, 1u);
  EXPECT_EQ(pool_stats(Allocator::pool()).nodes_per_block, 256u);
  nodes.deallocate_individual(chain);
  Allocator::destroy_pool();
}

TEST(A10_adaptive_pool, parameters_reach_the_pool) {
  using Cut = heapglass::adaptive_pool<Node12, 200, 1, 2>;
  using Whole = heapglass::adaptive_pool<Node12, 200, 1, heapglass::kOnlyAlignment>;
  Cut cut;
  Whole whole;
  Node12 *const one = cut.allocate_one();
  Node12 *const other = whole.allocate_one();
  EXPECT_GT(pool_stats(Cut::pool()).sub_blocks, 1u);
  EXPECT_EQ(pool_stats(Whole::pool()).sub_blocks, 1u);
  for (const hg_pool *pool : {Cut::pool(), Whole::pool()}) EXPECT_GE(pool_stats(pool).nodes_per_block, 200u);
  cut.deallocate_one(one);
  whole.deallocate_one(other);
  Cut::destroy_pool();
  Whole::destroy_pool();
}

template <class Allocator>
void burst_and_free() {
  const AsBefore as_before;
  Allocator nodes;
  typename Allocator::multiallocation_chain chain;
  nodes.allocate_individual(500, chain);
  EXPECT_EQ(chain.size(), 500u);
  EXPECT_EQ(pool_stats(Allocator::pool()).nodes_in_use, 500u);
  nodes.deallocate_one(chain.pop_front());
  chain.push_back(nodes.allocate_one());
  nodes.deallocate_individual(chain);
  EXPECT_TRUE(chain.empty());
  EXPECT_EQ(pool_stats(Allocator::pool()).nodes_in_use, 0u);
  nodes.deallocate_individual(chain);
  nodes.allocate_individual(0, chain);
  nodes.allocate_many(size_t{3}, 10, chain);  // arrays are the heap's
  EXPECT_EQ(pool_stats(Allocator::pool()).nodes_in_use, 0u);
  nodes.deallocate_many(chain);
  Allocator::destroy_pool();
}
TEST(A11_pool_bursts, come_from_an_adaptive_pool) { burst_and_free<heapglass::adaptive_pool<Node12, 21>>(); }
TEST(A11_pool_bursts, come_from_a_pool_without_sub_blocks) {
  burst_and_free<heapglass::adaptive_pool<Node12, 21, 2, heapglass::kOnlyAlignment>>();
}
TEST(A11_pool_bursts, come_from_a_segregated_pool) { burst_and_free<heapglass::node_allocator<Node12, 21>>(); }

struct Large {
  char bytes[heapglass::detail::kMostPooled + 8];
};
struct alignas(128) WideNode {
  char bytes[128];
};
template <class T>
void come_from_the_heap() {
  const AsBefore as_before;
  using Allocator = heapglass::adaptive_pool<T, 22>;
  Allocator nodes;
  T *const one = nodes.allocate_one();
  typename Allocator::multiallocation_chain chain;
  nodes.allocate_individual(3, chain);
  EXPECT_EQ(Allocator::pool(), nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(one) % alignof(T), 0u);
  nodes.deallocate(one, 1);
  nodes.deallocate_individual(chain);
}
TEST(A9_adaptive_pool, large_and_over_aligned_objects_are_chunks_of_the_heap) {
  come_from_the_heap<Large>();
  come_from_the_heap<WideNode>();
}

template <class Allocator>
void take_nodes_and_arrays_by_deallocate_of_one() {
  const AsBefore as_before;
  Allocator nodes;
  std::mt19937 random(1);
  std::vector<Node12 *> blocks;
  size_t in_use = 0;
  for (int step = 0; step < 4000; ++step) {
    if (random() % 5 < 3 || blocks.empty()) {
      const bool node = random() % 2 == 0;
      in_use += node;
      blocks.push_back(node ? nodes.allocate_one() : nodes.allocate(1));
    } else {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      const bool node = Allocator::pool() != nullptr && hg_pool_owns_node(Allocator::pool(), blocks.back()) != 0;
      in_use -= node;
      nodes.deallocate(blocks.back(), 1);
      blocks.pop_back();
    }
    if (Allocator::pool() != nullptr) {
      ASSERT_EQ(pool_stats(Allocator::pool()).nodes_in_use, in_use);
    }
  }
  for (Node12 *block : blocks) nodes.deallocate(block, 1);
  EXPECT_EQ(pool_stats(Allocator::pool()).nodes_in_use, 0u);
  Allocator::destroy_pool();
}
TEST(A9_adaptive_pool, deallocate_of_one_takes_nodes_and_arrays) {
  take_nodes_and_arrays_by_deallocate_of_one<heapglass::adaptive_pool<Node12, 8, 0>>();
  take_nodes_and_arrays_by_deallocate_of_one<heapglass::adaptive_pool<Node12, 8, 0, heapglass::kOnlyAlignment>>();
}
TEST(A8_node_allocator, deallocate_of_one_takes_nodes_and_arrays) {
  take_nodes_and_arrays_by_deallocate_of_one<heapglass::node_allocator<Node12, 8>>();
}

// Blocks come and go, and their memory, back words and all, is used for chunks that nobody clears.
void tell_nodes_from_chunks(const hg_pool_options &options) {
  hg_heap *const heap = hg_heap_create();
  hg_pool *const pools[] = {hg_pool_create(heap, &options), hg_pool_create(heap, &options)};
  std::mt19937 random(options.shape);
  struct Owned {
    void *mem;
    int owner;  // 0, 1: a pool; 2: the heap
  };
  std::vector<Owned> living;
  for (int step = 0; step < 6000; ++step) {
    const bool growing = step / 500 % 2 == 0;
    if (living.empty() || random() % 10 < (growing ? 7u : 3u)) {
      const int owner = static_cast<int>(random() % 3);
      void *const mem = owner < 2 ? hg_pool_allocate(pools[owner]) : hg_heap_allocate(heap, 1 + random() % 600);
      living.push_back({mem, owner});
    } else {
      std::swap(living[random() % living.size()], living.back());
      const auto [mem, owner] = living.back();
      living.pop_back();
      if (owner < 2) hg_pool_deallocate(pools[owner], mem); else hg_heap_deallocate(heap, mem);
    }
    if (step % 100 != 0) continue;
    for (const auto &[mem, owner] : living) {
      for (int i = 0; i < 2; ++i) ASSERT_EQ(hg_pool_owns_node(pools[i], mem), owner == i ? 1u : 0u) << "step " << step;
    }
  }
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
  for (const auto &[mem, owner] : living) {
    if (owner == 2) hg_heap_deallocate(heap, mem);
  }
  for (hg_pool *pool : pools) hg_pool_destroy(pool);
  EXPECT_EQ(stats_of(heap).chunks_in_use, 0u);
  hg_heap_destroy(heap);
}
TEST(A8_pool_owner, tells_nodes_of_segregated_pools_from_chunks) {
  tell_nodes_from_chunks({HG_SHAPE_segregated, 24, 8, 0, 0});
}
TEST(A9_pool_owner, tells_nodes_of_pools_without_sub_blocks_from_chunks) {
  tell_nodes_from_chunks({HG_SHAPE_aligned_only, 24, 8, 0, 0});
}
TEST(A10_pool_owner, tells_nodes_of_pools_with_sub_blocks_from_chunks) {
  tell_nodes_from_chunks({HG_SHAPE_adaptive, 24, 8, 0, 20});
  tell_nodes_from_chunks({HG_SHAPE_adaptive, 40, 30, 0, 10});
}

TEST(A10_pool_owner, no_chunk_passes_that_a_program_filled_with_back_words_of_living_blocks) {
  hg_heap *const heap = hg_heap_create();
  const hg_pool_options options = {HG_SHAPE_adaptive, 24, 8, 0, 20};
  hg_pool *const pool = hg_pool_create(heap, &options);
  void *const node = hg_pool_allocate(pool);
  const size_t sub_block_bytes = pool_stats(pool).sub_block_bytes;
  void *const back = *reinterpret_cast<void **>(reinterpret_cast<uintptr_t>(node) & ~(sub_block_bytes - 1));
  for (int i = 0; i < 50; ++i) {
    void **const chunk = static_cast<void **>(hg_heap_allocate(heap, 500));
    for (size_t word = 0; word < hg_usable_size(chunk) / sizeof(void *); ++word) chunk[word] = back;
    void *const asked = hg_heap_allocate(heap, 24);
    EXPECT_EQ(hg_pool_owns_node(pool, asked), 0u);
    EXPECT_EQ(hg_pool_owns_node(pool, chunk), 0u);
  }
  EXPECT_EQ(hg_pool_owns_node(pool, node), 1u);
  hg_heap_destroy(heap);
}

}  // namespace
}  // namespace adaptor_tests
