// See snapshot.hpp.
#include "heap/snapshot.hpp"

#include "heap/first_chunk.hpp"
#include "trace/acting_thread.hpp"

namespace heapglass {

#if HG_TRACE

namespace {

constexpr std::uint32_t kIds = 256;
const Heap *g_heaps[kIds];

// Calls `each` with the parts of a walk; returns the number of all records.
template <class Each>
Word walk_in_parts(const Heap &heap, Each each) {
  constexpr Word kPart = 128;  // of a block each part costs a visit of the pool's free list
  hg_walk_record part[kPart];
  hg_walk cursor = {heap.handle(), {}};
  Word total = 0;
  while (const Word count = heap.walk(&cursor, part, kPart)) {
    each(part, count);
    total += count;
  }
  return total;
}

void write_heap(const Heap &heap) {
  const Word records = walk_in_parts(heap, [](const hg_walk_record *, Word) {});
  HG_PROBE(snapshot_heap, heap.id(), kAlign, &heap, records, kStateBytes);
  walk_in_parts(heap, [](const hg_walk_record *part, Word count) {
    for (Word i = 0; i < count; ++i) {
      trace::write(part[i].kind | HG_EVENT_WALK, part[i].address, part[i].size, part[i].extra);
    }
  });
}

}  // namespace

void note_heap(std::uint32_t id, const Heap *heap) { g_heaps[id] = heap; }
bool is_noted(const Heap *heap) {
  for (const Heap *one : g_heaps) {
    if (one == heap) return true;
  }
  return false;
}

void write_snapshot() {
  const trace::WithoutLoss all;
  std::uint32_t heaps = 0;
  for (const Heap *heap : g_heaps) heaps += heap != nullptr;
  trace::note_snapshot();
  HG_PROBE(snapshot_begun, 0, kWord, heaps, trace::g_acting_thread, 0);
  for (const Heap *heap : g_heaps) {
    if (heap != nullptr) write_heap(*heap);
  }
  HG_PROBE(snapshot_ended, 0, 0, 0, 0, 0);
  trace::note_snapshot_end();
}

#else

void write_snapshot() {}
void note_heap(std::uint32_t, const Heap *) {}
bool is_noted(const Heap *) { return true; }

#endif

}  // namespace heapglass
