#include "base/failure.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace heapglass {
namespace {

TEST(FailureText, NamesWhatWhereAndTheWordFound) {
  char text[100];
  write_report(text, sizeof text, "C3 foot != size", reinterpret_cast<void *>(address_base() + 0x10f8), "found", 0xab0);
  EXPECT_STREQ(text, "C3 foot != size at 0x10f8 (found 0xab0)");
  write_report(text, sizeof text, "plain", nullptr, nullptr, 0);
  EXPECT_STREQ(text, "plain");
}

TEST(FailureText, IsCutNotOverrun) {
  char text[8] = {};
  write_report(text, sizeof text, "a text that is too long", nullptr, "detail", 1);
  EXPECT_STREQ(text, "a text ");
}

TEST(FailureDeathTest, CallsTheHookWithKindAndTextAndThenTraps) {
  EXPECT_DEATH(
      {
        set_failure_hook([](std::uint32_t kind, const void *, const char *told) {
          if (kind == kFailure_double_free && std::strcmp(told, failure_text()) == 0) std::fputs(told, stderr);
        });
        fail(kFailure_double_free, nullptr, "inside the free chunk at", 0x1234);
      },
      "double free: the chunk is free already \\(inside the free chunk at 0x1234\\)");
}

TEST(FailureDeathTest, WithoutAHookTheTextIsALineOfStandardError) {
  EXPECT_DEATH(fail(kFailure_double_free, nullptr, "found", 0xab0),
               "^heapglass: double free: the chunk is free already \\(found 0xab0\\)\n$");
}

}  // namespace
}  // namespace heapglass
