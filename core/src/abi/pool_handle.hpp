// A pool's handle is the address of its state. Checked builds know which pools there are.
#pragma once

#include "pool/pool_guard.hpp"

namespace heapglass {

#if HG_CHECKED
[[gnu::noinline]]
#endif
inline void check_pool([[maybe_unused]] const hg_pool *pool) {
  HG_REQUIRE(is_made(reinterpret_cast<const Pool *>(pool)), foreign_node, pool, "no pool is there: it has ended, or is none");
}
inline Pool *pool_of(hg_pool *pool) {
  check_pool(pool);
  return reinterpret_cast<Pool *>(pool);
}
inline const Pool *pool_of(const hg_pool *pool) {
  check_pool(pool);
  return reinterpret_cast<const Pool *>(pool);
}

}  // namespace heapglass
