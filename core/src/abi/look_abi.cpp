// The C interface for inspection: walk, check, statistics, failures, the event ring.
#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include "heap/default_heap.hpp"
#include "base/failure.hpp"
#include "heap/snapshot.hpp"
#include "platform/page_source.hpp"
#include "trace/probes.hpp"

using heapglass::Heap;
using heapglass::heap_of;
using heapglass::Locked;

namespace heapglass {
namespace {

constexpr uint32_t kNamedMark = 2;
constexpr unsigned kTextEventBytes = 12;

// event.P5: twelve bytes an event; an empty text is one space.
void write_text(const char *text) {
  if (text == nullptr || *text == '\0') text = " ";
  while (*text != '\0') {
    char bytes[kTextEventBytes] = {};
    uint32_t count = 0;
    while (count < kTextEventBytes && text[count] != '\0') {
      bytes[count] = text[count];
      ++count;
    }
    uint32_t words[3];
    __builtin_memcpy(words, bytes, sizeof words);
    HG_PROBE(text, 0, count, words[0], words[1], words[2]);
    text += count;
  }
}

}  // namespace
}  // namespace heapglass

extern "C" {

void hg_heap_get_stats(const hg_heap *heap, hg_heap_stats *stats) {
  const Heap *const h = heap_of(heap);
  const Locked locked(h);
  *stats = {};
  if (h != nullptr) h->get_stats(stats);
}

void hg_walk_begin(hg_walk *walk, const hg_heap *heap) {
  *walk = {};
  const Heap *const h = heap_of(heap);
  const Locked locked(h);
  if (h != nullptr) walk->heap = h->handle();
}

size_t hg_walk_next(hg_walk *walk, hg_walk_record *records, size_t capacity) {
  if (walk->heap == nullptr) return 0;
  const Heap *const h = heap_of(walk->heap);
  const Locked locked(h);
  return h->walk(walk, records, capacity);
}

uint32_t hg_walk_hash(const hg_heap *heap, size_t *records) {
  const Heap *const h = heap_of(heap);
  const Locked locked(h);
  if (h != nullptr) return h->walk_hash(records);
  if (records != nullptr) *records = 0;
  return 0;
}

const char *hg_heap_check(const hg_heap *heap) {
  const Heap *const h = heap_of(heap);
  const Locked locked(h);
  return h != nullptr ? h->check() : nullptr;
}

uint32_t hg_thread_number(void) { return heapglass::thread_number(); }

void hg_set_failure_hook(hg_failure_hook hook) { heapglass::set_failure_hook(hook); }
const char *hg_failure_text(void) { return heapglass::failure_text(); }

hg_ring *hg_trace_ring(void) {
  const Locked locked(nullptr);
  return heapglass::trace::ring();
}
void hg_trace_start(uint32_t mode) {
  const Locked locked(nullptr);
  heapglass::trace::start(mode);
}
void hg_trace_stop(void) {
  const Locked locked(nullptr);
  heapglass::trace::stop();
}
void hg_set_drain_hook(hg_drain_hook hook) {
  const Locked locked(nullptr);
  heapglass::trace::set_drain_hook(hook);
}

void hg_trace_resume(void) {
  const Locked locked(nullptr);
  hg_ring *const ring = heapglass::trace::ring();
  if (ring == nullptr || ring->enabled != 0) return;
  heapglass::trace::start(ring->mode);
  heapglass::trace::note_lost();
  heapglass::write_snapshot();
}

void hg_trace_snapshot(void) {
  const Locked locked(nullptr);
  heapglass::write_snapshot();
}

void hg_trace_kept(uint32_t number) {
  const Locked locked(nullptr);
  HG_PROBE(state_kept, 0, 0, number, 0, 0);
}

void hg_trace_reset(uint32_t number, size_t end) {
  heapglass::growing_pages()->moved(end);
  heapglass::trace::go_on();
  const Locked locked(nullptr);
  HG_PROBE(state_reset, 0, 0, number, 0, 0);
}

void hg_mark(const char *text) {
  if constexpr (!heapglass::kTraced) return;
  const Locked locked(nullptr);
  heapglass::write_text(text);
  const Heap *const h = Heap::default_heap_if_made();
  const uint32_t id = h != nullptr ? h->id() : 0;
  HG_PROBE(mark, id, heapglass::kNamedMark, 0, 0, 0);
}

void hg_trace_mark(hg_heap *heap, uint32_t code, uint32_t a, uint32_t b, uint32_t c) {
  const Heap *const h = heap_of(heap);
  const Locked locked(h);
  const uint32_t id = h != nullptr ? h->id() : 0;
  HG_PROBE(mark, id, code, a, b, c);
}

void hg_trace_checkpoint(hg_heap *heap) {
  if constexpr (!heapglass::kTraced) return;
  const Heap *const h = heap_of(heap);
  const Locked locked(h);
  if (h == nullptr) return;
  size_t records = 0;
  const uint32_t hash = h->walk_hash(&records);
  HG_PROBE(checkpoint, h->id(), 0, hash, records, 0);
}

}  // extern "C"
