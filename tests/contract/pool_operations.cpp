#include "pool_operations.hpp"

#include <heapglass/event.h>

#include "prng.hpp"
#include "report.hpp"

namespace contract {

namespace {

PoolSlot *pick_pool(HeapSlot &in, uint32_t random) {
  return in.pools.empty() ? nullptr : in.pools[random % in.pools.size()].get();
}

void pool_refused(State &state, const PoolSlot &pool) {
  ++state.refusals;
  const uint32_t status = hg_pool_status(pool.pool);
  state.note(status);
  expect(status != HG_STATUS_ok, "a pool gave nothing but its status is ok");
}

}  // namespace

void check_pool(const PoolSlot &pool) {
  hg_pool_stats stats;
  hg_pool_get_stats(pool.pool, &stats);
  expect(stats.nodes_in_use == pool.twin.count(), "P1 nodes in use", stats.nodes_in_use, pool.twin.count());
  expect(stats.nodes_in_use + stats.nodes_free == stats.blocks * stats.nodes_per_block, "P1 nodes of all blocks",
         stats.nodes_in_use + stats.nodes_free, stats.blocks * stats.nodes_per_block);
  if (pool.options.shape == HG_SHAPE_segregated) return;
  expect(pool.options.max_free_blocks >= 0xffff || stats.free_blocks <= pool.options.max_free_blocks,
         "P2 more wholly free blocks than the limit", stats.free_blocks, pool.options.max_free_blocks);
}

void PoolCreate::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  hg_pool *made = hg_pool_create(in.heap, &options);
  if (made == nullptr) return state.refused(in);
  state.note_address(in, made);
  auto pool = std::make_unique<PoolSlot>();
  pool->pool = made;
  pool->options = options;
  hg_pool_stats stats;
  hg_pool_get_stats(made, &stats);
  expect(stats.node_size >= options.node_size && stats.node_size % sizeof(size_t) == 0, "node size of a new pool",
         stats.node_size, options.node_size);
  expect(stats.nodes_per_block > 0 && stats.blocks == 0, "a new pool has blocks", stats.nodes_per_block, stats.blocks);
  pool->options.node_size = static_cast<uint32_t>(stats.node_size);
  in.pools.push_back(std::move(pool));
}

void PoolRefuse::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  hg_pool_options options{HG_SHAPE_adaptive, 16, 64, 2, 5};
  switch (which % 3) {
    case 0: options.shape = 0; break;
    case 1: options.shape = 4; break;
    default: options.node_size = 0;
  }
  hg_pool *made = hg_pool_create(in.heap, &options);
  expect(made == nullptr, "a pool with options out of range was made", which % 3);
  expect(hg_heap_status(in.heap) == HG_STATUS_bad_argument, "options out of range have the wrong status",
         hg_heap_status(in.heap), which % 3);
  ++state.refusals;
}

void PoolAllocate::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  PoolSlot *of = pick_pool(in, pool);
  if (of == nullptr) return;
  void *node = hg_pool_allocate(of->pool);
  if (node == nullptr) return pool_refused(state, *of);
  state.adopt_node(in, *of, node);
}

void PoolDeallocate::perform(State &state) const {
  PoolSlot *of = pick_pool(state.slot(slot), pool);
  if (of == nullptr || of->twin.count() == 0) return;
  void *node = of->twin.pick(pick);
  of->twin.remove(node);
  hg_pool_deallocate(of->pool, node);
  check_pool(*of);
}

void PoolBurst::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  PoolSlot *of = pick_pool(in, pool);
  if (of == nullptr) return;
  hg_chain chain;
  hg_chain_init(&chain);
  const size_t got = hg_pool_burst(of->pool, count, &chain);
  state.note(got);
  expect((got == count || got == 0) && chain.count == got, "a pool burst returned a part", got, chain.count);
  if (got == 0) {
    check_pool(*of);
    return count == 0 ? void() : pool_refused(state, *of);
  }
  std::vector<void *> nodes;
  for (void *node = chain.first; node != nullptr; node = hg_chain_next(node)) nodes.push_back(node);
  expect(nodes.size() == got, "the chain's count is not its length", nodes.size(), got);
  for (void *node : nodes) state.adopt_node(in, *of, node);
  check_pool(*of);
}

void PoolBurstDeallocate::perform(State &state) const {
  PoolSlot *of = pick_pool(state.slot(slot), pool);
  if (of == nullptr) return;
  Prng prng(pick);
  hg_chain chain;
  hg_chain_init(&chain);
  for (uint32_t i = 0; i < count && of->twin.count() > 0; ++i) {
    void *node = of->twin.pick(prng.next());
    of->twin.remove(node);
    hg_chain_push_back(&chain, node);
  }
  hg_pool_burst_deallocate(of->pool, &chain);
  expect(chain.first == nullptr && chain.count == 0, "pool_burst_deallocate left something in the chain");
  check_pool(*of);
}

void PoolTrim::perform(State &state) const {
  PoolSlot *of = pick_pool(state.slot(slot), pool);
  if (of == nullptr) return;
  hg_pool_stats before, after;
  hg_pool_get_stats(of->pool, &before);
  const size_t given = hg_pool_trim(of->pool);
  hg_pool_get_stats(of->pool, &after);
  state.note(given);
  expect(after.blocks + given == before.blocks, "pool_trim's count is not what went", after.blocks + given,
      before.blocks);
  if (of->options.shape != HG_SHAPE_segregated) {
    expect(given == before.free_blocks && after.free_blocks == 0, "P2 pool_trim left free blocks", given,
        before.free_blocks);
  }
  if (of->twin.count() == 0) expect(after.blocks == 0, "P2 an empty pool kept blocks after a trim", after.blocks);
  check_pool(*of);
}

void PoolDestroy::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  PoolSlot *of = pick_pool(in, pool);
  if (of == nullptr) return;
  of->twin.check_all_contents();
  hg_pool_destroy(of->pool);
  in.pools.erase(in.pools.begin() + static_cast<ptrdiff_t>(pool % in.pools.size()));
}

}  // namespace contract
