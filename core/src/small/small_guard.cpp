// Implements small_guard.hpp. No argument is trusted: every address is first found to lie in the heap.
#include "small/small_guard.hpp"

#include "pool/pool_guard.hpp"
#include "small/thread_cache.hpp"

namespace heapglass {

namespace {

constexpr Word kLinks = 2 * kWord;

bool is_span(const Heap *heap, const Span *span) {
  if (!heap->owns(before<void>(span, kWord), kWord + sizeof(Span)) || !Heap::block_mark(span)) return false;
  if (span->size_class >= kSizeClasses) return false;
  const Pool *const pool = g_central[span->size_class].pool;
  return pool != nullptr && pool_of_owned_block(span) == pool;
}

bool is_node_of_class(const Heap *heap, unsigned size_class, const void *node) {
  const Span *const span = span_of(node);
  if (!is_span(heap, span) || span->size_class != size_class) return false;
  const SpanLayout layout = span_layout(size_class);
  const Word offset = address_of(node) - address_of(span) - layout.first_node;
  return offset % layout.node_size == 0 && offset / layout.node_size < layout.nodes;
}

bool may_be_free(const void *node, Word node_size) {
  if (node_size < kLinks + kWord) return true;
  Word filled;
  Word found;
  __builtin_memset(&filled, kReturnedByte, kWord);
  __builtin_memcpy(&found, at_offset<void>(node, kLinks), kWord);
  return filled == found;
}

bool is_free_node(unsigned size_class, const void *node) {
  hg_free_cursor cursor = {};
  while (const void *const free = next_free_small_node(&g_central[size_class], &cursor)) {
    if (free == node) return true;
  }
  return false;
}

}  // namespace

void guard_span_of(const Heap *heap, const void *mem) {
  const Span *const span = span_of(mem);
  if (!is_span(heap, span)) fail(kFailure_foreign_pointer, mem, "not from the small front");
}

void guard_returned_small(const Heap *heap, unsigned size_class, void *node) {
  guard_span_of(heap, node);
  if (span_of(node)->size_class != size_class) {
    fail(kFailure_foreign_node, node, "its class is", span_of(node)->size_class);
  }
  if (!is_node_of_class(heap, size_class, node)) fail(kFailure_misaligned_pointer, node, "no node begins here");
  const Word node_size = size_of_class(size_class);
  if (may_be_free(node, node_size) && is_free_node(size_class, node)) {
    fail(kFailure_double_free, node, "a node of class size", node_size);
  }
  if (node_size > kLinks) __builtin_memset(at_offset<void>(node, kLinks), kReturnedByte, node_size - kLinks);
}

// The node's link was copied to the head of the list when it was taken.
void guard_taken_small(const Heap *heap, unsigned size_class, void *node) {
  const void *const next = link_of(node);
  if (next != nullptr && !is_node_of_class(heap, size_class, next)) {
    fail(kFailure_damaged_link, node, "a free node of the small front names", address_of(next));
  }
  __builtin_memset(node, kTakenByte, size_of_class(size_class));
}

}  // namespace heapglass
