// The cases as GoogleTest's: each registers itself under its suite and name.
#include <gtest/gtest.h>

#include "boost/case.hpp"

namespace boost_tests {
namespace {

class CaseTest : public ::testing::Test {
 public:
  explicit CaseTest(const Case &chosen) : case_(chosen) {}
  void TestBody() override {
    try {
      run_case(case_);
    } catch (const Broken &broken) {
      ADD_FAILURE_AT(broken.file, broken.line) << broken.what;
    }
  }

 private:
  const Case &case_;
};

}  // namespace

Registered::Registered(const char *suite, const char *name, void (*body)()) : case_{suite, name, body, g_cases} {
  g_cases = &case_;
  ::testing::RegisterTest(suite, name, nullptr, nullptr, __FILE__, __LINE__,
                          [this]() -> ::testing::Test * { return new CaseTest(case_); });
}

}  // namespace boost_tests
