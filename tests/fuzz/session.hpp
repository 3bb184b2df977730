// One input played on heaps of its own: the contract's operations (tests/contract), drawn from bytes, beside its twin.
#pragma once

#include <memory>

#include "byte_source.hpp"
#include "contract/heap_operations.hpp"
#include "contract/report.hpp"
#include "contract/state.hpp"
#include "contract/walk_compare.hpp"
#include "limited_memory.hpp"
#include "targets.hpp"

namespace fuzz {

class Session {
 public:
  Session(const uint8_t *bytes, size_t count) : from(bytes, count), memory_(1 + from.below(48)) {
    contract::report_clear();
    contract::report_at(0, "start");
    auto slot = std::make_unique<contract::HeapSlot>();
    slot->heap = hg_heap_create();
    if (slot->heap != nullptr) state.heaps.push_back(std::move(slot));
  }
  // Everything is freed and proved to be gone.
  ~Session() {
    check();
    contract::report_at(operations_, contract::FreeAll::kName);
    contract::FreeAll{operations_}.perform(state);
    hg_heap_destroy(state.heaps[0]->heap);
  }
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  bool goes_on() const { return from.more() && operations_ < kMostOperations; }

  template <class Operation>
  void perform(const Operation &operation) {
    contract::report_at(operations_, Operation::kName);
    operation.perform(state);
    ++g_operations;
    if (++operations_ % kCheckEvery == 0) check();
  }
  void grant() { memory_.grant(from.below(16)); }
  void check() {
    contract::report_at(operations_, "check");
    contract::check_everything(state);
  }

  ByteSource from;
  contract::State state;

 private:
  static constexpr uint32_t kMostOperations = 4096;
  static constexpr uint32_t kCheckEvery = 16;

  uint32_t operations_ = 0;
  LimitedMemory memory_;
};

}  // namespace fuzz
