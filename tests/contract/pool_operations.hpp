// Pools of every shape: created, used one by one and in bursts, trimmed, destroyed.
//
//  P1  what the pool counts in use is what the twin holds.
//  P2  an adaptive pool keeps at most max_free_blocks wholly free blocks; after a trim none.
#pragma once

#include "state.hpp"

namespace contract {

struct PoolCreate {
  static constexpr const char *kName = "pool_create";
  uint32_t slot;
  hg_pool_options options;
  void perform(State &state) const;
};

// Options out of range: all must be refused.
struct PoolRefuse {
  static constexpr const char *kName = "pool_refuse";
  uint32_t slot, which;
  void perform(State &state) const;
};

struct PoolAllocate {
  static constexpr const char *kName = "pool_allocate";
  uint32_t slot, pool;
  void perform(State &state) const;
};

struct PoolDeallocate {
  static constexpr const char *kName = "pool_deallocate";
  uint32_t slot, pool, pick;
  void perform(State &state) const;
};

struct PoolBurst {
  static constexpr const char *kName = "pool_burst";
  uint32_t slot, pool;
  size_t count;
  void perform(State &state) const;
};

struct PoolBurstDeallocate {
  static constexpr const char *kName = "pool_burst_deallocate";
  uint32_t slot, pool, pick, count;
  void perform(State &state) const;
};

struct PoolTrim {
  static constexpr const char *kName = "pool_trim";
  uint32_t slot, pool;
  void perform(State &state) const;
};

struct PoolDestroy {
  static constexpr const char *kName = "pool_destroy";
  uint32_t slot, pool;
  void perform(State &state) const;
};

// P1 and P2 for one pool.
void check_pool(const PoolSlot &pool);

}  // namespace contract
