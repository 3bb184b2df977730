// The allocators that node containers are tested with, and a run of a test over all of them.
#pragma once

#include <heapglass/adaptive_pool.hpp>
#include <heapglass/allocator.hpp>
#include <heapglass/node_allocator.hpp>

#include "boost/case.hpp"

namespace boost_tests {

template <class T>
using Plain1 = heapglass::allocator<T, 1>;
template <class T>
using Plain2 = heapglass::allocator<T, 2>;
template <class T>
using Adaptive1 = heapglass::adaptive_pool<T, 16, heapglass::kAdaptiveMaxFreeBlocks, heapglass::kAdaptiveOverheadPercent, 1>;
template <class T>
using Adaptive2 = heapglass::adaptive_pool<T, 16>;
template <class T>
using Aligned2 = heapglass::adaptive_pool<T, 16, 0, heapglass::kOnlyAlignment>;
template <class T>
using Segregated1 = heapglass::node_allocator<T, 16, 1>;
template <class T>
using Segregated2 = heapglass::node_allocator<T, 16>;

// Declares a case for each: Container is a template of an allocator template.
#define HG_CASE_FOR_EACH_ALLOCATOR(suite, what, Container, test)                                          \
  HG_BOOST_CASE(suite, what##_on_allocator_1) { test<Container<Plain1>>(); }                              \
  HG_BOOST_CASE(suite, what##_on_allocator_2) { test<Container<Plain2>>(); }                              \
  HG_BOOST_CASE(suite, what##_on_adaptive_pool_1) { test<Container<Adaptive1>>(); }                       \
  HG_BOOST_CASE(suite, what##_on_adaptive_pool_2) { test<Container<Adaptive2>>(); }                       \
  HG_BOOST_CASE(suite, what##_on_aligned_pool_2) { test<Container<Aligned2>>(); }                         \
  HG_BOOST_CASE(suite, what##_on_segregated_1) { test<Container<Segregated1>>(); }                        \
  HG_BOOST_CASE(suite, what##_on_segregated_2) { test<Container<Segregated2>>(); }

}  // namespace boost_tests
