#include "run.hpp"

#include "generator.hpp"
#include "heap_operations.hpp"
#include "report.hpp"
#include "walk_compare.hpp"

namespace contract {

namespace {
void check(State &state, uint32_t operation) {
  report_at(operation, "check");
  check_everything(state);
  if (hg_trace_ring() == nullptr) return;
  for (const auto &slot : state.heaps) hg_trace_checkpoint(slot->heap);
}
}  // namespace

RunResult run(const RunOptions &options) {
  report_clear();
  report_at(0, "start");
  State state;
  state.largest_alignment = options.largest_alignment;
  state.with_malloc = options.with_malloc;
  auto first = std::make_unique<HeapSlot>();
  first->heap = hg_default_heap();
  first->by_default = true;
  expect(first->heap != nullptr, "no default heap");
  state.heaps.push_back(std::move(first));

  Generator generator(options.seed);
  for (uint32_t i = 0; i < options.operations; ++i) {
    generator.perform_next(state, i);
    if (options.between != nullptr) options.between(i);
    if (options.check_every != 0 && (i + 1) % options.check_every == 0) check(state, i);
  }
  check(state, options.operations);
  report_at(options.operations, FreeAll::kName);
  FreeAll{static_cast<uint32_t>(options.seed)}.perform(state);
  check(state, options.operations);
  return RunResult{state.offsets_hash, state.checks, state.refusals, state.retries, state.cached};
}

void report_run(const RunOptions &options, const RunResult &result) {
  report_clear();
  report_add("seed ");
  report_number(options.seed);
  report_add(" operations ");
  report_number(options.operations);
  report_add(" checks ");
  report_number(result.checks);
  report_add(" refusals ");
  report_number(result.refusals);
  report_add(" retries ");
  report_number(result.retries);
  report_add(" offsets ");
  report_hex(result.offsets_hash);
}

}  // namespace contract
