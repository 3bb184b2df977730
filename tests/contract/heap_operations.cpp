#include "heap_operations.hpp"

#include "malloc_operations.hpp"
#include "prng.hpp"
#include "regions.hpp"
#include "report.hpp"

namespace contract {

namespace {

constexpr size_t kMostHeaps = 7;

void drop(State &state, size_t index) {
  HeapSlot &gone = *state.heaps[index];
  gone.twin.check_all_contents();
  for (const auto &pool : gone.pools) pool->twin.check_all_contents();
  hg_heap_destroy(gone.heap);
  state.heaps.erase(state.heaps.begin() + static_cast<ptrdiff_t>(index));
}

void free_blocks(HeapSlot &in, Prng &prng) {
  while (in.twin.count() > 0) {
    void *mem = in.twin.pick(prng.next());
    in.twin.remove(mem);
    hg_heap_deallocate(in.heap, mem);
  }
}

void free_pools(HeapSlot &in, Prng &prng) {
  for (const auto &pool : in.pools) {
    while (pool->twin.count() > 0) {
      void *node = pool->twin.pick(prng.next());
      pool->twin.remove(node);
      hg_pool_deallocate(pool->pool, node);
    }
    hg_pool_destroy(pool->pool);
  }
  in.pools.clear();
}

}  // namespace

void HeapCreate::perform(State &state) const {
  if (state.heaps.size() >= kMostHeaps) return;
  hg_heap *made = hg_heap_create();
  if (made == nullptr) {
    ++state.refusals;
    return;
  }
  auto slot = std::make_unique<HeapSlot>();
  slot->heap = made;
  state.heaps.push_back(std::move(slot));
  state.note_address(*state.heaps[0], made);
}

void HeapCreateFixed::perform(State &state) const {
  if (state.heaps.size() >= kMostHeaps) return;
  bool used[kRegions] = {};
  for (const auto &slot : state.heaps) {
    if (slot->fixed) used[slot->region] = true;
  }
  size_t region = 0;
  while (region < kRegions && used[region]) ++region;
  if (region == kRegions) return;
  hg_heap *made = hg_heap_create_fixed(region_address(region) + skew, bytes);
  if (made == nullptr) {
    expect(bytes < 8192, "a fixed heap of 8 KiB or more was refused", bytes);
    ++state.refusals;
    return;
  }
  expect(bytes >= 4096, "a fixed heap under 4 KiB was made", bytes);
  auto slot = std::make_unique<HeapSlot>();
  slot->heap = made;
  slot->fixed = true;
  slot->region = region;
  state.heaps.push_back(std::move(slot));
}

void HeapDestroy::perform(State &state) const {
  if (state.heaps.size() > 1) drop(state, 1 + slot % (state.heaps.size() - 1));
}

void HeapTrim::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  hg_heap_stats before, after;
  hg_heap_get_stats(in.heap, &before);
  const size_t given = hg_heap_trim(in.heap, pad);
  hg_heap_get_stats(in.heap, &after);
  state.note(given);
  expect(after.footprint + given == before.footprint, "trim's bytes are not what went", after.footprint + given,
      before.footprint);
  expect(after.in_use == before.in_use, "trim changed the bytes in use", after.in_use, before.in_use);
}

void FreeAll::perform(State &state) const {
  Prng prng(seed);
  while (!state.heaps.empty()) {
    const size_t index = state.heaps.size() - 1;
    HeapSlot &last = *state.heaps[index];
    free_pools(last, prng);
    if (last.by_default && state.with_malloc) free_by_malloc(last, prng.next());
    else free_blocks(last, prng);
    hg_heap_trim(last.heap, 0);
    hg_heap_stats stats;
    hg_heap_get_stats(last.heap, &stats);
    expect(stats.chunks_in_use == 0 && stats.in_use == 0, "chunks in use after all was freed", stats.chunks_in_use,
        stats.in_use);
    expect(stats.segments == 1 && stats.chunks_free == 1, "an empty heap is not one free chunk", stats.segments,
        stats.chunks_free);
    const char *broken = hg_heap_check(last.heap);
    expect(broken == nullptr, broken == nullptr ? "" : broken);
    if (index == 0) break;
    drop(state, index);
  }
}

}  // namespace contract
