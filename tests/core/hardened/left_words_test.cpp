// encoded.E6: a header or a link that is no longer one is cleared. So a program that itself writes zeros alone finds none in a block that it
// gets, wherever that comes from. Sizes of what was free and parts of the map of slabs may stand there: they have no key.
#include <random>
#include <utility>

#include "hardened/slab_rig.hpp"

namespace heapglass_test {

namespace {

// Other words decode to any number: such a one once in 2^30.
bool is_encoded(const size_t *word) {
  constexpr size_t kNear = size_t{1} << 32;
  if (*word == 0) return false;
  const size_t head = reinterpret_cast<const heapglass::EncodedHead *>(word)->decoded();
  const void *const to = *reinterpret_cast<const heapglass::EncodedLink<void> *>(word);
  const size_t distance = heapglass::address_of(to) - heapglass::address_of(word);
  return head < kNear || to == nullptr || distance + kNear < 2 * kNear;
}

bool shows_none(void *mem) {
  const auto *const words = static_cast<const size_t *>(mem);
  const size_t count = hg_malloc_usable_size(mem) / sizeof(size_t);
  for (size_t n = 0; n < count; ++n) {
    if (is_encoded(words + n)) return false;
  }
  return true;
}

// Exits with 0; with 1 when a block has a header or a link.
[[noreturn]] void take_and_free_and_exit(unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](size_t below) { return static_cast<size_t>(random() % below); };
  std::vector<void *> live;
  for (int call = 0; call < 60'000; ++call) {
    const size_t size = draw(30) == 0 ? draw(40'000) : draw(4) == 0 ? draw(200) : draw(2000);
    if (live.size() < 100 + draw(300)) {
      live.push_back(draw(20) == 0 ? hg_memalign(size_t{1} << draw(9), size) : hg_malloc(size));
      if (!shows_none(live.back())) std::_Exit(1);
    } else {
      std::swap(live[draw(live.size())], live.back());
      if (draw(8) == 0) live.back() = hg_realloc(live.back(), size + 1);
      if (!shows_none(live.back())) std::_Exit(1);
      if (draw(8) != 0) {
        hg_free(live.back());
        live.pop_back();
      }
    }
    if (draw(3000) == 0) hg_malloc_flush();
    if (draw(1000) == 0) {  // what a heap leaves that ends is memory of the next one, or of malloc
      hg_heap *const other = hg_heap_create();
      hg_heap_deallocate(other, hg_heap_allocate(other, draw(20'000)));
      hg_heap_allocate(other, draw(20'000));
      hg_heap_destroy(other);
    }
  }
  std::_Exit(0);
}

}  // namespace

TEST(LeftWords, NoBlockHasAHeaderOrALink) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // processes in which nothing has been written yet
  for (const unsigned seed : {45001u, 45002u}) EXPECT_EXIT(take_and_free_and_exit(seed), ::testing::ExitedWithCode(0), "");
  GTEST_FLAG_SET(death_test_style, "fast");
}

}  // namespace heapglass_test
