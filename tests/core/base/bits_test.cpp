#include "base/bits.hpp"

#include <gtest/gtest.h>

#include "base/checked.hpp"

namespace heapglass {
namespace {

TEST(Bits, RoundingGoesToTheMultipleAndKeepsMultiples) {
  for (Word step = 1; step <= 4096; step *= 2) {
    for (Word n = 0; n < 3 * step; n += step / 4 + 1) {
      const Word up = round_up(n, step);
      const Word down = round_down(n, step);
      EXPECT_EQ(up % step, 0u);
      EXPECT_EQ(down % step, 0u);
      EXPECT_GE(up, n);
      EXPECT_LT(up - n, step);
      EXPECT_LE(down, n);
      EXPECT_LT(n - down, step);
    }
  }
}

TEST(Bits, FloorLog2AndLowestPowerAgreeWithTheirDefinitions) {
  for (unsigned bit = 0; bit < 32; ++bit) {
    const Word power = Word{1} << bit;
    EXPECT_EQ(floor_log2(power), bit);
    EXPECT_EQ(floor_log2(power | (power - 1)), bit);
    EXPECT_EQ(lowest_power(power * 3), power);
    EXPECT_TRUE(is_power_of_two(power));
  }
  EXPECT_FALSE(is_power_of_two(0));
  EXPECT_FALSE(is_power_of_two(12));
}

TEST(Bits, APageIsThatOfWasm) { EXPECT_EQ(kPageBytes, 65'536u); }

TEST(Checked, NoRequestThatIsServedWrapsWithItsHeaderAndRoundedUpToAPage) {
  EXPECT_LE(std::uint64_t{kMaxRequest} + 2 * 65'536, std::uint64_t{1} << 32);
}

TEST(Checked, OverflowIsToldAndTheRestIsExact) {
  constexpr Word most = ~Word{0};
  Word out = 0;
  EXPECT_TRUE(checked_add(most - 1, 1, &out));
  EXPECT_EQ(out, most);
  EXPECT_FALSE(checked_add(most, 1, &out));
  EXPECT_TRUE(checked_multiply(most / 2, 2, &out));
  EXPECT_EQ(out, most - 1);
  EXPECT_FALSE(checked_multiply(most / 2 + 1, 2, &out));
  EXPECT_TRUE(checked_round_up(most - 15, 8, &out));
  EXPECT_FALSE(checked_round_up(most - 3, 8, &out));
}

}  // namespace
}  // namespace heapglass
