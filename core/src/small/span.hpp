// A span: what the front takes from the default heap, one size class each, and where its nodes lie.
//
//   multiple of 64 KiB                                                       next multiple of 64 KiB
//   |                                                                              |
//   +-----------+------------+-----+--------+--------+--------+-- ... --+--------+-+-- the next span
//   | pool head | class free | gap | node 0 | node 1 | node 2 |         | node n |h|
//   +-----------+------------+-----+--------+--------+--------+-- ... --+--------+-+
//   0           4 words      header^ first_node                                   ^ header word of the next chunk
//
//   small.N1  A span is a block of its class's pool (pool/owned_pool.hpp), aligned to 64 KiB: address & ~0xffff of a
//             node is its span. Of the header the first four words are the pool's; all of it is at most 64 bytes.
//   small.N2  first_node is the header rounded up to the largest power of two that divides the class's size. Nodes lie
//             side by side from there, so each is aligned to that power.
//   small.N3  block_bytes is 64 KiB less the header word of the next chunk, so that neighbouring spans pack without a
//             gap. Three classes have no space for even one node then (32768, 49152, 57344: a node at its alignment
//             ends at 64 KiB exactly); their spans are 64 KiB long, and the heap uses what is left up to the next
//             multiple for chunks of its own.
//   small.N4  No node begins at a multiple of 64 KiB or beyond the span's first 64 KiB. What begins at a multiple is
//             large: its address alone says so.
//
// What perfect alignment costs: a class of 2^n bytes loses one node a span to the header and one to small.N3, next to
// nothing below 1 KiB, a quarter of the span at 8 KiB, half at 16 KiB. Nodes are never split over spans.
#pragma once

#include <heapglass/size_class.hpp>

#include "base/address.hpp"
#include "pool/owned_pool.hpp"

namespace heapglass {

inline constexpr Word kSpanBytes = 64 * 1024;

struct Span {
  OwnedBlock head;
  std::uint32_t size_class;
  std::uint32_t free_nodes;  // counted anew by each squeeze; else meaningless
};

static_assert(sizeof(Span) <= 64, "small.N1");

struct SpanLayout {
  std::uint32_t node_size;
  std::uint32_t first_node;
  std::uint32_t nodes;
  std::uint32_t block_bytes;
};

constexpr SpanLayout span_layout(unsigned size_class) {
  const Word size = size_of_class(size_class);
  const Word first = round_up(sizeof(Span), lowest_power(size));
  const Word packed = kSpanBytes - kWord;
  const Word bytes = first + size <= packed ? packed : kSpanBytes;
  return {static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(first),
          static_cast<std::uint32_t>((bytes - first) / size), static_cast<std::uint32_t>(bytes)};
}

constexpr bool every_class_has_room() {
  for (unsigned k = 0; k < kSizeClasses; ++k) {
    const SpanLayout layout = span_layout(k);
    const bool fits = layout.first_node + Word{layout.nodes} * layout.node_size <= layout.block_bytes;
    const Word last = layout.first_node + Word{layout.nodes - 1} * layout.node_size;
    if (layout.nodes == 0 || !fits || last >= kSpanBytes || layout.block_bytes > kSpanBytes) return false;
  }
  return true;
}
static_assert(every_class_has_room(), "small.N3 small.N4");

// Large blocks begin at multiples of 64 KiB; so does nullptr.
inline bool is_large(const void *mem) { return (address_of(mem) & (kSpanBytes - 1)) == 0; }
// pre: mem is a node
inline Span *span_of(const void *mem) { return reinterpret_cast<Span *>(address_of(mem) & ~(kSpanBytes - 1)); }

}  // namespace heapglass
