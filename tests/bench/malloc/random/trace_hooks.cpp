// What a traced random program has beside the program: heapglass's ring is taken out by JavaScript when it is full,
// each phase begins with a chapter mark, and before it and at the end stands a checkpoint, by which the trace proves
// itself.
#include <heapglass/heapglass.h>

#include <cstdint>

#define EXPORT extern "C" __attribute__((used, visibility("default")))

extern "C" __attribute__((import_module("heapglass"), import_name("drain"))) void drain_ring(void);

namespace {
constexpr std::uint32_t kChapter = 1, kLossless = 1;  // web/src/engine/session.ts: MarkCode
}

/// Before the first call of malloc: the trace begins with the heap's birth.
EXPORT void bench_trace_start() {
  hg_set_drain_hook([](hg_ring *) { drain_ring(); });
  hg_trace_start(kLossless);
}

EXPORT hg_ring *bench_trace_ring() { return hg_trace_ring(); }

/// The number is that of the chapter's title in the file's notes.
extern "C" void trace_phase(std::uint32_t number) {
  hg_trace_checkpoint(nullptr);
  hg_trace_mark(nullptr, kChapter, number, 0, 0);
}

EXPORT void bench_trace_end() {
  hg_trace_checkpoint(nullptr);
  hg_trace_stop();
}
