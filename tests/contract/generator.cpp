#include "generator.hpp"

#include <heapglass/event.h>

#include "burst_operations.hpp"
#include "chunk_operations.hpp"
#include "command_operation.hpp"
#include "heap_operations.hpp"
#include "malloc_operations.hpp"
#include "pool_operations.hpp"
#include "report.hpp"

namespace contract {

namespace {

constexpr uint32_t kPhase = 4096;             // operations
constexpr size_t kMostBlocks = 12000;
constexpr size_t kMostBytes = 24u << 20;
constexpr size_t kMostPools = 4;              // a heap

constexpr uint32_t kCommands[] = {
    HG_ALLOCATE_NEW,
    HG_EXPAND_FWD,
    HG_EXPAND_BWD,
    HG_ALLOCATE_NEW | HG_EXPAND_FWD,
    HG_ALLOCATE_NEW | HG_EXPAND_BWD,
    HG_EXPAND_FWD | HG_EXPAND_BWD,
    HG_ALLOCATE_NEW | HG_EXPAND_FWD | HG_EXPAND_BWD,
    HG_SHRINK_IN_PLACE,
    HG_TRY_SHRINK_IN_PLACE,
};
constexpr uint32_t kIllegal[] = {
    0,
    HG_SHRINK_IN_PLACE | HG_EXPAND_FWD,
    HG_SHRINK_IN_PLACE | HG_ALLOCATE_NEW,
    HG_TRY_SHRINK_IN_PLACE | HG_EXPAND_BWD,
    HG_ALLOCATE_NEW | 0x20u,
};
constexpr size_t kObjectSizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 20, 24, 32, 40, 48, 64, 100, 128, 1000};
constexpr uint32_t kNodeSizes[] = {1, 8, 12, 16, 20, 24, 32, 40, 48, 64, 100, 128, 200, 256, 600, 3000};
constexpr uint32_t kFreeBlocks[] = {0, 1, 2, 5, 0xffff};

template <class T, size_t N>
T one_of(const T (&all)[N], uint32_t random) {
  return all[random % N];
}

template <class Operation>
void perform(State &state, uint32_t index, const Operation &operation) {
  report_at(index, Operation::kName);
  operation.perform(state);
}

}  // namespace

void Generator::choose_phase(const State &state) {
  growth_ = prng_.between(30, 70);
  if (state.live_blocks() > kMostBlocks / 2) growth_ = prng_.between(25, 45);
  largest_ = prng_.between(5, 17);
}

size_t Generator::some_size() {
  const uint32_t log2 = prng_.chance(5) ? prng_.between(16, 19) : prng_.below(prng_.chance(800) ? 9 : largest_ + 1);
  return prng_.between(log2 == 0 ? 0 : 1u << (log2 - 1), 1u << log2);
}

// The default heap has half of the calls.
uint32_t Generator::some_slot(const State &state) {
  const uint32_t heaps = static_cast<uint32_t>(state.heaps.size());
  const uint32_t index = prng_.chance(500) ? 0 : prng_.below(heaps);
  return index + heaps * prng_.below(1u << 20);
}

void Generator::take(State &state, uint32_t index) {
  const uint32_t slot = some_slot(state);
  const uint32_t kind = prng_.below(100);
  if (kind < 60) return perform(state, index, Allocate{slot, some_size()});
  if (kind < 75) {
    const size_t count = prng_.between(0, 40);
    return perform(state, index, AllocateZeroed{slot, count, some_size() / (count + 1)});
  }
  if (kind < 87) {
    return perform(state, index,
        AllocateAligned{slot, prng_.chance(700) ? prng_.below(10) : prng_.below(17), some_size()});
  }
  const uint32_t count = prng_.chance(900) ? prng_.between(0, 40) : prng_.between(40, 400);
  const uint32_t size = prng_.between(0, prng_.chance(900) ? 100 : 2000);
  const size_t contiguous = prng_.chance(300) ? HG_CONTIGUOUS_ALL : prng_.chance(400) ? HG_CONTIGUOUS_DEFAULT
      : prng_.between(1, 40);
  if (kind < 91) return perform(state, index, BurstNodes{slot, count, size, contiguous});
  if (kind < 95) {
    const size_t object_size = one_of(kObjectSizes, prng_.below(12));
    return perform(state, index, BurstArrays{slot, count, object_size, contiguous, prng_.next(), prng_.between(1, 60)});
  }
  const bool own_array = prng_.chance(500);
  if (kind < 98) return perform(state, index, IndependentCalloc{slot, count + 1, size, own_array});
  return perform(state, index, IndependentComalloc{slot, count + 1, prng_.next(), size, own_array});
}

void Generator::give(State &state, uint32_t index) {
  const uint32_t slot = some_slot(state);
  if (prng_.chance(970)) return perform(state, index, Deallocate{slot, prng_.next()});
  perform(state, index, BurstDeallocate{slot, prng_.next(), prng_.between(0, 120)});
}

void Generator::change(State &state, uint32_t index) {
  const uint32_t slot = some_slot(state);
  const uint32_t kind = prng_.below(100);
  if (kind < 20) return perform(state, index, Reallocate{slot, prng_.next(), some_size()});
  if (kind < 35) return perform(state, index, ReallocateInPlace{slot, prng_.next(), some_size()});
  uint32_t flags = prng_.chance(950) ? one_of(kCommands, prng_.next()) : one_of(kIllegal, prng_.next());
  if (prng_.chance(500)) flags |= HG_NOTHROW_ALLOCATION;
  const size_t object_size = prng_.chance(5) ? 0 : one_of(kObjectSizes, prng_.next());
  const uint32_t reach = prng_.chance(900) ? 40 : 4000;
  perform(state, index,
      Command{slot, prng_.next(), flags, object_size, prng_.between(0, reach), prng_.between(0, reach)});
}

void Generator::use_pool(State &state, uint32_t index) {
  const uint32_t slot = some_slot(state);
  const uint32_t pool = prng_.next();
  if (prng_.chance(30) || state.slot(slot).pools.empty()) {
    if (state.slot(slot).pools.size() >= kMostPools) return perform(state, index, PoolDestroy{slot, pool});
    hg_pool_options options{};
    options.shape = prng_.between(HG_SHAPE_segregated, HG_SHAPE_aligned_only);
    options.node_size = one_of(kNodeSizes, prng_.next());
    options.nodes_per_block = prng_.chance(100) ? 0 : prng_.between(1, prng_.chance(800) ? 64 : 400);
    if (options.node_size > 256) options.nodes_per_block = prng_.between(1, 16);
    // An aligned_only block is aligned to its size; beyond 64 KiB offsets would depend on where the first page lies.
    if (options.shape == HG_SHAPE_aligned_only && options.node_size > 64) {
      options.nodes_per_block = prng_.between(1, 16);
    }
    options.max_free_blocks = one_of(kFreeBlocks, prng_.next());
    options.overhead_percent = prng_.chance(300) ? 0 : prng_.between(1, 40);
    return perform(state, index, PoolCreate{slot, options});
  }
  const bool takes = prng_.below(100) < growth_;
  if (prng_.chance(900)) {
    if (takes) return perform(state, index, PoolAllocate{slot, pool});
    return perform(state, index, PoolDeallocate{slot, pool, prng_.next()});
  }
  if (prng_.chance(60)) return perform(state, index, PoolTrim{slot, pool});
  const uint32_t count = prng_.between(0, 300);
  if (takes) return perform(state, index, PoolBurst{slot, pool, count});
  perform(state, index, PoolBurstDeallocate{slot, pool, prng_.next(), count});
}

void Generator::use_malloc(State &state, uint32_t index, bool full) {
  const uint32_t kind = prng_.below(1000);
  if (kind < 4) return perform(state, index, MallocFlush{});
  if (kind < 6) return perform(state, index, MallocTrim{prng_.chance(500) ? 0 : some_size()});
  if (kind < 10) return perform(state, index, MallocTheImpossible{prng_.next(), prng_.below(5000)});
  if (kind < 100) return perform(state, index, Realloc{prng_.next(), some_size()});
  if (kind < 130) return perform(state, index, ReallocInPlace{prng_.next(), some_size()});
  if (full || prng_.below(100) >= growth_) {
    if (kind < 970) return perform(state, index, Free{prng_.next()});
    return perform(state, index, BulkFree{prng_.next(), prng_.below(60)});
  }
  if (kind < 800) {
    // Now and then beyond what has a list.
    return perform(state, index, Malloc{prng_.chance(1) ? prng_.between(2u << 20, 3u << 20) : some_size()});
  }
  if (kind < 900) {
    const size_t count = prng_.between(0, 40);
    return perform(state, index, Calloc{count, some_size() / (count + 1)});
  }
  perform(state, index, Memalign{prng_.chance(700) ? prng_.below(10) : prng_.below(17), some_size()});
}

void Generator::rarely(State &state, uint32_t index) {
  switch (prng_.below(6)) {
    case 0: return perform(state, index, HeapTrim{some_slot(state), prng_.chance(500) ? 0 : some_size()});
    case 1: return perform(state, index, AskTheImpossible{some_slot(state), prng_.next(), prng_.below(5000)});
    case 2: return perform(state, index, PoolRefuse{some_slot(state), prng_.next()});
    case 3: return perform(state, index, HeapCreate{});
    case 4: return perform(state, index, HeapCreateFixed{prng_.between(2000, 200000), prng_.below(64)});
    default: return perform(state, index, HeapDestroy{prng_.next()});
  }
}

void Generator::perform_next(State &state, uint32_t index) {
  if (index % kPhase == 0) choose_phase(state);
  const bool full = state.live_blocks() > kMostBlocks || state.live_bytes() > kMostBytes;
  if (state.with_malloc && prng_.chance(500)) return use_malloc(state, index, full);
  const uint32_t kind = prng_.below(1000);
  if (kind < 4) return rarely(state, index);
  if (kind < 200) return change(state, index);
  if (kind < 450 && !full) return use_pool(state, index);
  if (!full && prng_.below(100) < growth_) return take(state, index);
  give(state, index);
}

}  // namespace contract
