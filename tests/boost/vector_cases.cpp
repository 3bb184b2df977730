// boost::container::vector on the allocator: random operations, and constructors that throw.
#include <boost/container/vector.hpp>

#include <heapglass/allocator.hpp>

#include "boost/sequences.hpp"

namespace boost_tests {
namespace {

template <class T, unsigned Version = 2, unsigned Mask = 0>
using Vector = boost::container::vector<T, heapglass::allocator<T, Version, Mask>>;
constexpr unsigned kFwd = heapglass::expand_fwd;
constexpr unsigned kBwd = heapglass::expand_bwd;
constexpr unsigned kShrink = heapglass::shrink_in_place;

HG_BOOST_CASE(A7_boost_vector, version_1_follows_its_twin) { follow_twin<Vector<Value, 1>>(1); }
HG_BOOST_CASE(A7_boost_vector, version_2_follows_its_twin) {
  for (std::uint32_t seed = 1; seed <= 4; ++seed) follow_twin<Vector<Value>>(seed);
}
HG_BOOST_CASE(A7_boost_vector, without_forward_expansion_it_follows_its_twin) {
  for (std::uint32_t seed = 1; seed <= 4; ++seed) follow_twin<Vector<Value, 2, kFwd>>(seed);
}
HG_BOOST_CASE(A7_boost_vector, without_backward_expansion_and_shrinking_it_follows_its_twin) {
  follow_twin<Vector<Value, 2, kBwd | kShrink>>(1);
}
HG_BOOST_CASE(A7_boost_vector, of_twelve_bytes_with_backward_expansion_it_follows_its_twin) {
  for (std::uint32_t seed = 1; seed <= 4; ++seed) follow_twin<Vector<Triple, 2, kFwd>>(seed);
}
HG_BOOST_CASE(A7_boost_vector, of_over_aligned_objects_it_follows_its_twin) {
  follow_twin<Vector<Aligned>>(1);
  follow_twin<Vector<Aligned, 2, kFwd>>(2);
  follow_twin<Vector<Aligned, 1>>(3, 200);
}
HG_BOOST_CASE(A7_boost_vector, nothing_is_lost_whichever_construction_throws) {
  survive_throwing<Vector<Value, 1>>();
  survive_throwing<Vector<Value, 2>>();
  survive_throwing<Vector<Value, 2, kFwd>>();
}

HG_BOOST_CASE(A7_boost_vector, on_a_heap_of_its_own_it_moves_and_swaps_with_its_memory) {
  using Own = boost::container::vector<Value, heapglass::heap_allocator<Value>>;
  hg_heap *const heaps[] = {hg_heap_create(), hg_heap_create()};
  {
    Own one((heapglass::heap_allocator<Value>(heaps[0])));
    Own other((heapglass::heap_allocator<Value>(heaps[1])));
    for (int i = 0; i < 500; ++i) one.push_back(Value(i));
    other.push_back(Value(1));
    const Value *const memory = one.data();
    one.swap(other);
    HG_MUST(other.data() == memory && other.get_allocator().place().heap() == heaps[0]);
    one = std::move(other);
    HG_MUST(one.data() == memory && one.size() == 500 && one[499].number() == 499);
    Own copy(one, heapglass::heap_allocator<Value>(heaps[1]));
    HG_MUST(copy.get_allocator() != one.get_allocator() && copy.size() == 500);
    HG_MUST(heap_stats(heaps[0]).chunks_in_use == 1);
  }
  for (hg_heap *heap : heaps) {
    HG_MUST(hg_heap_check(heap) == nullptr && heap_stats(heap).chunks_in_use == 0);
    hg_heap_destroy(heap);
  }
}

}  // namespace
}  // namespace boost_tests
