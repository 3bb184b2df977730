// HG_PROBE: one fact, written where it becomes true.
//
//   HG_PROBE(chunk_split, id_, 0, chunk, left_size, right_size);
//
// kind, heap id, detail, a, b, c, as the table HG_EVENTS in <heapglass/event.h> says; pointers become offsets.
// Without HG_TRACE the macro is empty and its arguments are not evaluated.
//
//  probes.P1  A probe is a statement alone on its lines: it begins a line with HG_PROBE( and ends with );
//      A tool deletes all of them and compares the release binaries byte for byte.
//  probes.P2  Nothing exists only for a probe: what it names is there for the allocator, or costs nothing when unused.
//  probes.P3  A probe has no effect on the heap.
#pragma once

#include "trace/ring.hpp"

#if HG_TRACE
#define HG_PROBE(kind, heap, detail, a, b, c)                                                                     \
  ::heapglass::trace::write(HG_EVENT_##kind | ::heapglass::trace::word_of(heap) << 8 |                            \
                                ::heapglass::trace::word_of(detail) << 16,                                        \
                            ::heapglass::trace::word_of(a), ::heapglass::trace::word_of(b),                       \
                            ::heapglass::trace::word_of(c))
#else
namespace heapglass::trace {
template <class... T>
char unevaluated(const T &...);  // declared only: names what a probe names, so that nothing is "unused"
}
#define HG_PROBE(kind, heap, detail, a, b, c) \
  static_cast<void>(sizeof(::heapglass::trace::unevaluated((heap), (detail), (a), (b), (c))))
#endif
