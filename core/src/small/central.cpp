// See central.hpp.
#include "small/central.hpp"

#include "heap/heap.hpp"
#include "trace/acting_thread.hpp"
#include "trace/probes.hpp"

namespace heapglass {

constinit CentralNodes g_central[kSizeClasses] = {};

namespace {

// pre: the caller holds the class's lock
Pool *make_class_pool(Heap *heap, unsigned size_class) {
  CentralNodes &central = g_central[size_class];
  if (central.pool != nullptr) return central.pool;
  const SpanLayout layout = span_layout(size_class);
  const hg_owned_pool_options options = {HG_SHAPE_size_class, layout.node_size,   layout.first_node,
                                         layout.nodes,        layout.block_bytes, kSpanBytes,
                                         &central,            next_free_small_node};
  const Hold hold(heap->lock());
  central.pool = create_owned_pool(heap, &options);
  return central.pool;
}

// pre: no node is uncut. False when out of memory.
bool add_span(Heap *heap, unsigned size_class) {
  CentralNodes &central = g_central[size_class];
  Pool *const pool = make_class_pool(heap, size_class);
  if (pool == nullptr) return false;
  Span *span;
  {
    const Hold hold(heap->lock());
    span = static_cast<Span *>(acquire_owned_block(pool));
  }
  if (span == nullptr) return false;
  const SpanLayout layout = span_layout(size_class);
  span->size_class = size_class;
  central.uncut = at_offset<char>(span, layout.first_node);
  central.uncut_count = layout.nodes;
  return true;
}

// Cuts and links `count` nodes in address order.  pre: 0 < count <= uncut_count
void *cut_nodes(CentralNodes &central, Word count, Word node_size) {
  char *const first = central.uncut;
  char *node = first;
  for (Word left = count; left > 1; --left) {
    set_link(node, node + node_size);
    node += node_size;
  }
  set_link(node, nullptr);
  central.uncut_count -= count;
  central.uncut = central.uncut_count != 0 ? node + node_size : nullptr;
  return first;
}

// Ends the list after `count` nodes and returns the rest.  pre: the list has at least count nodes, count > 0
void *cut_list(void *first, Word count) {
  void *last = first;
  while (--count != 0) last = link_of(last);
  void *const rest = link_of(last);
  set_link(last, nullptr);
  return rest;
}

// Restores small.T3 after nodes were added.
void gather_loose(CentralNodes &central, Word batch) {
  while (central.loose_count >= batch) {
    void *const first = central.loose;
    central.loose = cut_list(first, batch);
    central.loose_count -= batch;
    central.batches.store(first, first);
  }
}

NodeList take_nodes(Heap *heap, unsigned size_class, Word most) {
  CentralNodes &central = g_central[size_class];
  const Word batch = batch_size(size_class);
  if (most >= batch) {
    if (void *const first = central.batches.fetch()) return {first, batch};
  }
  const Hold hold(central.lock);
  if (central.loose == nullptr) {  // fewer than a batch are wanted, or a squeeze has put batches back since
    central.loose = central.batches.fetch();
    central.loose_count = central.loose != nullptr ? batch : 0;
  }
  if (central.loose != nullptr) {
    const NodeList all = {central.loose, central.loose_count};
    const Word count = all.count < most ? all.count : most;
    central.loose = cut_list(all.first, count);
    central.loose_count -= count;
    return {all.first, count};
  }
  if (central.uncut_count == 0 && !add_span(heap, size_class)) return {nullptr, 0};
  const Word count = central.uncut_count < most ? central.uncut_count : most;
  return {cut_nodes(central, count, size_of_class(size_class)), count};
}

}  // namespace

Pool *pool_of_class(Heap *heap, unsigned size_class) {
  const Hold hold(g_central[size_class].lock);
  return make_class_pool(heap, size_class);
}

NodeList fetch_nodes(Heap *heap, unsigned size_class, Word most) {
  const NodeList nodes = take_nodes(heap, size_class, most);
  if (nodes.count != 0) {
    HG_PROBE(batch_fetched, heap->id(), g_central[size_class].pool->id, nodes.first, nodes.count, thread_number());
  }
  return nodes;
}

void store_batch(unsigned size_class, void *batch) {
  CentralNodes &central = g_central[size_class];
  central.batches.store(batch, batch);
  HG_PROBE(batch_stored, central.pool->heap->id(), central.pool->id, batch, batch_size(size_class), thread_number());
}

void store_loose(unsigned size_class, NodeList nodes) {
  if (nodes.count == 0) return;
  void *last = nodes.first;
  while (void *const next = link_of(last)) last = next;
  CentralNodes &central = g_central[size_class];
  const Hold hold(central.lock);
  set_link(last, central.loose);
  central.loose = nodes.first;
  central.loose_count += nodes.count;
  gather_loose(central, batch_size(size_class));
  HG_PROBE(batch_stored, central.pool->heap->id(), central.pool->id, nodes.first, nodes.count, thread_number());
}

}  // namespace heapglass
