// The contract in a wasm module of its own: what a host calls. No JavaScript glue, no system calls.
//
// The trace leaves through the import heapglass.drain, as in the product; tests/contract/wasm_contract.ts is the host.
#include <heapglass/heapglass.h>

#include "report.hpp"
#include "run.hpp"

namespace {
// Someone else in the same linear memory takes a page now and then: heaps must live with gaps (page_source.hpp, G3).
void stranger_grows(uint32_t operation) {
  if (operation % 5000 == 4999) __builtin_wasm_memory_grow(0, 1);
}
}  // namespace

extern "C" {

// Lossless tracing from now on, in builds with probes.
__attribute__((export_name("contract_trace"))) void contract_trace() { hg_trace_start(1); }

// 0 when the contract held; a contradiction traps. Either way contract_report() has the text.
__attribute__((export_name("contract_run"))) uint32_t contract_run(uint32_t seed, uint32_t operations,
    uint32_t check_every,
                                                                   uint32_t largest_alignment, uint32_t strangers,
                                                                   uint32_t with_malloc) {
  contract::RunOptions options;
  options.seed = seed;
  options.operations = operations;
  options.check_every = check_every;
  options.largest_alignment = largest_alignment;
  options.with_malloc = with_malloc != 0;
  if (strangers != 0) options.between = stranger_grows;
  const contract::RunResult result = contract::run(options);
  contract::report_run(options, result);
  return 0;
}

__attribute__((export_name("contract_report"))) const char *contract_report() { return contract::report_text(); }

// Where the ring is, 0 in a build without probes.
__attribute__((export_name("contract_ring"))) hg_ring *contract_ring() { return hg_trace_ring(); }

}  // extern "C"
