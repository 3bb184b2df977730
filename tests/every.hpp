// How much a run takes: npm test one of each kind, npm run test:all (HG_TEST=all) every one. As tests/every.ts.
#pragma once
#include <cstdlib>
#include <cstring>

namespace heapglass_test {

inline bool every() {
  const char *const test = std::getenv("HG_TEST");
  return test != nullptr && std::strcmp(test, "all") == 0;
}

}  // namespace heapglass_test
