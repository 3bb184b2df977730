// See census.hpp.
#include "diagnose/census.hpp"

#include "base/bits.hpp"
#include "malloc/hooks.hpp"
#include "platform/page_source.hpp"

namespace heapglass {

History g_history;

namespace {

GrowthHook g_hook_before = nullptr;

void remember(const Census &census) {
  if (g_history.count == kCensuses) {
    for (unsigned i = 1; i < kCensuses; ++i) g_history.looks[i - 1] = g_history.looks[i];
    --g_history.count;
  }
  g_history.looks[g_history.count++] = census;
}

bool look_and_grow(Heap &heap, bool linear_memory) {
  const unsigned count = g_history.count;
  if (count == 0 || heap.footprint() / 2 >= g_history.looks[count - 1].footprint) remember(take_census(heap));
  return g_hook_before != nullptr && g_hook_before(heap, linear_memory);
}

}  // namespace

bool ChunkCursor::next() {
  while (heap_->walk(&walk_, &record_, 1) == 1) {
    const std::uint32_t of = kind();
    if (of == HG_WALK_bin_entry || of == HG_WALK_tree_entry) return false;  // behind all chunks (event.W2)
    if (of == HG_WALK_block) {
      Heap::skip_block(&walk_);
      continue;
    }
    const bool in_slab = of == HG_WALK_slab_block_in_use || of == HG_WALK_slab_block_free;
    if (!(blocks_ ? of == HG_WALK_slab : in_slab)) return true;
  }
  return false;
}

Census take_census(const Heap &heap) {
  Census census = {};
  census.footprint = heap.footprint();
  for (ChunkCursor chunk(heap, true); chunk.next();) {
    if (!chunk.is_live()) continue;
    census.live += chunk.size();
    census.bytes[floor_log2(chunk.size())] += chunk.size();
  }
  return census;
}

void watch_growth(Heap &heap) {
  if (g_history.first_memory != 0) return;
  g_history.first_memory = raw_limit();
  g_hook_before = heap.growth_hook();
  heap.set_growth_hook(look_and_grow);
}

}  // namespace heapglass
