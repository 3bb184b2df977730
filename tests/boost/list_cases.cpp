// boost::container::list and slist on every allocator of the project: random operations, splices, throwing constructors.
#include <boost/container/list.hpp>
#include <boost/container/slist.hpp>
#include <boost/version.hpp>

#include "boost/node_allocators.hpp"
#include "boost/sequences.hpp"

namespace boost_tests {
namespace {

template <template <class> class Allocator>
using List = boost::container::list<Value, Allocator<Value>>;
template <template <class> class Allocator>
using ForwardList = boost::container::slist<Value, Allocator<Value>>;

template <class Sequence>
void follows_its_twin() {
  for (std::uint32_t seed = 1; seed <= 2; ++seed) follow_twin<Sequence>(seed);
  end_pools<Sequence>();
}
// Since 1.75 or later (it is so in 1.81), Boost forgets a node of a burst whose construction throws: with version 2
// allocators, ranges of a list lose memory then, and that is not the allocator's to mend.
template <class Sequence>
void loses_nothing_whichever_construction_throws() {
  constexpr bool kBursts = boost::container::dtl::version<typename Sequence::allocator_type>::value == 2;
  survive_throwing<Sequence>(!kBursts || BOOST_VERSION <= 107400);
  end_pools<Sequence>();
}

HG_CASE_FOR_EACH_ALLOCATOR(A7_boost_list, follows_its_twin, List, follows_its_twin)
HG_CASE_FOR_EACH_ALLOCATOR(A7_boost_list, loses_nothing, List, loses_nothing_whichever_construction_throws)
HG_CASE_FOR_EACH_ALLOCATOR(A7_boost_slist, follows_its_twin, ForwardList, follows_its_twin)
HG_CASE_FOR_EACH_ALLOCATOR(A7_boost_slist, loses_nothing, ForwardList, loses_nothing_whichever_construction_throws)

}  // namespace
}  // namespace boost_tests
