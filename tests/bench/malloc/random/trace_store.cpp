// Keeps the events of a traced program with threads until it has ended, then writes them as they are; write_trace.mjs
// makes the file of them.
//
//   E1  The hook runs inside malloc, so it only copies. Writing at once would be a call to the main thread, which may
//       itself wait for malloc.
//   E2  Tracing begins in the very first constructor: those of Emscripten's threads call malloc, and a trace has to
//       begin with the heap's birth.
#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

[[noreturn]] void fail(const char *what);

namespace {

constexpr std::uint32_t kMostEvents = 1 << 22, kLossless = 1;

hg_event store[kMostEvents];
std::uint32_t stored;

void drain(hg_ring *ring) {
  const auto *const records = reinterpret_cast<const hg_event *>(static_cast<std::uintptr_t>(ring->records));
  const std::uint32_t count = ring->head_low - ring->tail_low;
  if (count > kMostEvents - stored) __builtin_trap();  // too many events: trace less of the program (--percent)
  for (std::uint32_t i = 0; i < count; ++i) store[stored++] = records[(ring->tail_low + i) & (ring->capacity - 1)];
  ring->tail_low = ring->head_low;
  ring->tail_high = ring->head_high;
}

__attribute__((constructor(1))) void start()  // E2 {
  hg_set_drain_hook(drain);
  hg_trace_start(kLossless);
  hg_trace_ring();  // it notes where the records are
}

}  // namespace

void write_events(const char *path) {
  hg_trace_checkpoint(nullptr);
  hg_trace_stop();
  drain(hg_trace_ring());
  std::FILE *const file = std::fopen(path, "wb");
  if (file == nullptr || std::fwrite(store, sizeof *store, stored, file) != stored || std::fclose(file) != 0) {
    fail("the events could not be written");
  }
}
