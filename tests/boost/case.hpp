// What the tests of Boost's containers are written with: the same sources run natively under GoogleTest and in wasm, where
// there is none. A case is a function; what it must have is said with HG_MUST, which throws.
//
//  BC1  Before a case the default heap holds no chunk in use; after it neither, and the heap is proved. A case ends the
//       pools it used with end_pools.
#pragma once

#include <cstddef>
#include <cstdint>

#include <heapglass/heapglass.h>

namespace boost_tests {

// What a broken HG_MUST throws; nothing else in the cases throws or catches it.
struct Broken {
  const char *file;
  int line;
  const char *what;
};

struct Case {
  const char *suite;
  const char *name;
  void (*body)();
  const Case *next;
};

// Runs the body and proves BC1; throws Broken.
void run_case(const Case &chosen);

// Newest first.
extern const Case *g_cases;

class Registered {
 public:
  Registered(const char *suite, const char *name, void (*body)());

 private:
  Case case_;
};

#define HG_BOOST_CASE(suite, name)                                                                              \
  static void suite##_##name##_body();                                                                          \
  static const ::boost_tests::Registered suite##_##name##_registered(#suite, #name, &suite##_##name##_body);    \
  static void suite##_##name##_body()

#define HG_MUST(condition)                                                                \
  do {                                                                                    \
    if (!(condition)) throw ::boost_tests::Broken{__FILE__, __LINE__, #condition};        \
  } while (false)

// X5 of the experiments holds here too: the same seed, the same operations.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed * 2654435761u + 1) {}
  std::uint32_t below(std::uint32_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return static_cast<std::uint32_t>(std::uint64_t{state_} * bound >> 32);
  }

 private:
  std::uint32_t state_;
};

inline hg_heap_stats heap_stats(hg_heap *heap = nullptr) {
  hg_heap_stats stats;
  hg_heap_get_stats(heap, &stats);
  return stats;
}

// The pool behind a node container's allocator, if there is one, has all its nodes back, and none of its blocks can stay.
template <class Allocator>
void end_pool_of() {
  if constexpr (requires { Allocator::destroy_pool(); }) {
    if (Allocator::pool() == nullptr) return;
    hg_pool_stats stats;
    hg_pool_get_stats(Allocator::pool(), &stats);
    HG_MUST(stats.nodes_in_use == 0);
    Allocator::trim();
    hg_pool_get_stats(Allocator::pool(), &stats);
    HG_MUST(stats.blocks == 0);
    Allocator::destroy_pool();
  }
}
// pre: no container of these types lives.
template <class... Containers>
void end_pools() {
  (end_pool_of<typename Containers::allocator_type>(), ...);
  (end_pool_of<typename Containers::stored_allocator_type>(), ...);
}

}  // namespace boost_tests
