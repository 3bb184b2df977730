#include "boost/case.hpp"

namespace boost_tests {

const Case *g_cases = nullptr;

void run_case(const Case &chosen) {
  HG_MUST(heap_stats().chunks_in_use == 0);
  chosen.body();
  HG_MUST(hg_heap_check(nullptr) == nullptr);
  HG_MUST(heap_stats().chunks_in_use == 0);
}

}  // namespace boost_tests
