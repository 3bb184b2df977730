#include "malloc_operations.hpp"

#include <heapglass/malloc.h>

#include "base/build.hpp"
#include "pattern.hpp"
#include "prng.hpp"
#include "report.hpp"
#include "walk_compare.hpp"

namespace contract {

namespace {

constexpr size_t kMaps = heapglass::kSlabs ? 1 : 0;

HeapSlot &default_slot(State &state) { return *state.heaps[0]; }

// An empty cache leaves nothing in use but what the twin and the pools know, and the slabs that hold blocks of the twin.
void expect_nothing_cached(const HeapSlot &in) {
  const InSlabs slabs = in_slabs(in);
  size_t known = in.twin.count() - slabs.blocks + slabs.slabs + in.pools.size();
  for (const auto &pool : in.pools) {
    hg_pool_stats stats;
    hg_pool_get_stats(pool->pool, &stats);
    known += stats.blocks;
  }
  hg_heap_stats stats;
  hg_heap_get_stats(in.heap, &stats);
  // A chunk more says where slabs lie, once there was one.
  expect(stats.chunks_in_use - known <= kMaps, "chunks are cached after a flush", stats.chunks_in_use, known);
  expect(slabs.idle <= kMaps, "a slab without a block is there after a flush", slabs.idle);
}

void free_one(HeapSlot &in, void *mem) {
  in.twin.remove(mem);
  hg_free(mem);
}

}  // namespace

void Malloc::perform(State &state) const {
  void *const mem = hg_malloc(size);
  if (mem == nullptr) return state.refused(default_slot(state));
  state.adopt(default_slot(state), mem, size);
}

void Free::perform(State &state) const {
  HeapSlot &in = default_slot(state);
  if (in.twin.count() == 0) return hg_free(nullptr);
  free_one(in, state.pick(in, pick));
}

void Calloc::perform(State &state) const {
  void *const mem = hg_calloc(count, size);
  if (mem == nullptr) return state.refused(default_slot(state));
  expect(is_zero(mem, count * size), "calloc's memory is not zero", reinterpret_cast<uintptr_t>(mem), count * size);
  state.adopt(default_slot(state), mem, count * size);
}

void Realloc::perform(State &state) const {
  HeapSlot &in = default_slot(state);
  void *const old = in.twin.count() == 0 || pick % 32 == 0 ? nullptr : state.pick(in, pick);
  const Entry before = old == nullptr ? Entry{0, 0, 0} : in.twin.at(old);
  if (old != nullptr) in.twin.check_contents(old, before.bytes);
  void *const mem = hg_realloc(old, size);
  if (mem == nullptr && size == 0 && old != nullptr) {
    in.twin.forget(old);  // freed
    return;
  }
  if (mem == nullptr) {
    if (old != nullptr) in.twin.check_contents(old, before.bytes);
    return state.refused(default_slot(state));
  }
  if (old != nullptr) {
    const size_t kept = before.bytes < size ? before.bytes : size;
    expect(has_pattern(mem, kept, before.seed), "realloc lost contents", reinterpret_cast<uintptr_t>(mem), kept);
    in.twin.forget(old);
  }
  state.adopt(in, mem, size);
}

void ReallocInPlace::perform(State &state) const {
  HeapSlot &in = default_slot(state);
  if (in.twin.count() == 0) return;
  void *const old = state.pick(in, pick);
  const Entry before = in.twin.at(old);
  in.twin.check_contents(old, before.bytes);
  void *const mem = hg_realloc_in_place(old, size);
  if (mem == nullptr) {
    in.twin.check_contents(old, before.bytes);
    expect(hg_malloc_usable_size(old) == before.bytes, "a refused realloc_in_place changed the block");
    return state.refused(default_slot(state));
  }
  expect(mem == old, "realloc_in_place moved the block");
  const size_t kept = before.bytes < size ? before.bytes : size;
  expect(has_pattern(mem, kept, before.seed), "realloc_in_place lost contents");
  in.twin.forget(old);
  state.adopt(in, mem, size);
}

void Memalign::perform(State &state) const {
  size_t alignment = static_cast<size_t>(1) << alignment_log2;
  if (alignment > state.largest_alignment) alignment = state.largest_alignment;
  void *const mem = hg_memalign(alignment, size);
  if (mem == nullptr) return state.refused(default_slot(state));
  state.adopt(default_slot(state), mem, size, alignment);
}

void BulkFree::perform(State &state) const {
  HeapSlot &in = default_slot(state);
  Prng prng(pick);
  std::vector<void *> blocks;
  for (uint32_t left = count; left > 0 && in.twin.count() > 0; --left) {
    void *const mem = left % 8 == 5 ? nullptr : state.pick(in, prng.next());
    blocks.push_back(mem);
    if (mem != nullptr) in.twin.remove(mem);
  }
  expect(hg_bulk_free(blocks.data(), blocks.size()) == 0, "bulk_free could not free all");
  for (size_t i = 0; i < blocks.size(); ++i) expect(blocks[i] == nullptr, "bulk_free left an entry", i);
}

void MallocFlush::perform(State &state) const {
  state.note(hg_malloc_flush());
  expect_nothing_cached(default_slot(state));
}

void MallocTrim::perform(State &state) const {
  HeapSlot &in = default_slot(state);
  hg_heap_stats before, after;
  hg_heap_get_stats(in.heap, &before);
  const size_t given = hg_malloc_trim(pad);
  hg_heap_get_stats(in.heap, &after);
  state.note(given);
  expect_nothing_cached(in);
  expect(after.footprint + given == before.footprint, "malloc_trim's bytes are not what went", after.footprint + given,
         before.footprint);
}

void MallocTheImpossible::perform(State &state) const {
  HeapSlot &in = default_slot(state);
  const size_t huge = ~static_cast<size_t>(0) - near_the_end;
  void *mem = nullptr;
  uint32_t expected = HG_STATUS_too_large;
  switch (which % 6) {
    case 0: mem = hg_malloc(huge); break;
    case 1: mem = hg_calloc(huge / 2, 3); break;
    case 2: mem = hg_memalign(64, huge); break;
    case 3:
      mem = hg_memalign(48, 100);
      expected = HG_STATUS_bad_alignment;
      break;
    case 4:
      mem = hg_memalign(0, 100);
      expected = HG_STATUS_bad_alignment;
      break;
    default: {
      if (in.twin.count() == 0) return;
      void *const old = state.pick(in, near_the_end);
      mem = which % 2 == 0 ? hg_realloc(old, huge) : hg_realloc_in_place(old, huge);
      in.twin.check_contents(old, huge);
    }
  }
  expect(mem == nullptr, "an impossible request was met", reinterpret_cast<uintptr_t>(mem), which);
  expect(hg_heap_status(in.heap) == expected, "an impossible request has the wrong status", hg_heap_status(in.heap), which);
  ++state.refusals;
}

void free_by_malloc(HeapSlot &in, uint32_t seed) {
  Prng prng(seed);
  while (in.twin.count() > 0) free_one(in, in.twin.pick(prng.next()));
  hg_malloc_flush();
  expect_nothing_cached(in);
}

}  // namespace contract
