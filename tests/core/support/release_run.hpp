// Gives one run back to a page source, as a chain of one.
#pragma once

#include "platform/page_source.hpp"

namespace heapglass_test {

inline void release_run(void *at, heapglass::Word bytes) {
  auto *const run = static_cast<heapglass::ReleasedRun *>(at);
  run->next = nullptr;
  run->bytes = bytes;
  heapglass::growing_pages()->release(run);
}

}  // namespace heapglass_test
