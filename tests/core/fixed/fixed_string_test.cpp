// Strings of fixed blocks (row E5).
#include <heapglass/fixed_string.hpp>

#include <random>
#include <stdexcept>

#include "fixed/fixed_rig.hpp"

namespace fixed_tests {
namespace {

using heapglass::fixed_string;
using heapglass::string_blocks;

template <size_t BlockBytes>
size_t blocks_in_use() {
  const auto &manager = string_blocks<BlockBytes>::manager();
  return manager.capacity() - manager.free_count();
}

TEST(E5_fixed_string, every_string_takes_one_block_of_the_same_size) {
  const DefaultHeapIsKept kept;
  {
    std::vector<fixed_string<512>> strings;
    strings.reserve(100);
    for (size_t i = 0; i < 100; ++i) strings.emplace_back(20 + i * 4, 'x');
    EXPECT_EQ(blocks_in_use<512>(), 100u);
    EXPECT_EQ(string_blocks<512>::manager().node_size(), 512u);
    const auto nodes = picture_of(hg_default_heap()).nodes_in_use();
    EXPECT_EQ(nodes.size(), 100u);
    for (const auto &string : strings) EXPECT_TRUE(nodes.contains(at(string.data())));
  }
  EXPECT_EQ(blocks_in_use<512>(), 0u);
  string_blocks<512>::manager().clear();
}

TEST(E5_fixed_string, short_strings_take_none) {
  const fixed_string<512> text = "short";
  EXPECT_EQ(blocks_in_use<512>(), 0u);
  EXPECT_EQ(text.size(), 5u);
}

TEST(E5_fixed_string, a_string_fills_its_block_and_no_more) {
  const DefaultHeapIsKept kept;
  {
    fixed_string<256> text;
    for (size_t i = 0; i < 240; ++i) text.push_back('a');
    EXPECT_EQ(blocks_in_use<256>(), 1u);
    EXPECT_THROW(text.resize(256), std::length_error);
    EXPECT_THROW(text.append(300, 'b'), std::length_error);
    EXPECT_THROW((fixed_string<256>(256, 'c')), std::length_error);
    EXPECT_EQ(text, fixed_string<256>(240, 'a')) << "as before";
    EXPECT_LT(text.max_size(), 256u);
    text.resize(text.max_size());
    EXPECT_EQ(text.capacity(), text.max_size());
    text.shrink_to_fit();
    EXPECT_EQ(blocks_in_use<256>(), 1u);
  }
  string_blocks<256>::manager().clear();
}

TEST(E5_fixed_string, block_sizes_are_strangers) {
  const DefaultHeapIsKept kept;
  {
    const fixed_string<64> a(40, 'a');
    const fixed_string<128> b(40, 'b');
    EXPECT_EQ(blocks_in_use<64>(), 1u);
    EXPECT_EQ(blocks_in_use<128>(), 1u);
    EXPECT_EQ(string_blocks<64>::manager().node_size(), 64u);
    EXPECT_EQ(string_blocks<128>::manager().node_size(), 128u);
  }
  string_blocks<64>::manager().clear();
  string_blocks<128>::manager().clear();
}

TEST(E5_fixed_string, agrees_with_a_twin) {
  const DefaultHeapIsKept kept;
  {
    std::mt19937 random(9);
    std::vector<std::pair<fixed_string<>, std::string>> strings(8);
    for (int step = 0; step < 4000; ++step) {
      auto &[text, twin] = strings[random() % strings.size()];
      const size_t place = random() % (twin.size() + 1);
      const size_t count = random() % 40;
      switch (random() % 6) {
        case 0:
          if (twin.size() + count < 490) twin.insert(place, count, 'i'), text.insert(place, count, 'i');
          break;
        case 1: twin.erase(place, count), text.erase(place, count); break;
        case 2:
          if (twin.size() < 490) text = text + 'p', twin = twin + 'p';
          break;
        case 3: {
          const auto copy = strings[random() % strings.size()];
          text = copy.first;
          twin = copy.second;
          break;
        }
        case 4: {
          auto &[other, other_twin] = strings[random() % strings.size()];
          text.swap(other);
          twin.swap(other_twin);
          break;
        }
        default:
          if (twin.size() + count < 490) twin.append(count, 'z'), text.append(count, 'z');
      }
      ASSERT_EQ(std::string_view(text), std::string_view(twin));
    }
    EXPECT_LE(blocks_in_use<512>(), strings.size());
    EXPECT_STREQ(hg_heap_check(hg_default_heap()), nullptr);
  }
  EXPECT_EQ(blocks_in_use<512>(), 0u);
  string_blocks<512>::manager().clear();
}

}  // namespace
}  // namespace fixed_tests
