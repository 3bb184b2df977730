// Played threads: each number finds its own cache again, and the registry follows the caches as they move.
#include "threads/played_caches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#if !HG_THREADS

namespace heapglass {
namespace {

struct PlayedCache {
  int number = 0;
  PlayedCache *next = nullptr;
};

class Played : public ::testing::Test {
 protected:
  CacheRegistry<PlayedCache> registry;
  PlayedCaches<PlayedCache> played;
  PlayedCache active;

  void play(std::uint32_t number) {
    played.play(number, active, registry);
    play_thread_number(number);
  }
  void begin(int number) {
    active.number = number;
    registry.add(active);
  }
  std::vector<int> numbers() {
    std::vector<int> found;
    registry.for_each([&](const PlayedCache &cache) { found.push_back(cache.number); });
    std::sort(found.begin(), found.end());
    return found;
  }
  void TearDown() override { play_thread_number(1); }
};

TEST_F(Played, a_new_thread_has_an_empty_cache) {
  begin(10);
  play(2);
  EXPECT_EQ(active.number, 0);
  EXPECT_EQ(active.next, nullptr);
  EXPECT_EQ(numbers(), (std::vector<int>{10})) << "thread 2 is not registered yet";
}

TEST_F(Played, each_thread_finds_its_cache_again) {
  begin(10);
  play(kPlayedThreads);
  begin(20);
  play(2);
  begin(30);
  play(1);
  EXPECT_EQ(active.number, 10);
  play(kPlayedThreads);
  EXPECT_EQ(active.number, 20);
  play(2);
  EXPECT_EQ(active.number, 30);
  EXPECT_EQ(numbers(), (std::vector<int>{10, 20, 30}));
}

TEST_F(Played, the_registry_leads_to_the_active_cache_and_to_parked_ones) {
  begin(10);
  play(2);
  begin(20);
  active.number = 21;
  EXPECT_EQ(numbers(), (std::vector<int>{10, 21}));
  registry.remove(active);
  active = {};
  play(1);
  EXPECT_EQ(numbers(), (std::vector<int>{10}));
  registry.remove(active);
  EXPECT_EQ(registry.first(), nullptr);
}

}  // namespace
}  // namespace heapglass

#endif
