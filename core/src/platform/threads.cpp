// Thread numbers: see threads.hpp.
#include "platform/threads.hpp"

namespace heapglass {

#if HG_THREADS

thread_local std::uint32_t t_thread_number = 0;

std::uint32_t begin_thread() {
  static std::uint32_t g_threads = 0;
  t_thread_number = __atomic_add_fetch(&g_threads, 1u, __ATOMIC_RELAXED);
  return t_thread_number;
}

#else

std::uint32_t g_played_thread = 1;

#endif

}  // namespace heapglass
