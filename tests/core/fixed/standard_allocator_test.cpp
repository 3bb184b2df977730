// Allocators for standard containers, each container beside a twin on std::allocator (row E4).
#include <heapglass/fast_fit.hpp>
#include <heapglass/fixed_block.hpp>
#include <heapglass/growing_arena.hpp>
#include <heapglass/standard_allocator.hpp>

#include <algorithm>
#include <deque>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "fixed/fixed_rig.hpp"

namespace fixed_tests {
namespace {

using namespace heapglass;

using NodeManager = fixed_block_manager<growing_arena>;
using FitManager = fast_fit<>;
constinit NodeManager g_node_manager;
constinit FitManager g_fit_manager;

// A source of memory for the length of a test, and proof that all of it came back.
template <class Source>
struct Memory;
template <>
struct Memory<from_default_heap> {
  DefaultHeapIsKept kept;
  from_default_heap source() { return {}; }
};
template <>
struct Memory<from_heap> {
  TestHeap heap;
  from_heap source() { return from_heap(heap); }
};
template <class Manager>
struct Memory<from_manager<Manager>> {
  TestHeap heap;
  Manager manager{static_cast<hg_heap *>(heap)};
  ~Memory() { EXPECT_EQ(manager.free_count(), manager.capacity()) << "not all nodes were returned"; }
  from_manager<Manager> source() { return manager; }
};
template <auto &manager>
struct Memory<from_static<manager>> {
  DefaultHeapIsKept kept;
  ~Memory() {
    EXPECT_EQ(manager.free_count(), manager.capacity()) << "not all nodes were returned";
    manager.clear();
  }
  from_static<manager> source() { return {}; }
};

template <class S>
struct Minimal {
  using Source = S;
  template <class T>
  using allocator = minimal_allocator<T, S>;
};
template <class S>
struct Classic {
  using Source = S;
  template <class T>
  using allocator = classic_allocator<T, S>;
};

template <class Style>
class E4_containers : public ::testing::Test {
 protected:
  template <class T>
  typename Style::template allocator<T> allocator() {
    return typename Style::template allocator<T>(memory_.source());
  }
  Memory<typename Style::Source> memory_;
};
template <class Style>
class E4_node_containers : public E4_containers<Style> {};

#if HG_EVERY
using AnySize =
    ::testing::Types<Minimal<from_default_heap>, Classic<from_default_heap>, Minimal<from_heap>, Classic<from_heap>,
                     Minimal<from_manager<FitManager>>, Classic<from_static<g_fit_manager>>>;
using EverySource =
    ::testing::Types<Minimal<from_default_heap>, Classic<from_heap>, Minimal<from_manager<FitManager>>,
                     Classic<from_static<g_fit_manager>>, Minimal<from_static<g_node_manager>>,
                     Classic<from_static<g_node_manager>>, Minimal<from_manager<NodeManager>>,
                     Classic<from_manager<NodeManager>>>;
#else  // each source once, in one of the two
using AnySize = ::testing::Types<Minimal<from_default_heap>, Classic<from_heap>, Minimal<from_manager<FitManager>>,
                                 Classic<from_static<g_fit_manager>>>;
using EverySource = ::testing::Types<Classic<from_default_heap>, Minimal<from_static<g_fit_manager>>,
                                     Classic<from_static<g_node_manager>>, Minimal<from_manager<NodeManager>>>;
#endif
TYPED_TEST_SUITE(E4_containers, AnySize);
TYPED_TEST_SUITE(E4_node_containers, EverySource);

// The same random insertions and erasures on both; equal after each hundred.
template <class Container, class Twin, class Insert>
void drive(Container &container, Twin &twin, Insert insert) {
  std::mt19937 random(11);
  for (int step = 0; step < 2000; ++step) {
    if (twin.empty() || random() % 100 < (step / 400 % 2 == 0 ? 70u : 40u)) {
      const unsigned value = static_cast<unsigned>(random() % 500);
      insert(container, value);
      insert(twin, value);
    } else {
      const auto place = static_cast<std::ptrdiff_t>(random() % twin.size());
      container.erase(std::next(container.begin(), place));
      twin.erase(std::next(twin.begin(), place));
    }
    if (step % 100 == 0) {
      ASSERT_TRUE(std::equal(container.begin(), container.end(), twin.begin(), twin.end()));
    }
  }
  ASSERT_TRUE(std::equal(container.begin(), container.end(), twin.begin(), twin.end()));
}
const auto kPushBack = [](auto &container, unsigned value) { container.push_back(static_cast<char>(value)); };
const auto kInsert = [](auto &container, unsigned value) { container.insert(value); };
const auto kEmplace = [](auto &container, unsigned value) { container.emplace(value, value * 2); };

TYPED_TEST(E4_node_containers, a_list_holds_what_its_twin_holds) {
  std::list<int, typename TypeParam::template allocator<int>> list(this->template allocator<int>());
  std::list<int> twin;
  drive(list, twin, kPushBack);
}

TYPED_TEST(E4_node_containers, a_set_holds_what_its_twin_holds) {
  using Allocator = typename TypeParam::template allocator<unsigned>;
  std::multiset<unsigned, std::less<>, Allocator> set(this->template allocator<unsigned>());
  std::multiset<unsigned> twin;
  drive(set, twin, kInsert);
}

TYPED_TEST(E4_node_containers, a_map_holds_what_its_twin_holds) {
  using Pair = std::pair<const unsigned, unsigned>;
  using Allocator = typename TypeParam::template allocator<Pair>;
  std::map<unsigned, unsigned, std::less<>, Allocator> map(this->template allocator<Pair>());
  std::map<unsigned, unsigned> twin;
  drive(map, twin, kEmplace);
}

TYPED_TEST(E4_node_containers, lists_of_one_source_splice_and_swap_nodes) {
  using List = std::list<int, typename TypeParam::template allocator<int>>;
  List a({1, 2, 3}, this->template allocator<int>()), b({4, 5}, this->template allocator<int>());
  EXPECT_EQ(a.get_allocator(), b.get_allocator());
  const int *const five = &b.back();
  a.splice(a.end(), b);
  EXPECT_EQ(&a.back(), five);
  b.swap(a);
  EXPECT_EQ(&b.back(), five);
  EXPECT_EQ(b, List({1, 2, 3, 4, 5}, this->template allocator<int>()));
}

TYPED_TEST(E4_node_containers, an_element_that_throws_leaves_nothing_behind) {
  struct Thrower {
    Thrower(int value) {
      if (value == 3) throw std::runtime_error("three");
    }
  };
  std::list<Thrower, typename TypeParam::template allocator<Thrower>> list(this->template allocator<Thrower>());
  list.emplace_back(1);
  EXPECT_THROW(list.emplace_back(3), std::runtime_error);
  EXPECT_EQ(list.size(), 1u);
  const std::vector<int> values = {1, 2, 3};
  EXPECT_THROW(list.insert(list.end(), values.begin(), values.end()), std::runtime_error);
  EXPECT_EQ(list.size(), 1u);
}

TYPED_TEST(E4_containers, a_vector_holds_what_its_twin_holds) {
  std::vector<short, typename TypeParam::template allocator<short>> vector(this->template allocator<short>());
  std::vector<short> twin;
  drive(vector, twin, kPushBack);
  vector.resize(20000, 7);  // beyond every class of a manager
  twin.resize(20000, 7);
  vector.shrink_to_fit();
  EXPECT_TRUE(std::equal(vector.begin(), vector.end(), twin.begin(), twin.end()));
}

TYPED_TEST(E4_containers, a_string_holds_what_its_twin_holds) {
  std::basic_string<char, std::char_traits<char>, typename TypeParam::template allocator<char>> string(
      this->template allocator<char>());
  std::string twin;
  drive(string, twin, kPushBack);
  string += string + string;
  EXPECT_EQ(string.size(), 3 * twin.size());
}

TYPED_TEST(E4_containers, a_deque_holds_what_its_twin_holds) {
  std::deque<int, typename TypeParam::template allocator<int>> deque(this->template allocator<int>());
  std::deque<int> twin;
  drive(deque, twin, kPushBack);
}

TYPED_TEST(E4_containers, an_unordered_map_holds_what_its_twin_holds) {
  using Pair = std::pair<const unsigned, unsigned>;
  using Allocator = typename TypeParam::template allocator<Pair>;
  std::unordered_map<unsigned, unsigned, std::hash<unsigned>, std::equal_to<>, Allocator> map(
      this->template allocator<Pair>());
  std::map<unsigned, unsigned> twin;
  std::mt19937 random(3);
  for (int step = 0; step < 3000; ++step) {
    const unsigned key = static_cast<unsigned>(random() % 700);
    if (random() % 3 != 0) {
      map[key] = twin[key] = static_cast<unsigned>(random());
    } else {
      EXPECT_EQ(map.erase(key), twin.erase(key));
    }
  }
  EXPECT_EQ((std::map<unsigned, unsigned>(map.begin(), map.end())), twin);
}

TYPED_TEST(E4_containers, moved_vectors_keep_their_memory) {
  using Vector = std::vector<int, typename TypeParam::template allocator<int>>;
  Vector from({1, 2, 3}, this->template allocator<int>());
  const int *const data = from.data();
  Vector to(this->template allocator<int>());
  to = std::move(from);
  EXPECT_EQ(to.data(), data);
  Vector copy(to);
  EXPECT_NE(copy.data(), data);
  EXPECT_EQ(copy, to);
}

TYPED_TEST(E4_containers, over_aligned_elements_are_aligned) {
  struct alignas(128) OverAligned {
    char bytes[128];
  };
  std::vector<OverAligned, typename TypeParam::template allocator<OverAligned>> vector(this->template allocator<OverAligned>());
  std::list<OverAligned, typename TypeParam::template allocator<OverAligned>> list(this->template allocator<OverAligned>());
  for (int i = 0; i < 100; ++i) {
    vector.emplace_back();
    list.emplace_back();
    ASSERT_EQ(reinterpret_cast<uintptr_t>(vector.data()) % 128, 0u);
    ASSERT_EQ(reinterpret_cast<uintptr_t>(&list.back()) % 128, 0u);
  }
}

TYPED_TEST(E4_containers, a_count_that_overflows_is_a_bad_array_length) {
  auto allocator = this->template allocator<long>();
  EXPECT_THROW(static_cast<void>(allocator.allocate(std::numeric_limits<size_t>::max() / sizeof(long) + 2)),
               std::bad_array_new_length);
  EXPECT_THROW(static_cast<void>(allocator.allocate(std::numeric_limits<size_t>::max() / 2 / sizeof(long) + 1)),
               std::bad_array_new_length);
  EXPECT_THROW(static_cast<void>(allocator.allocate(std::numeric_limits<size_t>::max() / 4 / sizeof(long))), std::bad_alloc);
}

#if defined(__cpp_lib_allocate_at_least)
TYPED_TEST(E4_containers, at_least_tells_of_every_object_that_fits) {
  auto allocator = this->template allocator<int>();
  for (size_t count = 1; count < 3000; count += 7) {
    const auto [objects, received] = allocator.allocate_at_least(count);
    EXPECT_GE(received, count);
    std::fill_n(objects, received, 1);
    allocator.deallocate(objects, received);
  }
}
#endif

TEST(E4_traits, stateless_allocators_take_no_room_and_are_always_equal) {
  using Stateless = minimal_allocator<int, from_static<g_fit_manager>>;
  static_assert(sizeof(std::vector<int, Stateless>) == sizeof(std::vector<int>));
  static_assert(sizeof(std::list<int, classic_allocator<int>>) == sizeof(std::list<int>));
  static_assert(std::allocator_traits<Stateless>::is_always_equal::value);
  static_assert(std::is_default_constructible_v<Stateless>);
  EXPECT_EQ(minimal_allocator<int>(), minimal_allocator<char>());
  EXPECT_EQ(classic_allocator<int>(), classic_allocator<char>());
}

template <template <class, class> class Allocator>
void stateful_ones_are_equal_on_one_heap() {
  TestHeap heap, other;
  using Ints = Allocator<int, from_heap>;
  using Traits = std::allocator_traits<Ints>;
  static_assert(!Traits::is_always_equal::value && !std::is_default_constructible_v<Ints>);
  static_assert(Traits::propagate_on_container_move_assignment::value && Traits::propagate_on_container_swap::value);
  static_assert(!Traits::propagate_on_container_copy_assignment::value);
  const Ints here{from_heap(heap)}, there{from_heap(other)};
  const Allocator<char, from_heap> rebound(here);
  EXPECT_TRUE(here == rebound);
  EXPECT_TRUE(here != there);
  EXPECT_EQ(rebound.source().heap(), static_cast<hg_heap *>(heap));
  EXPECT_EQ(Traits::select_on_container_copy_construction(there), there);
  EXPECT_EQ(Ints(from_heap(nullptr)), Ints(from_heap(hg_default_heap())));
}
TEST(E4_traits, minimal_allocators_are_equal_when_they_share_a_heap) {
  stateful_ones_are_equal_on_one_heap<minimal_allocator>();
}
TEST(E4_traits, classic_allocators_are_equal_when_they_share_a_heap) {
  stateful_ones_are_equal_on_one_heap<classic_allocator>();
}

TEST(E4_traits, a_classic_allocator_begins_and_ends_the_objects_of_a_container) {
  const auto counted = std::make_shared<int>(5);
  {
    std::vector<std::shared_ptr<int>, classic_allocator<std::shared_ptr<int>>> copies(3, counted);
    EXPECT_EQ(counted.use_count(), 4);
    copies.pop_back();
    EXPECT_EQ(counted.use_count(), 3);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(E4_traits, moved_and_swapped_containers_take_their_heap_along) {
  TestHeap heap, other;
  using Vector = std::vector<int, minimal_allocator<int, from_heap>>;
  Vector a({1, 2}, Vector::allocator_type(from_heap(heap))), b({3}, Vector::allocator_type(from_heap(other)));
  const int *const data = a.data();
  b = std::move(a);
  EXPECT_EQ(b.data(), data) << "no element is copied";
  EXPECT_EQ(b.get_allocator().source().heap(), static_cast<hg_heap *>(heap));
  Vector c({9}, Vector::allocator_type(from_heap(other)));
  c.swap(b);
  EXPECT_EQ(c.data(), data);
  EXPECT_EQ(b.get_allocator().source().heap(), static_cast<hg_heap *>(other));
  b = c;
  EXPECT_EQ(b.get_allocator().source().heap(), static_cast<hg_heap *>(other)) << "a copy stays where it is";
  EXPECT_EQ(b, c);
}

TEST(E4_classic_allocator, has_the_members_of_1998) {
  using Ints = classic_allocator<int>;
  static_assert(std::is_same_v<Ints::pointer, int *> && std::is_same_v<Ints::const_pointer, const int *>);
  static_assert(std::is_same_v<Ints::reference, int &> && std::is_same_v<Ints::const_reference, const int &>);
  static_assert(std::is_same_v<Ints::size_type, size_t> && std::is_same_v<Ints::difference_type, ptrdiff_t>);
  static_assert(std::is_same_v<Ints::rebind<char>::other, classic_allocator<char>>);
  const DefaultHeapIsKept kept;
  Ints ints;
  Ints::pointer place = ints.allocate(3, nullptr);
  ints.construct(place, 5);
  const int &read = *place;
  EXPECT_EQ(ints.address(*place), place);
  EXPECT_EQ(ints.address(read), place);
  EXPECT_EQ(*place, 5);
  ints.destroy(place);
  ints.deallocate(place, 3);
  EXPECT_EQ(ints.max_size(), std::numeric_limits<size_t>::max() / 2 / sizeof(int));
}

TEST(E4_out_of_memory, a_container_is_as_before_when_its_heap_is_full) {
  TestHeap heap(16 * 1024);
  std::list<int, minimal_allocator<int, from_heap>> list{minimal_allocator<int, from_heap>(from_heap(heap))};
  EXPECT_THROW(while (true) list.push_back(static_cast<int>(list.size())), std::bad_alloc);
  EXPECT_GT(list.size(), 100u);
  EXPECT_EQ(std::accumulate(list.begin(), list.end(), size_t{0}), list.size() * (list.size() - 1) / 2);
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
}

TEST(E4_nodes, a_walk_shows_one_node_in_use_an_element) {
  TestHeap heap;
  NodeManager manager(static_cast<hg_heap *>(heap));
  std::set<int, std::less<>, minimal_allocator<int, from_manager<NodeManager>>> set{
      minimal_allocator<int, from_manager<NodeManager>>(manager)};
  for (int i = 0; i < 300; ++i) set.insert(i);
  EXPECT_EQ(picture_of(heap).nodes_in_use().size(), 300u);
  for (int i = 0; i < 300; i += 2) set.erase(i);
  EXPECT_EQ(picture_of(heap).nodes_in_use().size(), 150u);
}

TEST(E4_nodes, an_array_from_a_manager_of_nodes_is_refused) {
  TestHeap heap;
  NodeManager manager(static_cast<hg_heap *>(heap));
  minimal_allocator<int, from_manager<NodeManager>> ints(manager);
  int *const one = ints.allocate(2);
  EXPECT_THROW(static_cast<void>(ints.allocate(100)), std::bad_alloc);
  ints.deallocate(one, 2);
}

}  // namespace
}  // namespace fixed_tests
