// boost::container::map and set on every allocator of the project, against std::map and std::set.
#include <boost/container/map.hpp>
#include <boost/container/set.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "boost/node_allocators.hpp"
#include "boost/values.hpp"

namespace boost_tests {
namespace {

template <template <class> class Allocator>
using Map = boost::container::map<Value, Value, std::less<Value>, Allocator<std::pair<const Value, Value>>>;
template <template <class> class Allocator>
using Set = boost::container::set<Value, std::less<Value>, Allocator<Value>>;

template <class Tree>
void maps_follow_their_twin() {
  {
    Random random(7);
    Tree map;
    std::map<int, int> twin;
    for (int i = 0; i < 3000; ++i) {
      const int key = static_cast<int>(random.below(400));
      switch (random.below(8)) {
        case 0:
        case 1:
        case 2:
        case 3:
          map[Value(key)] = Value(i);
          twin[key] = i;
          break;
        case 4:
        case 5:
          HG_MUST(map.erase(Value(key)) == twin.erase(key));
          break;
        case 6: {
          const auto from = map.lower_bound(Value(key));
          const auto to = map.lower_bound(Value(key + 10));
          map.erase(from, to);
          twin.erase(twin.lower_bound(key), twin.lower_bound(key + 10));
          break;
        }
        default: {
          Tree copy(map);
          Tree moved(std::move(map));
          moved.swap(copy);
          map = std::move(moved);
        }
      }
      HG_MUST(map.size() == twin.size());
    }
    auto at = twin.begin();
    for (const auto &[key, value] : map) {
      HG_MUST(key.number() == at->first && value.number() == at->second);
      ++at;
    }
  }
  HG_MUST(Value::living() == 0);
  end_pools<Tree>();
}

template <class Tree>
void sets_follow_their_twin() {
  {
    Random random(9);
    Tree set;
    std::set<int> twin;
    for (int i = 0; i < 300; ++i) {
      std::vector<int> sorted;
      for (std::uint32_t n = random.below(30); n != 0; --n) sorted.push_back(static_cast<int>(random.below(500)));
      if (random.below(3) == 0) {
        for (const int number : sorted) HG_MUST(set.erase(Value(number)) == twin.erase(number));
      } else if (random.below(3) == 0) {
        const std::set<int> unique(sorted.begin(), sorted.end());
        Tree other(boost::container::ordered_unique_range, unique.begin(), unique.end());
        set.merge(other);
        twin.insert(unique.begin(), unique.end());
      } else {
        set.insert(sorted.begin(), sorted.end());
        twin.insert(sorted.begin(), sorted.end());
      }
      HG_MUST(set.size() == twin.size());
      HG_MUST(std::equal(twin.begin(), twin.end(), set.begin(),
                         [](int number, const Value &value) { return number == value.number(); }));
    }
  }
  HG_MUST(Value::living() == 0);
  end_pools<Tree>();
}

template <class Tree>
void lose_nothing_whichever_construction_throws() {
  const int numbers[] = {5, 3, 8, 1, 9, 2, 7, 7};
  const int runs = throw_at_each_construction([&] {
    Tree set(numbers, numbers + 8);
    for (int i = 10; i < 20; ++i) set.emplace(i);
    Tree copy(set);
    copy.erase(copy.begin(), std::next(copy.begin(), 4));
    set = copy;
    set.clear();
  });
  HG_MUST(runs > 30);
  end_pools<Tree>();
}

HG_CASE_FOR_EACH_ALLOCATOR(A7_boost_map, follows_its_twin, Map, maps_follow_their_twin)
HG_CASE_FOR_EACH_ALLOCATOR(A7_boost_set, follows_its_twin, Set, sets_follow_their_twin)
HG_CASE_FOR_EACH_ALLOCATOR(A7_boost_set, loses_nothing, Set, lose_nothing_whichever_construction_throws)

}  // namespace
}  // namespace boost_tests
