// The recorder of a program that is linked with --profile trace or checked: the wasm half of heapglass_recorder.js.
//
//   ring is full ─▶ hg_recorder_drain ─▶ import heapglass_take(ring, state): copies the records, moves the tail
//   Module.heapglass.drain() ─▶ hg_recorder_take, which holds the lock ─▶ the same import
//
// A member of its own in the archive: it is linked when -u hg_recorder_drain asks for it, beside the JavaScript library that has the
// two imports. A program linked without the flags imports nothing and records nothing. What the library calls is exported
// here, so that no program needs -sEXPORTED_FUNCTIONS.
#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include "trace/acting_thread.hpp"

#define HG_EXPORT __attribute__((used, visibility("default")))

namespace {

// What the JavaScript of all threads of a program shares; what the words mean is its business (heapglass_recorder.js). The first
// two are addresses, by which it finds the true head when nothing of the program can be called any more.
struct State {
  const void *next;
  const void *lap;
  uint32_t words[8];
};
State g_state = {&heapglass::trace::g_next, &heapglass::trace::g_lap, {}};
char g_text[256];  // of a mark from JavaScript
[[maybe_unused]] constexpr unsigned kTries = 1u << 24;  // some 20 milliseconds

}  // namespace

extern "C" {

// Imports from heapglass_recorder.js.
uint32_t heapglass_begin(hg_ring *ring, State *state);
void heapglass_take(hg_ring *ring, State *state);

// ---- for trace/ring.cpp ----

uint32_t hg_recorder_begin(void) { return heapglass_begin(heapglass::trace::ring(), &g_state); }
void hg_recorder_drain(hg_ring *ring) { heapglass_take(ring, &g_state); }

// ---- for heapglass_recorder.js ----

HG_EXPORT char *hg_recorder_text(void) { return g_text; }
HG_EXPORT void hg_recorder_mark(void) { hg_mark(g_text); }
// 0: another thread has held the lock for long. It may have died there, and whoever waited for it would wait for ever.
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
HG_EXPORT void hg_recorder_pause(void) { hg_trace_stop(); }
HG_EXPORT void hg_recorder_resume(void) { hg_trace_resume(); }

}  // extern "C"
