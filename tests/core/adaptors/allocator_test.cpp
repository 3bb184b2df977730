// The C++ allocator (row A7) without Boost: the standard's containers, the command, and how it fails.
#include <heapglass/allocator.hpp>

#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "adaptors/allocator_rig.hpp"

namespace adaptor_tests {
namespace {

using heapglass::allocator;
using heapglass::heap_allocator;
constexpr unsigned kFwd = heapglass::expand_fwd;
constexpr unsigned kBwd = heapglass::expand_bwd;
constexpr unsigned kNew = heapglass::allocate_new;
constexpr unsigned kNothrow = heapglass::nothrow_allocation;
constexpr unsigned kShrink = heapglass::shrink_in_place;

template <class A>
concept HasCommand = requires(A a, typename A::pointer p, size_t n) { a.allocation_command(1u, n, n, p); };
template <class A>
concept HasNodes = requires(A a) { a.allocate_one(); };

TEST(A7_allocator, version_1_is_the_classic_one_and_version_2_has_the_rest) {
  static_assert(!HasCommand<allocator<int, 1>> && !HasNodes<allocator<int, 1>>);
  static_assert(HasCommand<allocator<int, 2>> && HasNodes<allocator<int, 2>>);
  static_assert(HasCommand<heap_allocator<int>> && allocator<int, 1>::version::value == 1);
  static_assert(allocator<int>::version::value == 2);
}

TEST(A7_allocator, costs_a_container_nothing_where_there_is_one_heap_and_a_word_where_there_are_more) {
  static_assert(std::is_empty_v<allocator<int>>);
  static_assert(std::allocator_traits<allocator<int>>::is_always_equal::value);
  static_assert(sizeof(std::vector<int, allocator<int>>) == sizeof(std::vector<int>));
  static_assert(sizeof(heap_allocator<int>) == sizeof(void *));
  static_assert(!std::allocator_traits<heap_allocator<int>>::is_always_equal::value);
}

TEST(A7_allocator, rebinds_to_other_types_and_to_void) {
  using Void = std::allocator_traits<allocator<int, 2, kFwd>>::rebind_alloc<void>;
  static_assert(std::is_same_v<Void, allocator<void, 2, kFwd>>);
  static_assert(std::is_same_v<Void::rebind<char>::other, allocator<char, 2, kFwd>>);
  static_assert(std::is_same_v<Void::pointer, void *> && std::is_same_v<Void::const_pointer, const void *>);
  const AsBefore as_before;
  hg_heap *const heap = hg_heap_create();
  const heap_allocator<int> ints(heap);
  const heap_allocator<void> nothing(ints);
  EXPECT_TRUE(nothing == heap_allocator<void>(heapglass::on_heap{heap}));
  EXPECT_FALSE(nothing == heap_allocator<void>());
  const heap_allocator<double> doubles(nothing);
  EXPECT_EQ(doubles.place().heap(), heap);
  EXPECT_TRUE(heap_allocator<int>(doubles) == ints);
  EXPECT_FALSE(heap_allocator<int>() == ints);
  hg_heap_destroy(heap);
}

template <unsigned Version>
void use_every_standard_container() {
  const AsBefore as_before;
  std::vector<int, allocator<int, Version>> vector;
  std::list<int, allocator<int, Version>> list;
  std::map<int, int, std::less<int>, allocator<std::pair<const int, int>, Version>> map;
  std::unordered_map<int, int, std::hash<int>, std::equal_to<int>, allocator<std::pair<const int, int>, Version>> hashed;
  std::basic_string<char, std::char_traits<char>, allocator<char, Version>> text;
  for (int i = 0; i < 2000; ++i) {
    vector.push_back(i);
    list.push_front(i);
    map[i % 700] = i;
    hashed[i % 700] = i;
    text += static_cast<char>('a' + i % 26);
  }
  const auto copy = vector;
  vector.shrink_to_fit();
  EXPECT_EQ(copy, vector);
  EXPECT_EQ(list.front(), 1999);
  EXPECT_EQ(map.at(3), 1403);
  EXPECT_EQ(hashed.at(3), 1403);
  EXPECT_EQ(text[1999], 'a' + 1999 % 26);
}
TEST(A7_allocator, version_1_serves_the_standards_containers) { use_every_standard_container<1>(); }
TEST(A7_allocator, version_2_serves_the_standards_containers) { use_every_standard_container<2>(); }

TEST(A7_allocator, more_than_the_address_space_is_said_before_anything_is_asked) {
  allocator<int> ints;
  EXPECT_THROW(static_cast<void>(ints.allocate(ints.max_size() + 1)), std::bad_array_new_length);
  EXPECT_THROW(static_cast<void>(ints.allocate(ints.max_size())), std::bad_alloc);
  std::vector<int, allocator<int>> vector;
  EXPECT_THROW(vector.reserve(vector.max_size() + 1), std::length_error);

  const AsBefore as_before;
  allocator<int>::multiallocation_chain chain;
  EXPECT_THROW(ints.allocate_many(ints.max_size() + 1, 1, chain), std::bad_array_new_length);
  for (const size_t at : {0u, 1u, 2u}) {
    size_t lengths[] = {1, 2, 3};
    lengths[at] = size_t(-1) / sizeof(int) + 2;  // times its size it is one object again
    EXPECT_THROW(ints.allocate_many(lengths, 3, chain), std::bad_array_new_length) << at;
  }
  EXPECT_TRUE(chain.empty());
}

TEST(A7_allocator, takes_a_hint_and_forgets_it) {
  const AsBefore as_before;
  allocator<int> ints;
  int near = 0;
  int *const block = ints.allocate(10, &near);
  ints.deallocate(block, 10);
}

struct alignas(256) Wide {
  char bytes[256];
};
TEST(A7_allocator, aligns_what_is_over_aligned_in_every_way_of_getting_it) {
  const AsBefore as_before;
  const auto aligned = [](const void *block) { return reinterpret_cast<uintptr_t>(block) % 256 == 0; };
  allocator<Wide> wide;
  Wide *const array = wide.allocate(3);
  Wide *const node = wide.allocate_one();
  allocator<Wide>::multiallocation_chain chain;
  wide.allocate_individual(20, chain);
  wide.allocate_many(size_t{2}, 5, chain);
  const size_t lengths[] = {1, 4, 2};
  wide.allocate_many(lengths, 3, chain);
  EXPECT_EQ(chain.size(), 28u);
  EXPECT_TRUE(aligned(array) && aligned(node));
  for (auto at = chain.begin(); at != chain.end(); ++at) EXPECT_TRUE(aligned(&*at));
  wide.deallocate_many(chain);
  wide.deallocate(array, 3);
  Wide *reuse = node;
  size_t received = 2;
  Wide *const grown = wide.allocation_command(kNew | kFwd | kBwd, 2, received, reuse);
  EXPECT_TRUE(aligned(grown) && received >= 2);
  if (reuse == nullptr) wide.deallocate_one(node);
  reuse = nullptr;
  received = 4;
  Wide *const fresh = wide.allocation_command(kNew, 1, received, reuse);
  EXPECT_TRUE(aligned(fresh) && received >= 4);
  wide.deallocate(grown, 2);
  wide.deallocate(fresh, received);
}

TEST(A7_allocator, an_over_aligned_block_that_cannot_be_expanded_is_null_and_nothing_is_taken) {
  SmallHeap heap(16 * 1024);
  heap_allocator<Wide> wide(heap);
  Wide *const block = wide.allocate(2);
  const size_t chunks = stats_of(heap).chunks_in_use;
  Wide *reuse = block;
  for (const unsigned command : {kFwd, kFwd | kBwd, kFwd | kNothrow}) {
    size_t received = 1000;
    EXPECT_EQ(wide.allocation_command(command, 1, received = 1000, reuse = nullptr), nullptr) << "nothing to expand";
    EXPECT_EQ(wide.allocation_command(command, 1000, received = 1000, reuse = block), nullptr);
    EXPECT_EQ(reuse, block);
    EXPECT_EQ(stats_of(heap).chunks_in_use, chunks);
  }
  wide.deallocate(block, 2);
}

TEST(A7_allocator, allocate_at_least_tells_the_room_there_is_and_takes_any_count_back) {
  const AsBefore as_before;
  allocator<char, 1> chars;
  for (size_t count = 1; count < 200; ++count) {
    const auto [block, room] = chars.allocate_at_least(count);
    ASSERT_GE(room, count);
    EXPECT_EQ(room, hg_usable_size(block));
    for (size_t i = 0; i < room; ++i) block[i] = 'x';
    chars.deallocate(block, count % 2 == 0 ? room : count);
  }
}

TEST(A7_allocator, every_free_path_takes_every_block) {
  const AsBefore as_before;
  using Allocator = allocator<int>;
  Allocator ints;
  ints.deallocate(ints.allocate_one(), 1);
  ints.deallocate_one(ints.allocate(1));
  Allocator::multiallocation_chain chain;
  ints.allocate_individual(5, chain);
  chain.push_back(ints.allocate(100));
  chain.push_front(ints.allocate_one());
  ints.deallocate(chain.pop_front(), 1);
  ints.deallocate_one(chain.pop_front());
  ints.deallocate_individual(chain);
  EXPECT_TRUE(chain.empty());
  ints.allocate_many(size_t{3}, 4, chain);
  chain.push_back(ints.allocate_one());
  ints.deallocate_many(chain);
}

TEST(A7_allocator, a_command_says_whether_the_block_is_new) {
  const AsBefore as_before;
  allocator<int> ints;
  int *reuse = nullptr;
  size_t received = 10;
  int *const first = ints.allocation_command(kNew | kFwd | kBwd, 5, received, reuse);  // nothing to expand yet
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(reuse, nullptr);
  EXPECT_EQ(received, ints.size(first));
  reuse = first;
  size_t grown = 100;
  EXPECT_EQ(ints.allocation_command(kFwd, 100, grown, reuse), first);
  EXPECT_EQ(reuse, first);
  EXPECT_EQ(grown, ints.size(first));
  size_t shrunk = 20;
  EXPECT_EQ(ints.allocation_command(kShrink | kNothrow, grown, shrunk, reuse), first);
  EXPECT_TRUE(shrunk >= 20 && shrunk < 30 && shrunk == ints.size(first));
  ints.deallocate(first, shrunk);
}

TEST(A7_allocator, what_cannot_be_expanded_is_null_and_new_memory_that_is_not_there_throws) {
  SmallHeap heap(16 * 1024);
  heap_allocator<int> ints(heap);
  int *const block = ints.allocate(100);
  void *const neighbour = hg_heap_allocate(heap, 10);
  int *reuse = block;
  size_t received = 1000;
  EXPECT_EQ(ints.allocation_command(kFwd, 1000, received, reuse), nullptr);  // without nothrow: trap 2
  EXPECT_EQ(reuse, block);
  EXPECT_LT(received, 1000u);
  const size_t told = received;
  received = told;
  EXPECT_EQ(ints.allocation_command(kFwd, told, received, reuse), block) << "the limit that was told can be met";
  received = 1'000'000;
  EXPECT_THROW(ints.allocation_command(kNew | kFwd, 1'000'000, received, reuse), std::bad_alloc);
  received = 1'000'000;
  EXPECT_EQ(ints.allocation_command(kNew | kFwd | kNothrow, 1'000'000, received, reuse), nullptr);
  received = ints.max_size() + 1;
  EXPECT_THROW(ints.allocation_command(kNew, ints.max_size() + 1, received, reuse), std::bad_array_new_length);
  received = ints.max_size() + 1;
  EXPECT_EQ(ints.allocation_command(kNew | kNothrow, ints.max_size() + 1, received, reuse), nullptr);
  EXPECT_EQ(reuse, block);
  hg_heap_deallocate(heap, neighbour);
  ints.deallocate(block, 100);
}

TEST(A7_allocator, a_huge_preferred_count_falls_back_to_the_limit) {
  SmallHeap heap(16 * 1024);
  heap_allocator<int> ints(heap);
  for (const size_t preferred : {size_t{1'000'000}, ints.max_size(), ~size_t{0}}) {
    int *reuse = nullptr;
    size_t received = preferred;
    int *const block = ints.allocation_command(kNew, 10, received, reuse);
    ASSERT_NE(block, nullptr);
    EXPECT_GE(received, 10u);
    ints.deallocate(block, received);
  }
}

TEST(A7_allocator, masked_commands_are_not_done) {
  const AsBefore as_before;
  allocator<int, 2, kFwd | kBwd | kShrink> ints;
  int *const block = ints.allocate(10);
  int *reuse = block;
  size_t received = 20;
  EXPECT_EQ(ints.allocation_command(kFwd | kNothrow, 20, received, reuse), nullptr);
  received = 5;
  EXPECT_EQ(ints.allocation_command(kShrink | kNothrow, 10, received, reuse), nullptr);
  received = 20;
  int *const other = ints.allocation_command(kNew | kFwd | kBwd, 20, received, reuse);
  EXPECT_NE(other, block);
  EXPECT_EQ(reuse, nullptr);
  ints.deallocate(block, 10);
  ints.deallocate(other, received);
}

TEST(A7_allocator, zero_memory_clears_what_is_new_and_nothing_else) {
  SmallHeap heap(64 * 1024);
  void *const dirt = hg_heap_allocate(heap, 40'000);
  std::memset(dirt, 0x5a, 40'000);
  hg_heap_deallocate(heap, dirt);
  heap_allocator<int> ints(heap);
  int *reuse = nullptr;
  size_t received = 100;
  int *const block = ints.allocation_command(kNew | heapglass::zero_memory, 100, received, reuse);
  for (size_t i = 0; i < received; ++i) ASSERT_EQ(block[i], 0);
  const size_t old = received;
  for (size_t i = 0; i < old; ++i) block[i] = -1;
  reuse = block;
  received = 1000;
  ASSERT_EQ(ints.allocation_command(kFwd | heapglass::zero_memory, 1000, received, reuse), block);
  for (size_t i = 0; i < received; ++i) ASSERT_EQ(block[i], i < old ? -1 : 0) << i;
  ints.deallocate(block, received);
  // Backward: dirt before the block, a neighbour behind it.
  void *const before = hg_heap_allocate(heap, 4000);
  int *const start = ints.allocate(100);
  void *const behind = hg_heap_allocate(heap, 10);
  std::memset(before, 0x5a, 4000);
  for (size_t i = 0; i < 100; ++i) start[i] = -1;
  hg_heap_deallocate(heap, before);
  reuse = start;
  received = 500;
  int *const moved = ints.allocation_command(kBwd | heapglass::zero_memory, 500, received, reuse);
  ASSERT_TRUE(moved != nullptr && moved < start && reuse == start);
  for (int *at = moved; at != start; ++at) ASSERT_EQ(*at, 0);
  for (size_t i = 0; i < 100; ++i) ASSERT_EQ(start[i], -1) << "still to be moved by the container";
  ints.deallocate(moved, received);
  hg_heap_deallocate(heap, behind);
}

TEST(A5_allocator_bursts, are_all_or_nothing) {
  SmallHeap heap(16 * 1024);
  heap_allocator<int> ints(heap);
  heap_allocator<int>::multiallocation_chain chain;
  chain.push_back(ints.allocate_one());
  const size_t in_use = stats_of(heap).chunks_in_use;
  EXPECT_THROW(ints.allocate_individual(100'000, chain), std::bad_alloc);
  EXPECT_THROW(ints.allocate_many(size_t{100}, 1000, chain), std::bad_alloc);
  const std::vector<size_t> lengths(1000, 50);
  EXPECT_THROW(ints.allocate_many(lengths.data(), lengths.size(), chain), std::bad_alloc);
  EXPECT_THROW(ints.allocate_many(ints.max_size() + 1, 1, chain), std::bad_array_new_length);
  EXPECT_EQ(chain.size(), 1u);
  EXPECT_EQ(stats_of(heap).chunks_in_use, in_use);
  ints.allocate_individual(0, chain);
  EXPECT_EQ(chain.size(), 1u);
  ints.deallocate_individual(chain);
}

TEST(A5_allocator_bursts, arrays_have_the_lengths_asked_for) {
  const AsBefore as_before;
  allocator<int> ints;
  allocator<int>::multiallocation_chain chain;
  const size_t lengths[] = {1, 200, 3, 40};
  ints.allocate_many(lengths, 4, chain);
  size_t i = 0;
  for (auto at = chain.begin(); at != chain.end(); ++at, ++i) EXPECT_GE(ints.size(&*at), lengths[i]);
  ints.deallocate_many(chain);
}

}  // namespace
}  // namespace adaptor_tests
