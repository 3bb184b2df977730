// The recorder of a program that is linked with --profile trace or checked: the wasm half of web/src/record/linked, which the build makes
// the JavaScript library heapglass_recorder.js of.
//
//   ring is full ─▶ hg_recorder_drain ─▶ import heapglass_take(ring, state): copies the records, moves the tail
//   Module.heapglass.drain() ─▶ hg_recorder_take, which holds the lock ─▶ the same import
//
// A member of its own in the archive: it is linked when -u hg_recorder_drain asks for it, beside the JavaScript library that has the
// two imports. A program linked without the flags imports nothing and records nothing. What the library calls is exported
// here, so that no program needs -sEXPORTED_FUNCTIONS.
//
// Call sites: `heapglass instrument --stacks` puts wrappers before the functions that allocate (web/src/instrument/linked.ts).
//
//   wrapper ─▶ hg_recorder_enter(site) ─▶ the function ─▶ hg_recorder_leave
//                 └─ lock, thread_changed, a snapshot that is due, site_entered ... all of the operation's events ... unlock
//
//  recorder.S1  The trace's lock is held from site_entered to the end of the operation, so no other thread's comes between.
//  recorder.S2  A crossed soft limit is reported first, without the lock, as in malloc (diagnose.O3): its hook may allocate.
//  recorder.S3  No snapshot lies between site_entered and its operation: a trace that keeps the last events may begin there. Where
//               site_entered itself fills the ring, a snapshot may be due; it is written at once, and the site after it again.
//  recorder.S4  The records of a new site come from web/src/instrument/site_writer.ts, as in any instrumented module. Here are only the ring
//               that they go into, the lock under which they follow each other, and their numbers.
#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include "abi/recorder_state.h"
#include "heap/default_heap.hpp"
#include "heap/snapshot.hpp"
#include "malloc/hooks.hpp"
#include "trace/acting_thread.hpp"

#define HG_EXPORT __attribute__((used, visibility("default")))

namespace {

hg_recorder_state g_state = {&heapglass::trace::g_next, &heapglass::trace::g_lap, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
char g_text[256];  // of a mark from JavaScript
[[maybe_unused]] constexpr unsigned kTries = 1u << 24;  // some 20 milliseconds

void write_site(uint32_t site) {
  if (site != 0) {
    HG_PROBE(site_entered, 0, 0, site, 0, 0);
  }
}

}  // namespace

extern "C" {

// Imports from heapglass_recorder.js.
uint32_t heapglass_begin(hg_ring *ring, hg_recorder_state *state);
void heapglass_take(hg_ring *ring, hg_recorder_state *state);

// ---- for trace/ring.cpp ----

uint32_t hg_recorder_begin(void) { return heapglass_begin(heapglass::trace::ring(), &g_state); }
void hg_recorder_drain(hg_ring *ring) { heapglass_take(ring, &g_state); }

// ---- for heapglass_recorder.js ----

HG_EXPORT char *hg_recorder_text(void) { return g_text; }
HG_EXPORT void hg_recorder_mark(void) { hg_mark(g_text); }
// 0: another thread has held the lock for long. It may have died, and waiting for it would never end.
HG_EXPORT uint32_t hg_recorder_take(void) {
#if HG_THREADS
  if (!heapglass::trace::g_everything.try_lock_for(kTries)) return 0;
#endif
  heapglass::trace::drain();
#if HG_THREADS
  heapglass::trace::g_everything.unlock();
#endif
  return 1;
}
HG_EXPORT void hg_recorder_snapshot(void) { hg_trace_snapshot(); }
HG_EXPORT void hg_recorder_checkpoint(void) { hg_trace_checkpoint(nullptr); }
HG_EXPORT void hg_recorder_kept(uint32_t number) { hg_trace_kept(number); }
HG_EXPORT void hg_recorder_reset(uint32_t number, size_t end) { hg_trace_reset(number, end); }
HG_EXPORT void hg_recorder_pause(void) { hg_trace_stop(); }
HG_EXPORT void hg_recorder_resume(void) { hg_trace_resume(); }

// ---- for the wrappers of heapglass instrument ----

// recorder.S4: what is new about the tree of sites is written by the JavaScript that knows it, between this and hg_recorder_leave.
HG_EXPORT uint32_t hg_recorder_begin_sites(void) {
  const heapglass::Heap *const heap = heapglass::default_heap();  // it may be made here, which takes the lock
#if HG_THREADS
  if (!heapglass::trace::g_everything.lock()) return 0;
#endif
  if (heap != nullptr) heapglass::trace::note_thread(heap->id());
  return 1;
}
// Of a site or a string, in all threads.
HG_EXPORT uint32_t hg_recorder_number(void) { return ++g_state.sites; }
HG_EXPORT void hg_recorder_put(uint32_t head, uint32_t a, uint32_t b, uint32_t c) { heapglass::trace::write(head, a, b, c); }

// Everything up to hg_recorder_leave belongs to this site; 0: unknown. Returns the argument for leave.
HG_EXPORT uint32_t hg_recorder_enter(uint32_t site) {
  if (!heapglass::has_thread_locals()) return 0;  // such a thread cannot take the lock twice (platform.T3)
  if (heapglass::g_soft_limit != nullptr) heapglass::g_soft_limit();
  const heapglass::Heap *const heap = heapglass::default_heap();
#if HG_THREADS
  if (!heapglass::trace::g_everything.lock()) return 0;  // inside another operation of this thread: no site of its own
#endif
  if (heap != nullptr) heapglass::trace::note_thread(heap->id());
  if (heapglass::trace::snapshot_due()) heapglass::write_snapshot();
  write_site(site);
  if (heapglass::trace::snapshot_due()) {  // recorder.S3
    heapglass::write_snapshot();
    write_site(site);
  }
  return 1;
}

HG_EXPORT void hg_recorder_leave([[maybe_unused]] uint32_t entered) {
#if HG_THREADS
  if (entered != 0) heapglass::trace::g_everything.unlock();
#endif
}

}  // extern "C"
