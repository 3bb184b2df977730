// A span: memory that the front takes from the default heap for one size class, and the positions of its nodes.
//
//   multiple of 64 KiB                                                       next multiple of 64 KiB
//   |                                                                              |
//   +-----------+------------+-----+--------+--------+--------+-- ... --+--------+-+-- the next span
//   | pool head | class free | gap | node 0 | node 1 | node 2 |         | node n |h|
//   +-----------+------------+-----+--------+--------+--------+-- ... --+--------+-+
//   0           4 words      header^ first_node                                   ^ header word of the next chunk
//
//   small.N1  A span is a block of its class's pool (pool/owned_pool.hpp), aligned to 64 KiB: address & ~0xffff of a
//             node is its span. The first four words of the header belong to the pool; the header has at most 64 bytes.
//   small.N2  first_node is the header rounded up to the largest power of two that divides the class's size. Nodes lie
//             side by side from there, so each is aligned to that power.
//   small.N3  block_bytes is 64 KiB less the header word of the next chunk, so that neighbouring spans pack without a
//             gap. That leaves no space for a node of three classes (32768, 49152, 57344: an aligned node ends at
//             exactly 64 KiB). Their spans are 64 KiB long, and the heap uses the memory up to the next multiple for
//             other chunks.
//   small.N4  No node begins at a multiple of 64 KiB or beyond the span's first 64 KiB. So a block at a multiple of 64 KiB is
//             large: its address alone shows it.
//
// The cost of perfect alignment: a class of 2^n bytes loses one node of each span to the header and one to small.N3. That is next
// to nothing below 1 KiB, a quarter of the span at 8 KiB, and half at 16 KiB. A node never lies in two spans.
#pragma once

#include <heapglass/size_class.hpp>

#include "base/address.hpp"
#include "pool/owned_pool.hpp"

namespace heapglass {

inline constexpr Word kSpanBytes = 64 * 1024;

struct Span {
  OwnedBlock head;
  std::uint32_t size_class;
  std::uint32_t free_nodes;  // valid only during a squeeze, which counts it
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
