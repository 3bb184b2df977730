// Releases entirely free spans: one class at a time, under its lock.
//
//   1. take all batches off the list, so that only the squeeze can reach them
//   2. set every span's counter to 0; then count each free node of the class for its span: O(spans + free nodes)
//   3. a span whose nodes were all counted is entirely free: none of them is in use or in a thread's cache
//   4. link the nodes of the other spans to batches again, in their present order
//   5. release the free spans to the heap
//
// Other threads may store batches of this class at the same time: the spans of those nodes stay. A thread that needs nodes waits
// for the lock. Spans with nodes in other threads' caches stay, too, so those threads need not stop.
#include "heap/heap.hpp"
#include "small/central.hpp"

namespace heapglass {

namespace {

Span *next_span(const CentralNodes &central, Span *span) {
  return static_cast<Span *>(next_owned_block(central.pool, span));
}

// Calls visit(node) for each node; it may change the node.
template <class Visit>
void visit_nodes(void *node, Visit visit) {
  while (node != nullptr) {
    void *const next = link_of(node);
    visit(node);
    node = next;
  }
}

// The nodes of the batches, then the loose ones. Returns the last batch.
template <class Visit>
void *visit_central(void *batches, void *loose, Visit visit) {
  void *last = nullptr;
  for (void *batch = batches; batch != nullptr;) {
    void *const next = Batches::next(batch);
    last = batch;
    visit_nodes(batch, visit);
    batch = next;
  }
  visit_nodes(loose, visit);
  return last;
}

// Links nodes to batches, in order. The nodes of the last, incomplete batch become the loose ones.
class Rebatching {
 public:
  explicit Rebatching(Word batch) : batch_(batch) {}

  void add(void *node) {
    set_link(node, nullptr);
    if (count_ == 0) first_ = node; else set_link(last_, node);
    last_ = node;
    if (++count_ < batch_) return;
    if (batches_ == nullptr) batches_ = first_; else Batches::set_next(last_batch_, first_);
    last_batch_ = first_;
    count_ = 0;
  }
  void end(CentralNodes &central) const {
    if (batches_ != nullptr) central.batches.store(batches_, last_batch_);
    central.loose = count_ != 0 ? first_ : nullptr;
    central.loose_count = count_;
  }

 private:
  const Word batch_;
  Word count_ = 0;
  void *first_ = nullptr;
  void *last_ = nullptr;
  void *batches_ = nullptr;
  void *last_batch_ = nullptr;
};

}  // namespace

Word squeeze_class(Heap *heap, unsigned size_class) {
  CentralNodes &central = g_central[size_class];
  const Hold hold(central.lock);
  if (central.pool == nullptr) return 0;
  const SpanLayout layout = span_layout(size_class);
  void *const batches = central.batches.fetch_all();
  for (Span *span = next_span(central, nullptr); span != nullptr; span = next_span(central, span)) span->free_nodes = 0;
  void *const last = visit_central(batches, central.loose, [](void *node) { ++span_of(node)->free_nodes; });
  if (central.uncut != nullptr) span_of(central.uncut)->free_nodes += static_cast<std::uint32_t>(central.uncut_count);
  Word free_spans = 0;
  for (Span *span = next_span(central, nullptr); span != nullptr; span = next_span(central, span)) {
    free_spans += span->free_nodes == layout.nodes;
  }
  if (free_spans == 0) {
    if (last != nullptr) central.batches.store(batches, last);
    return 0;
  }
  Rebatching kept(batch_size(size_class));
  visit_central(batches, central.loose, [&](void *node) {
    if (span_of(node)->free_nodes != layout.nodes) kept.add(node);
  });
  kept.end(central);
  if (central.uncut != nullptr && span_of(central.uncut)->free_nodes == layout.nodes) {
    central.uncut = nullptr;
    central.uncut_count = 0;
  }
  const Hold hold_heap(heap->lock());
  for (Span *span = next_span(central, nullptr); span != nullptr;) {
    Span *const next = next_span(central, span);
    if (span->free_nodes == layout.nodes) release_owned_block(central.pool, span);
    span = next;
  }
  return free_spans * layout.block_bytes;
}

}  // namespace heapglass
