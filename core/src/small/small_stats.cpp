// Counts all memory of the front. Other threads are at rest.
#include "small/small.hpp"

namespace heapglass {

namespace {

Word count_batches(const CentralNodes &central) {
  Word count = 0;
  for (const void *batch = central.batches.first(); batch != nullptr; batch = Batches::next(batch)) ++count;
  return count;
}

Word count_spans(const CentralNodes &central) {
  Word count = 0;
  for (const void *span = next_owned_block(central.pool, nullptr); span != nullptr;
       span = next_owned_block(central.pool, span)) {
    ++count;
  }
  return count;
}

Word count_cached(unsigned size_class) {
  Word nodes = 0;
  for (const SmallCache *cache = g_caches.first(); cache != nullptr; cache = cache->next) {
    nodes += batch_size(size_class) - cache->lists[size_class].room;
    if (cache->spare[size_class] != nullptr) nodes += batch_size(size_class);
  }
  return nodes;
}

}  // namespace

void small_get_stats(hg_small_stats *stats) {
  *stats = {};
  for (const SmallCache *cache = g_caches.first(); cache != nullptr; cache = cache->next) ++stats->threads;
  for (unsigned k = 0; k < kSizeClasses; ++k) {
    CentralNodes &central = g_central[k];
    const Hold hold(central.lock);
    if (central.pool == nullptr) continue;
    const SpanLayout layout = span_layout(k);
    const Word spans = count_spans(central);
    const Word batches = count_batches(central);
    const Word in_central = batches * batch_size(k) + central.loose_count + central.uncut_count;
    const Word cached = count_cached(k);
    stats->spans += spans;
    stats->span_bytes += spans * layout.block_bytes;
    stats->in_use += (spans * layout.nodes - in_central - cached) * layout.node_size;
    stats->cached += cached * layout.node_size;
    stats->central += in_central * layout.node_size;
    stats->batches += batches + (central.loose_count != 0);
  }
}

}  // namespace heapglass
