// boost::container::stable_vector: nodes from one half of the allocator, their index from the other.
#include <boost/container/stable_vector.hpp>

#include "boost/node_allocators.hpp"
#include "boost/sequences.hpp"

namespace boost_tests {
namespace {

template <template <class> class Allocator>
using StableVector = boost::container::stable_vector<Value, Allocator<Value>>;

template <class Sequence>
void vector_follows_its_twin() {
  for (std::uint32_t seed = 1; seed <= 2; ++seed) follow_twin<Sequence>(seed);
  end_pools<Sequence>();
}
HG_CASE_FOR_EACH_ALLOCATOR(A7_boost_stable_vector, follows_its_twin, StableVector, vector_follows_its_twin)

}  // namespace
}  // namespace boost_tests
