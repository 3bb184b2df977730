// Thread numbers: see threads.hpp.
#include "platform/threads.hpp"

namespace heapglass {

#if HG_THREADS

namespace {
thread_local std::uint32_t t_number = 0;  // 0: no call yet
std::uint32_t g_numbers = 0;

std::uint32_t next_number() { return __atomic_add_fetch(&g_numbers, 1u, __ATOMIC_RELAXED); }
}  // namespace

std::uint32_t thread_number() {
  if (!has_thread_locals()) return next_number();  // platform.T1
  if (t_number == 0) t_number = next_number();
  return t_number;
}

#else

std::uint32_t g_played_thread = 1;

#endif

}  // namespace heapglass
