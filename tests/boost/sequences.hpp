// Random operations on a sequence and on its twin, a std::vector of numbers; what the container offers is used.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "boost/values.hpp"

namespace boost_tests {

using Numbers = std::vector<int>;

template <class Sequence>
void must_equal(const Sequence &sequence, const Numbers &twin) {
  HG_MUST(sequence.size() == twin.size());
  HG_MUST(std::equal(twin.begin(), twin.end(), sequence.begin(),
                     [](int number, const auto &value) { return number == value.number(); }));
}

// One step: the same to both. `value_type` is made from an int.
template <class Sequence>
void step(Sequence &sequence, Numbers &twin, Random &random, std::uint32_t most) {
  using Element = typename Sequence::value_type;
  const auto size = static_cast<std::uint32_t>(twin.size());
  const std::uint32_t at = random.below(size + 1);
  const std::uint32_t to = at + random.below(size - at + 1);
  const int number = static_cast<int>(random.below(1000));
  const std::uint32_t count = size < most ? random.below(40) : 0;
  const auto place = [&](std::uint32_t n) { return std::next(sequence.begin(), static_cast<std::ptrdiff_t>(n)); };
  const auto twin_place = [&](std::uint32_t n) { return twin.begin() + static_cast<std::ptrdiff_t>(n); };
  switch (random.below(16)) {
    case 0:
    case 1:
    case 2:
      if constexpr (requires { sequence.push_back(Element(1)); }) {
        for (std::uint32_t i = 0; i < count; ++i) sequence.push_back(Element(number));
        twin.insert(twin.end(), count, number);
      }
      break;
    case 3:
      sequence.insert(place(at), count, Element(number));
      twin.insert(twin_place(at), count, number);
      break;
    case 4: {
      const Numbers more(count, number);
      sequence.insert(place(at), more.begin(), more.end());
      twin.insert(twin_place(at), more.begin(), more.end());
      break;
    }
    case 5:
      sequence.emplace(place(at), number);
      twin.insert(twin_place(at), number);
      break;
    case 6:
      sequence.erase(place(at), place(to));
      twin.erase(twin_place(at), twin_place(to));
      break;
    case 7:
      if (at == size) break;
      sequence.erase(place(at));
      twin.erase(twin_place(at));
      break;
    case 8:
      if constexpr (requires { sequence.before_begin(); }) break;  // slist::resize adds too many, in 1.74 and 1.81
      sequence.resize(at + count, Element(number));
      twin.resize(at + count, number);
      break;
    case 9:
      if constexpr (requires { sequence.reserve(1); }) sequence.reserve(size + count);
      break;
    case 10:
    case 11:
      if constexpr (requires { sequence.shrink_to_fit(); }) sequence.shrink_to_fit();
      break;
    case 12: {
      Sequence copy(sequence);
      HG_MUST(copy.size() == twin.size());
      // On a version 2 allocator slist copies and inserts ranges back to front, in 1.74 and 1.81.
      if constexpr (requires { sequence.before_begin(); }) break;
      must_equal(copy, twin);
      sequence.swap(copy);
      break;
    }
    case 13: {
      Sequence moved(std::move(sequence));
      must_equal(moved, twin);
      sequence = std::move(moved);
      break;
    }
    case 14:
      sequence.assign(count, Element(number));
      twin.assign(count, number);
      break;
    default:
      if constexpr (requires(Sequence other) { sequence.splice(sequence.begin(), other); }) {
        Sequence other;
        other.insert(other.begin(), count, Element(number));
        sequence.splice(place(at), other);
        HG_MUST(other.empty());
        twin.insert(twin_place(at), count, number);
      }
      if constexpr (requires { sequence.sort(); }) {
        sequence.sort();
        std::sort(twin.begin(), twin.end());
      }
  }
}

template <class Sequence>
void follow_twin(std::uint32_t seed, int steps = 1500, std::uint32_t most = 300) {
  {
    Random random(seed);
    Sequence sequence;
    Numbers twin;
    for (int i = 0; i < steps; ++i) {
      step(sequence, twin, random, most);
      must_equal(sequence, twin);
      if (i % 50 == 0) HG_MUST(hg_heap_check(nullptr) == nullptr);
    }
    sequence.clear();
    HG_MUST(sequence.empty());
  }
  HG_MUST(Value::living() == 0);
}

// Every way a sequence makes objects, each construction failing once. pre: value_type is Value. Not for stable_vector:
// there Boost frees the node whose construction threw and then keeps it as well, whatever the allocator. Nor at the front
// of a deque, where it forgets the buffers it made. Without `ranges`, objects are made one at a time.
template <class Sequence>
void survive_throwing(bool ranges = true) {
  constexpr bool kOnlyAtEnd = requires(Sequence deque) { deque.emplace_front(1); deque[0]; };
  const Numbers numbers = {5, 3, 8, 1, 9, 2};
  const int runs = throw_at_each_construction([&] {
    Sequence sequence;
    for (int i = 0; i < 6; ++i) sequence.insert(sequence.end(), Value(i));
    if constexpr (requires { sequence.push_back(Value(1)); }) {
      for (int i = 0; i < 6; ++i) sequence.push_back(Value(i));
    }
    if constexpr (requires { sequence.emplace_back(1); }) sequence.emplace_back(11);
    if constexpr (!kOnlyAtEnd) {
      if constexpr (requires { sequence.push_front(Value(1)); }) sequence.push_front(Value(12));
      for (int i = 0; i < 6; ++i) sequence.emplace(std::next(sequence.begin(), i), i);
    }
    sequence.erase(std::next(sequence.begin()), std::next(sequence.begin(), 3));
    if constexpr (requires { sequence.shrink_to_fit(); }) sequence.shrink_to_fit();
    sequence.assign(numbers.begin(), numbers.end());  // fewer than there are
    if (!ranges) return;
    Sequence other(4, Value(7));
    other.insert(other.end(), 5, Value(4));
    if constexpr (!kOnlyAtEnd) other.insert(other.begin(), numbers.begin(), numbers.end());
    Sequence copy(other);
    copy.insert(copy.end(), numbers.begin(), numbers.end());
    sequence = copy;
    sequence.clear();
  });
  HG_MUST(runs > (ranges ? 50 : 20));
}

}  // namespace boost_tests
