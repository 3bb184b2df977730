// Waiting for a spin lock: rule K3 of spin_lock.hpp.
#include "platform/spin_lock.hpp"

#if HG_THREADS

#include "platform/threads.hpp"

#if !defined(__wasm__)
#include <sched.h>
#endif

namespace heapglass {

namespace {
constexpr unsigned kSpins = 256;

void let_others_run(std::uint32_t *word) {
#if defined(__wasm__)
  constexpr long long kNanoseconds = 50'000;
  if (thread_number() != 1) __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int *>(word), 1, kNanoseconds);
#else
  static_cast<void>(word);
  sched_yield();
#endif
}
}  // namespace

void wait_for(std::uint32_t *word) {
  for (unsigned spins = 0; __atomic_load_n(word, __ATOMIC_RELAXED) != 0; ++spins) {
    if (spins % kSpins == kSpins - 1) let_others_run(word);
  }
}

}  // namespace heapglass

#endif
