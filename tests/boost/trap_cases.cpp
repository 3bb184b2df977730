// The contract between Boost's containers and a version 2 allocator, and the traps in it; what containers ask for is
// counted by the layer of the experiments.
#include <boost/container/list.hpp>
#include <boost/container/map.hpp>
#include <boost/container/set.hpp>
#include <boost/container/stable_vector.hpp>
#include <boost/container/vector.hpp>

#include <vector>

#include "boost/node_allocators.hpp"
#include "boost/values.hpp"
#include "experiments/counted_allocator.hpp"

namespace boost_tests {
namespace {

using experiments::counted_allocator;
using experiments::g_allocator_counts;
using heapglass::allocator;
using heapglass::expand_bwd;
using heapglass::expand_fwd;

HG_BOOST_CASE(A7_boost_contract, boost_sees_the_versions) {
  using boost::container::dtl::version;
  static_assert(version<allocator<int, 1>>::value == 1 && version<allocator<int>>::value == 2);
  static_assert(version<heapglass::heap_allocator<int>>::value == 2);
  static_assert(version<Adaptive1<int>>::value == 1 && version<Adaptive2<int>>::value == 2);
  static_assert(version<Segregated1<int>>::value == 1 && version<Segregated2<int>>::value == 2);
  static_assert(version<counted_allocator<allocator<int>>>::value == 2);
  using Void = boost::container::allocator_traits<allocator<int>>::portable_rebind_alloc<void>::type;
  static_assert(version<Void>::value == 2);
}

HG_BOOST_CASE(A7_boost_contract, a_hundred_thousand_push_backs_are_two_fresh_allocations_at_most) {
  g_allocator_counts = {};
  {
    boost::container::vector<int, counted_allocator<allocator<int, 2>>> vector;
    for (int i = 0; i < 100'000; ++i) vector.push_back(i);
    for (int i = 0; i < 100'000; ++i) HG_MUST(vector[static_cast<std::size_t>(i)] == i);
  }
  HG_MUST(g_allocator_counts.allocations <= 2);
  HG_MUST(g_allocator_counts.expansions_fwd + g_allocator_counts.allocations == g_allocator_counts.calls);
  HG_MUST(g_allocator_counts.calls > 10 && g_allocator_counts.held_bytes == 0);
}

HG_BOOST_CASE(A7_boost_contract, masked_expansions_are_never_made_and_the_others_are) {
  const auto push_backs = [](auto counted) {
    g_allocator_counts = {};
    boost::container::vector<int, decltype(counted)> vector;
    for (int i = 0; i < 20'000; ++i) vector.push_back(i);
    for (int i = 0; i < 20'000; ++i) HG_MUST(vector[static_cast<std::size_t>(i)] == i);
    return g_allocator_counts;
  };
  const auto neither = push_backs(counted_allocator<allocator<int, 2, expand_fwd | expand_bwd>>());
  HG_MUST(neither.expansions_fwd == 0 && neither.expansions_bwd == 0 && neither.allocations == neither.calls);
  const auto only_bwd = push_backs(counted_allocator<allocator<int, 2, expand_fwd>>());
  HG_MUST(only_bwd.expansions_fwd == 0 && only_bwd.expansions_bwd > 0);
  const auto only_fwd = push_backs(counted_allocator<allocator<int, 2, expand_bwd>>());
  HG_MUST(only_fwd.expansions_fwd > 0 && only_fwd.expansions_bwd == 0);
  HG_MUST(only_bwd.allocations + only_bwd.expansions_bwd == only_bwd.calls);
}

HG_BOOST_CASE(A7_boost_contract, shrink_to_fit_copies_nothing_and_asks_for_nothing) {
  g_allocator_counts = {};
  boost::container::vector<Value, counted_allocator<allocator<Value>>> vector(1000);
  const Value *const begin = vector.data();
  for (std::size_t size = 995; size != 0; size -= 5) {
    vector.resize(size);
    vector.shrink_to_fit();
    HG_MUST(vector.data() == begin && vector.capacity() < size + 5);
  }
  HG_MUST(g_allocator_counts.allocations == 1 && g_allocator_counts.shrinks > 150);
}

HG_BOOST_CASE(A7_boost_contract, expanding_alone_says_no_with_null_and_never_throws) {
  hg_heap *const heap = hg_heap_create();
  {
    using Own = boost::container::vector<int, heapglass::heap_allocator<int>>;
    Own vector((heapglass::heap_allocator<int>(heap)));
    vector.resize(100, 7);
    void *const neighbour = hg_heap_allocate(heap, 64);
    const int *const begin = vector.data();
    HG_MUST(!vector.stable_reserve(100'000));  // expand_fwd, without nothrow
    HG_MUST(vector.data() == begin && vector.size() == 100);
    while (vector.size() < vector.capacity()) vector.push_back(7);
    HG_MUST(!vector.stable_emplace_back(1));
    hg_heap_deallocate(heap, neighbour);
    HG_MUST(vector.stable_reserve(200));
    HG_MUST(vector.data() == begin && vector.stable_emplace_back(1));
  }
  HG_MUST(heap_stats(heap).chunks_in_use == 0);
  hg_heap_destroy(heap);
}

// A list frees the node of an object that could not be made with deallocate(p, 1), which it had from allocate_one.
template <class List>
void node_of_a_failed_emplace_goes_back() {
  {
    List list;
    for (int i = 0; i < 100; ++i) list.push_back(Value(i));
    for (int i = 0; i < 50; ++i) {
      bool thrown = false;
      Value::throw_at(1);
      try {
        list.emplace_back(5);
      } catch (const Thrown &) {
        thrown = true;
      }
      Value::throw_at(0);
      HG_MUST(thrown);
    }
    HG_MUST(list.size() == 100);
  }
  end_pools<List>();
}
template <template <class> class Allocator>
using List = boost::container::list<Value, Allocator<Value>>;
HG_CASE_FOR_EACH_ALLOCATOR(A7_boost_contract, node_of_a_failed_emplace_goes_back, List, node_of_a_failed_emplace_goes_back)

HG_BOOST_CASE(A11_boost_bursts, a_range_into_a_list_is_one_burst) {
  g_allocator_counts = {};
  {
    boost::container::list<Value, counted_allocator<Plain2<Value>>> list;
    list.insert(list.end(), 500, Value(3));
    HG_MUST(g_allocator_counts.calls == 1 && g_allocator_counts.bursts == 1 && g_allocator_counts.nodes == 500);
    std::vector<int> sorted(50);
    for (int i = 0; i < 50; ++i) sorted[static_cast<std::size_t>(i)] = i;
    using Set = boost::container::set<int, std::less<int>, counted_allocator<Adaptive2<int>>>;
    const Set set(boost::container::ordered_unique_range, sorted.begin(), sorted.end());
    HG_MUST(g_allocator_counts.calls == 2 && g_allocator_counts.nodes == 550);
  }
  end_pool_of<boost::container::set<int, std::less<int>, Adaptive2<int>>::stored_allocator_type>();
}

HG_BOOST_CASE(A11_boost_bursts, a_stable_vector_asks_for_bursts_of_one) {
  g_allocator_counts = {};
  {
    boost::container::stable_vector<int, counted_allocator<Adaptive2<int>>> vector;
    for (int i = 0; i < 100; ++i) vector.push_back(i);
    HG_MUST(g_allocator_counts.nodes >= 100 && g_allocator_counts.bursts >= 90);
  }
  end_pool_of<boost::container::stable_vector<int, Adaptive2<int>>::stored_allocator_type>();
}

HG_BOOST_CASE(A9_boost_pools, an_emptied_list_leaves_the_free_blocks_that_may_be_kept) {
  using Kept = boost::container::list<int, heapglass::adaptive_pool<int, 64, 3>>;
  using Nodes = Kept::stored_allocator_type;
  {
    Kept list;
    for (int i = 0; i < 10'000; ++i) list.push_back(i);
    list.clear();
    hg_pool_stats stats;
    hg_pool_get_stats(Nodes::pool(), &stats);
    HG_MUST(stats.blocks == 3 && stats.free_blocks == 3 && stats.nodes_in_use == 0);
  }
  end_pools<Kept>();
}

HG_BOOST_CASE(A8_boost_pools, an_emptied_list_leaves_everything_with_a_segregated_pool_until_trim) {
  using Segregated = boost::container::list<int, heapglass::node_allocator<int, 64>>;
  using Nodes = Segregated::stored_allocator_type;
  {
    Segregated list;
    list.insert(list.end(), 1000, 1);
    hg_pool_stats before;
    hg_pool_get_stats(Nodes::pool(), &before);
    list.clear();
    hg_pool_stats after;
    hg_pool_get_stats(Nodes::pool(), &after);
    HG_MUST(after.blocks == before.blocks && after.nodes_in_use == 0 && after.nodes_free >= 1000);
    HG_MUST(Nodes::trim() == before.blocks);
  }
  end_pools<Segregated>();
}

}  // namespace
}  // namespace boost_tests
