// See acting_thread.hpp.
#include "trace/acting_thread.hpp"

namespace heapglass::trace {

#if HG_THREADS && HG_TRACE
LockOfThread g_everything;
#endif

#if HG_TRACE
std::uint32_t g_acting_thread = 1;
#endif

}  // namespace heapglass::trace
