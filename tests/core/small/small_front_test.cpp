// One thread at the front: blocks of every class, large ones, and memory that runs out.
#include <heapglass/small.hpp>

#include <set>

#include "platform/page_source.hpp"
#include "small/small_rig.hpp"
#include "small/span.hpp"
#include "support/held_runs.hpp"

namespace {

using namespace heapglass;
using small_tests::kTable;
using small_tests::small_stats;

class D3_compact_layout : public small_tests::SmallFront {};
class D5_alignment_of_blocks : public small_tests::SmallFront {};
class D1_typed_allocation : public small_tests::SmallFront {};
class D2_out_of_memory : public small_tests::SmallFront {};

// As many blocks as three spans hold, of each class: every position in a span is seen.
TEST_F(D5_alignment_of_blocks, every_block_of_every_class_is_aligned_as_the_table_says) {
  size_t row = 0;
  for (unsigned k = 0; k < kSizeClasses; ++k) {
    const size_t size = size_of_class(k);
    while (kTable[row].last < size) ++row;
    std::vector<unsigned char *> blocks;
    std::set<uintptr_t> starts;
    for (uint32_t i = 0; i < span_layout(k).nodes * 3; ++i) {
      unsigned char *const block = static_cast<unsigned char *>(hg_small_allocate(size));
      ASSERT_NE(block, nullptr);
      const uintptr_t address = reinterpret_cast<uintptr_t>(block);
      ASSERT_EQ(address % kTable[row].alignment, 0u) << size;
      ASSERT_EQ(address % lowest_power(size), 0u) << size;
      ASSERT_NE(address % 65536, 0u) << "small blocks never begin at a multiple of 64 KiB";
      ASSERT_EQ(hg_small_usable_size(block), size);
      std::memset(block, static_cast<int>(i), size);
      blocks.push_back(block);
      starts.insert(address);
    }
    ASSERT_EQ(starts.size(), blocks.size());
    for (auto at = starts.begin(), next = std::next(at); next != starts.end(); at = next++) ASSERT_GE(*next - *at, size);
    for (size_t i = 0; i < blocks.size(); ++i) {
      ASSERT_EQ(blocks[i][0], static_cast<unsigned char>(i)) << size;
      ASSERT_EQ(blocks[i][size - 1], static_cast<unsigned char>(i)) << size;
      hg_small_deallocate(blocks[i]);
    }
    hg_small_flush();
    hg_small_squeeze();
  }
}

TEST_F(D3_compact_layout, blocks_lie_side_by_side_and_a_span_has_one_header) {
  const uint32_t nodes = span_layout(size_class_of(24)).nodes;
  EXPECT_GE(nodes, (65536u - 64 - 24) / 24) << "all of 64 KiB but one small header is blocks";
  std::vector<char *> blocks;
  for (uint32_t i = 0; i < nodes; ++i) blocks.push_back(static_cast<char *>(hg_small_allocate(24)));
  EXPECT_EQ(small_stats().spans, 1u);
  for (uint32_t i = 1; i < nodes; ++i) EXPECT_EQ(std::abs(blocks[i] - blocks[i - 1]) % 24, 0);
  std::set<char *> sorted(blocks.begin(), blocks.end());
  EXPECT_EQ(*sorted.rbegin() - *sorted.begin(), 24 * (static_cast<ptrdiff_t>(nodes) - 1)) << "no byte between them";
  EXPECT_LE(*sorted.begin() - reinterpret_cast<char *>(span_of(blocks[0])), 64);
  for (char *block : blocks) hg_small_deallocate(block);
}

TEST_F(D3_compact_layout, neighbouring_spans_pack) {
  const heapglass_test::HeldRuns held;
  const uint32_t nodes = span_layout(size_class_of(1000)).nodes;
  std::vector<void *> blocks;
  std::set<uintptr_t> spans;
  for (uint32_t i = 0; i < nodes * 8; ++i) {
    blocks.push_back(hg_small_allocate(1000));
    spans.insert(reinterpret_cast<uintptr_t>(span_of(blocks.back())));
  }
  EXPECT_EQ(spans.size(), 8u);
  size_t neighbours = 0;
  for (const uintptr_t span : spans) neighbours += spans.contains(span + 65536);
  EXPECT_GE(neighbours, 6u) << "64 KiB from one span to the next, but where a hole of the heap was filled";
  for (void *block : blocks) hg_small_deallocate(block);
}

TEST_F(D3_compact_layout, large_and_small_are_told_apart_by_the_address) {
  for (const size_t size : {size_t{57345}, size_t{65536}, size_t{100'000}, size_t{1'000'000}}) {
    char *const large = static_cast<char *>(hg_small_allocate(size));
    ASSERT_NE(large, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(large) % 65536, 0u);
    EXPECT_GE(hg_small_usable_size(large), size);
    std::memset(large, 1, size);
    EXPECT_EQ(small_stats().in_use, 0u) << "a chunk of the heap, not of a span";
    hg_small_deallocate(large);
  }
  void *const small = hg_small_allocate(57344);
  EXPECT_NE(reinterpret_cast<uintptr_t>(small) % 65536, 0u);
  EXPECT_EQ(small_stats().in_use, 57344u);
  hg_small_deallocate(small);
}

TEST_F(D3_compact_layout, nothing_and_too_much) {
  hg_small_deallocate(nullptr);
  EXPECT_EQ(hg_small_usable_size(nullptr), 0u);
  void *const least = hg_small_allocate(0);
  ASSERT_NE(least, nullptr);
  EXPECT_EQ(hg_small_usable_size(least), kSmallestClass);
  hg_small_deallocate(least);
  EXPECT_EQ(hg_small_allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(hg_small_allocate(SIZE_MAX - 65536), nullptr);
}

struct Particle : heapglass::small_object<Particle> {
  double position[3] = {1, 2, 3};
  virtual ~Particle() = default;
};
struct HeavyParticle : Particle {
  char weight[400] = {};
};
struct alignas(256) Aligned {
  char bytes[256];
};

TEST_F(D1_typed_allocation, new_and_delete_take_the_class_of_the_type) {
  Particle *const light = new Particle;
  EXPECT_EQ(hg_small_usable_size(light), size_of_class(size_class_of(sizeof(Particle))));
  EXPECT_EQ(light->position[2], 3);
  Particle *const heavy = new HeavyParticle;
  EXPECT_EQ(hg_small_usable_size(heavy), size_of_class(size_class_of(sizeof(HeavyParticle))));
  EXPECT_EQ(small_stats().in_use, hg_small_usable_size(light) + hg_small_usable_size(heavy));
  delete heavy;  // by the virtual destructor, with the size of the whole object
  delete light;
  EXPECT_EQ(small_stats().in_use, 0u);
  delete[] new Particle[7];
  delete new (std::nothrow) Particle;
  EXPECT_EQ(small_stats().in_use, 0u);
}

TEST_F(D1_typed_allocation, small_new_serves_any_type_even_aligned_ones) {
  std::vector<Aligned *> aligned;
  for (int i = 0; i < 300; ++i) {
    aligned.push_back(small_new<Aligned>());
    ASSERT_EQ(reinterpret_cast<uintptr_t>(aligned.back()) % 256, 0u);
  }
  for (Aligned *object : aligned) small_delete(object);
  auto *const pair = small_new<std::pair<int, long>>(1, 2);
  EXPECT_EQ(pair->second, 2);
  small_delete(pair);
  small_delete(static_cast<int *>(nullptr));
  using Large = char[100'000];
  struct Holder {
    Large bytes;
  };
  Holder *const large = small_new<Holder>();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(large) % 65536, 0u);
  small_delete(large);
}

TEST_F(D1_typed_allocation, a_constructor_that_throws_gives_its_block_back) {
  struct Throws {
    Throws() { throw 1; }
    char bytes[48];
  };
  EXPECT_THROW(small_new<Throws>(), int);
  EXPECT_EQ(small_stats().in_use, 0u);
}

// Memory ends at every growth in turn; what was got before stays whole, and all is well when memory is back.
TEST_F(D2_out_of_memory, running_out_changes_nothing_and_is_survived) {
  const heapglass_test::HeldRuns held;
  for (const size_t size : {size_t{16}, size_t{700}, size_t{16384}, size_t{32768}, size_t{57344}, size_t{70'000}}) {
    for (Word growths = 1; growths <= 3; ++growths) {
      fail_growth(growths);
      std::vector<unsigned char *> blocks;
      while (unsigned char *const block = static_cast<unsigned char *>(hg_small_allocate(size))) {
        std::memset(block, static_cast<int>(blocks.size()), size);
        blocks.push_back(block);
        ASSERT_LT(blocks.size(), 200'000u);
      }
      EXPECT_EQ(hg_small_allocate(size), nullptr);
      EXPECT_EQ(hg_heap_status(nullptr), uint32_t{HG_STATUS_out_of_memory});
      EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
      fail_growth(0);
      void *const after = hg_small_allocate(size);
      EXPECT_NE(after, nullptr);
      hg_small_deallocate(after);
      for (size_t i = 0; i < blocks.size(); ++i) {
        ASSERT_EQ(blocks[i][size - 1], static_cast<unsigned char>(i));
        hg_small_deallocate(blocks[i]);
      }
      hg_small_flush();
      hg_small_squeeze();
      EXPECT_EQ(small_stats().spans, 0u);
    }
  }
}

}  // namespace
