// HG_PROBE records one fact, where it becomes true.
//
//   HG_PROBE(chunk_split, id_, 0, chunk, left_size, right_size);
//
// The arguments are kind, heap id, detail, a, b, c, as in the table HG_EVENTS of <heapglass/event.h>. Pointers become offsets.
// Without HG_TRACE the macro is empty and does not evaluate its arguments.
//
//  probes.P1  A probe is a statement alone on its lines: it begins a line with HG_PROBE( and ends with );
//      A tool deletes all probes and compares the release binaries byte for byte.
//  probes.P2  No code exists only for a probe: the allocator needs what a probe names, or it costs nothing when unused.
//  probes.P3  A probe has no effect on the heap. In the checked build the guard also learns from it where chunks begin
//      (trace/chunk_starts.hpp), whether or not the ring records.
#pragma once

#include "trace/chunk_starts.hpp"
#include "trace/ring.hpp"

#if HG_CHECKED
#define HG_FOLLOW(kind, a, b, c) ::heapglass::trace::follow<HG_EVENT_##kind>(a, b, c)
#else
#define HG_FOLLOW(kind, a, b, c) static_cast<void>(0)
#endif

#if HG_TRACE
#define HG_PROBE(kind, heap, detail, a, b, c)                                                                     \
  HG_FOLLOW(kind, a, b, c), ::heapglass::trace::write(HG_EVENT_##kind | ::heapglass::trace::word_of(heap) << 8 |                            \
                                ::heapglass::trace::word_of(detail) << 16,                                        \
                            ::heapglass::trace::word_of(a), ::heapglass::trace::word_of(b),                       \
                            ::heapglass::trace::word_of(c))
#else
namespace heapglass::trace {
template <class... T>
char unevaluated(const T &...);  // never defined; it uses a probe's arguments, so that none is "unused"
}
#define HG_PROBE(kind, heap, detail, a, b, c) \
  static_cast<void>(sizeof(::heapglass::trace::unevaluated((heap), (detail), (a), (b), (c))))
#endif
