// See central.hpp.
#include "small/central.hpp"

#include "heap/heap.hpp"
#include "trace/acting_thread.hpp"
#include "trace/probes.hpp"

namespace heapglass {

CentralList g_central[kSizeClasses];

namespace {

// pre: the class's lock is held
Pool *make_class_pool(Heap *heap, unsigned size_class) {
  CentralList &central = g_central[size_class];
  if (central.pool != nullptr) return central.pool;
  const SpanLayout layout = span_layout(size_class);
  const hg_owned_pool_options options = {HG_SHAPE_size_class, layout.node_size,   layout.first_node,
                                         layout.nodes,        layout.block_bytes, kSpanBytes,
                                         &central,            next_free_small_node};
  const Hold hold(heap->lock());
  central.pool = create_owned_pool(heap, &options);
  return central.pool;
}

// pre: nothing is uncut. False when out of memory.
bool add_span(Heap *heap, unsigned size_class) {
  CentralList &central = g_central[size_class];
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

// pre: 0 < count <= uncut_count. Linked in address order.
void *cut_nodes(CentralList &central, Word count, Word node_size) {
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

// pre: the list has more than count nodes, count > 0. What follows the first count nodes, which end in nullptr now.
void *cut_list(void *first, Word count) {
  void *last = first;
  while (--count != 0) last = link_of(last);
  void *const rest = link_of(last);
  set_link(last, nullptr);
  return rest;
}

// T3 again after nodes were added.
void gather_loose(CentralList &central, Word batch) {
  while (central.loose_count >= batch) {
    void *const first = central.loose;
    central.loose = cut_list(first, batch);
    central.loose_count -= batch;
    set_batch_link(first, central.batches);
    central.batches = first;
  }
}

// pre: the lock is held
NodeList take_nodes(Heap *heap, unsigned size_class, Word most) {
  CentralList &central = g_central[size_class];
  const Word batch = batch_size(size_class);
  if (most >= batch && central.batches != nullptr) {
    void *const first = central.batches;
    central.batches = batch_link_of(first);
    return {first, batch};
  }
  if (central.loose == nullptr && central.batches != nullptr) {  // fewer than a batch are wanted
    central.loose = central.batches;
    central.loose_count = batch;
    central.batches = batch_link_of(central.loose);
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

NodeList fetch_batch(Heap *heap, unsigned size_class) {
  CentralList &central = g_central[size_class];
  const Hold hold(central.lock);
  const NodeList nodes = take_nodes(heap, size_class, batch_size(size_class));
  if (nodes.count != 0) {
    HG_PROBE(batch_fetched, heap->id(), central.pool->id, nodes.first, nodes.count, thread_number());
  }
  return nodes;
}

void *fetch_node(Heap *heap, unsigned size_class) {
  CentralList &central = g_central[size_class];
  const Hold hold(central.lock);
  const NodeList nodes = take_nodes(heap, size_class, 1);
  if (nodes.count != 0) {
    HG_PROBE(batch_fetched, heap->id(), central.pool->id, nodes.first, nodes.count, thread_number());
  }
  return nodes.first;
}

void store_batch(unsigned size_class, void *batch) {
  CentralList &central = g_central[size_class];
  const Hold hold(central.lock);
  set_batch_link(batch, central.batches);
  central.batches = batch;
  HG_PROBE(batch_stored, central.pool->heap->id(), central.pool->id, batch, batch_size(size_class), thread_number());
}

void store_loose(unsigned size_class, NodeList nodes) {
  if (nodes.count == 0) return;
  void *last = nodes.first;
  while (void *const next = link_of(last)) last = next;
  CentralList &central = g_central[size_class];
  const Hold hold(central.lock);
  set_link(last, central.loose);
  central.loose = nodes.first;
  central.loose_count += nodes.count;
  gather_loose(central, batch_size(size_class));
  HG_PROBE(batch_stored, central.pool->heap->id(), central.pool->id, nodes.first, nodes.count, thread_number());
}

}  // namespace heapglass
