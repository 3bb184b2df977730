// The warning before memory is out (diagnose.O3). In a program of every variant: with probes another function asks for it.
#include <heapglass/out_of_memory.h>

#include "malloc_rig.hpp"

namespace heapglass_test {
namespace {

class SoftLimit : public MallocRig {
 protected:
  void TearDown() override {
    hg_set_soft_limit(0, nullptr);
    MallocRig::TearDown();
  }
};

struct Warning { std::size_t footprint, limit; };
std::vector<Warning> g_warnings;
void *g_reserve = nullptr;

TEST_F(SoftLimit, TheHookIsCalledOnceWhenTheHeapHasPassedTheLimit) {
  g_warnings.clear();
  const std::size_t limit = stats_of(nullptr).footprint + 1'000'000;
  hg_set_soft_limit(limit, [](std::size_t footprint, std::size_t passed) { g_warnings.push_back({footprint, passed}); });
  std::vector<unsigned char *> blocks;
  while (stats_of(nullptr).footprint <= limit) {
    EXPECT_TRUE(g_warnings.empty());
    blocks.push_back(take(20'000));
  }
  for (int i = 0; i < 100; ++i) blocks.push_back(take(20'000));
  ASSERT_EQ(g_warnings.size(), 1u);
  EXPECT_GT(g_warnings[0].footprint, limit);
  EXPECT_EQ(g_warnings[0].limit, limit);
  for (unsigned char *const mem : blocks) hg_free(mem);
}

TEST_F(SoftLimit, TheHookMayFreeAndSetAnotherLimit) {
  g_warnings.clear();
  g_reserve = take(500'000);
  const std::size_t limit = stats_of(nullptr).footprint + 1'000'000;
  hg_set_soft_limit(limit, [](std::size_t footprint, std::size_t passed) {
    g_warnings.push_back({footprint, passed});
    hg_free(g_reserve);
    g_reserve = nullptr;
    hg_set_soft_limit(footprint + 1'000'000, [](std::size_t more, std::size_t second) { g_warnings.push_back({more, second}); });
  });
  std::vector<unsigned char *> blocks;
  for (int i = 0; i < 300; ++i) blocks.push_back(take(20'000));
  ASSERT_EQ(g_warnings.size(), 2u);
  EXPECT_EQ(g_warnings[1].limit, g_warnings[0].footprint + 1'000'000);
  for (unsigned char *const mem : blocks) hg_free(mem);
}

TEST_F(SoftLimit, BelowTheLimitAndWithoutAHookNothingIsCalled) {
  g_warnings.clear();
  hg_set_soft_limit(stats_of(nullptr).footprint + 10'000'000, [](std::size_t footprint, std::size_t limit) {
    g_warnings.push_back({footprint, limit});
  });
  unsigned char *const mem = take(1'000'000);
  hg_free(take(20'000));
  hg_set_soft_limit(1, nullptr);
  hg_free(take(20'000));
  EXPECT_TRUE(g_warnings.empty());
  hg_free(mem);
}

}  // namespace
}  // namespace heapglass_test
