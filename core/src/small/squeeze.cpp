// Giving wholly free spans back: one class at a time, under its lock, so that other threads wait for this class at most and
// only while they fetch or store.
//
//   1. every span's counter to 0; then each free node of the central list counts for its span: O(spans + central nodes)
//   2. a span whose nodes are all there is wholly free: no thread has a node of it in its cache or in use
//   3. the nodes of the others are put together to batches again, in the order in which they are
//   4. the free spans go back to the heap
//
// Nodes in other threads' caches keep their spans; their threads need not be asked.
#include "heap/heap.hpp"
#include "small/central.hpp"

namespace heapglass {

namespace {

Span *next_span(const CentralList &central, Span *span) {
  return static_cast<Span *>(next_owned_block(central.pool, span));
}

// Calls visit(node) for each node of the batches and of the loose nodes; it may change the node.
template <class Visit>
void visit_central(const CentralList &central, Visit visit) {
  for (void *batch = central.batches; batch != nullptr;) {
    void *const next = batch_link_of(batch);
    for (void *node = batch; node != nullptr;) {
      void *const following = link_of(node);
      visit(node);
      node = following;
    }
    batch = next;
  }
  for (void *node = central.loose; node != nullptr;) {
    void *const following = link_of(node);
    visit(node);
    node = following;
  }
}

void count_free_in_spans(const CentralList &central) {
  for (Span *span = next_span(central, nullptr); span != nullptr; span = next_span(central, span)) span->free_nodes = 0;
  visit_central(central, [](void *node) { ++span_of(node)->free_nodes; });
  if (central.uncut != nullptr) span_of(central.uncut)->free_nodes += static_cast<std::uint32_t>(central.uncut_count);
}

// Puts nodes together to batches, in order; the last, too short one, is what is loose.
class Rebatching {
 public:
  explicit Rebatching(Word batch) : batch_(batch) {}

  void add(void *node) {
    set_link(node, nullptr);
    if (count_ == 0) first_ = node; else set_link(last_, node);
    last_ = node;
    if (++count_ < batch_) return;
    set_batch_link(first_, nullptr);
    if (batches_ == nullptr) batches_ = first_; else set_batch_link(last_batch_, first_);
    last_batch_ = first_;
    count_ = 0;
  }
  void end(CentralList &central) const {
    central.batches = batches_;
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
  CentralList &central = g_central[size_class];
  const Hold hold(central.lock);
  if (central.pool == nullptr) return 0;
  const SpanLayout layout = span_layout(size_class);
  count_free_in_spans(central);
  Word free_spans = 0;
  for (Span *span = next_span(central, nullptr); span != nullptr; span = next_span(central, span)) {
    free_spans += span->free_nodes == layout.nodes;
  }
  if (free_spans == 0) return 0;
  Rebatching kept(batch_size(size_class));
  visit_central(central, [&](void *node) {
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
