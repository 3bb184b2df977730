// Holds every run that earlier tests of the program have released, so that new memory comes from the frontier, whatever
// ran before; gives them back at its end. There is one page source a program.
#pragma once

#include <utility>
#include <vector>

#include "platform/page_source.hpp"
#include "support/release_run.hpp"

namespace heapglass_test {

class HeldRuns {
 public:
  HeldRuns() {
    heapglass::PageSource *const source = heapglass::growing_pages();
    source->reclaim();
    while (source->released != nullptr) {
      const heapglass::Word bytes = source->released->bytes;
      runs_.emplace_back(source->acquire(bytes), bytes);
    }
  }
  ~HeldRuns() {
    for (const auto &[run, bytes] : runs_) release_run(run, bytes);
  }
  HeldRuns(const HeldRuns &) = delete;
  HeldRuns &operator=(const HeldRuns &) = delete;

 private:
  std::vector<std::pair<void *, heapglass::Word>> runs_;
};

}  // namespace heapglass_test
