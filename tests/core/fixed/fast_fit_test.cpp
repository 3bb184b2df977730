// The fast-fit manager (row E3).
#include <heapglass/fast_fit.hpp>

#include <limits>
#include <random>

#include "fixed/fixed_rig.hpp"

namespace fixed_tests {
namespace {

using heapglass::fast_fit;

struct Held {
  size_t size;
  unsigned char pattern;
};

void fill(void *mem, const Held &held) { std::memset(mem, held.pattern, held.size); }
::testing::AssertionResult is_whole(const void *mem, const Held &held) {
  const auto *bytes = static_cast<const unsigned char *>(mem);
  for (size_t i = 0; i < held.size; ++i) {
    if (bytes[i] != held.pattern) return ::testing::AssertionFailure() << "byte " << i << " of " << held.size;
  }
  return ::testing::AssertionSuccess();
}

TEST(E3_fast_fit, there_is_one_class_a_power_of_two) {
  using Fit = fast_fit<16, 4096>;
  EXPECT_EQ(Fit::kClasses, 9u);
  for (size_t size = 0; size <= 4096; ++size) {
    const unsigned number = Fit::class_of(size);
    ASSERT_GE(size_t{16} << number, size);
    ASSERT_TRUE(number == 0 || size_t{8} << number < size) << size;
  }
  TestHeap heap;
  Fit manager(heap);
  void *nodes[9];
  for (unsigned i = 0; i < 9; ++i) nodes[i] = manager.allocate(size_t{16} << i);
  EXPECT_EQ(manager.arenas(), 9u);
  std::set<uint32_t> sizes;
  for (const hg_walk_record &record : pool_tests::walk_records(heap)) {
    if ((record.kind & 0xff) == HG_WALK_node_in_use) sizes.insert(record.size);
  }
  EXPECT_EQ(sizes, (std::set<uint32_t>{16, 32, 64, 128, 256, 512, 1024, 2048, 4096}));
  for (unsigned i = 0; i < 9; ++i) {
    EXPECT_EQ(manager.usable_size(nodes[i]), size_t{16} << i);
    manager.deallocate(nodes[i]);
  }
}

// Sizes of all classes and beyond; every byte is the caller's, freed with its size or without.
TEST(E3_fast_fit, agrees_with_a_twin_whatever_the_caller_writes) {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    TestHeap heap;
    fast_fit<> manager(heap);
    std::mt19937 random(seed);
    std::map<void *, Held> held;
    for (int step = 0; step < 3000; ++step) {
      if (held.empty() || random() % 100 < (step / 500 % 2 == 0 ? 65u : 40u)) {
        const size_t size = random() % (size_t{1} << random() % 15);
        // Patterns that look like tags, addresses and sizes.
        const Held one = {size, static_cast<unsigned char>(random() % 4 == 0 ? random() % 9 : random())};
        void *const mem = manager.allocate(size);
        fill(mem, one);
        const auto after = held.lower_bound(mem);
        ASSERT_TRUE(after == held.end() || static_cast<char *>(mem) + size <= after->first);
        ASSERT_TRUE(after == held.begin() ||
                    static_cast<char *>(std::prev(after)->first) + std::prev(after)->second.size <= mem);
        ASSERT_GE(manager.usable_size(mem), size);
        ASSERT_TRUE(held.emplace(mem, one).second);
      } else {
        auto chosen = held.begin();
        std::advance(chosen, random() % held.size());
        ASSERT_TRUE(is_whole(chosen->first, chosen->second));
        if (random() % 2 == 0) manager.deallocate(chosen->first);
        else manager.deallocate(chosen->first, chosen->second.size);
        held.erase(chosen);
      }
      if (step % 250 == 0) {
        std::set<void *> nodes;
        for (const auto &[mem, one] : held) {
          if (one.size <= 4096) nodes.insert(mem);
        }
        expect_in_use(heap, nodes);
      }
    }
    for (const auto &[mem, one] : held) {
      EXPECT_TRUE(is_whole(mem, one));
      manager.deallocate(mem);
    }
    EXPECT_EQ(manager.free_count(), manager.capacity());
  }
}

TEST(E3_fast_fit, a_larger_request_is_a_chunk_told_apart_by_its_address) {
  TestHeap heap;
  fast_fit<> manager(heap);
  constexpr uintptr_t block = fast_fit<>::kBlock;
  std::vector<void *> larger, nodes;
  for (size_t i = 0; i < 20; ++i) {
    larger.push_back(manager.allocate(4097 + i * 1000));
    nodes.push_back(manager.allocate(4096));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(larger.back()) % block, 0u);
    EXPECT_NE(reinterpret_cast<uintptr_t>(nodes.back()) % block, 0u);
    std::memset(larger.back(), static_cast<int>(i), 4097 + i * 1000);
    EXPECT_GE(manager.usable_size(larger.back()), 4097 + i * 1000);
  }
  expect_in_use(heap, {nodes.begin(), nodes.end()});
  for (void *mem : larger) manager.deallocate(mem);
  expect_in_use(heap, {nodes.begin(), nodes.end()});
  for (void *mem : nodes) manager.deallocate(mem);
  manager.deallocate(nullptr);
  manager.deallocate(nullptr, 10);
  manager.deallocate(nullptr, 10000);
}

// Around the border between the last class and the heap, by size and by alignment; freed as asked, with the usable size, or without.
TEST(E3_fast_fit, a_block_at_the_border_of_the_classes_goes_back_where_it_came_from) {
  TestHeap heap;
  using Fit = fast_fit<32, 256>;
  Fit manager(heap);
  manager.deallocate(manager.allocate(256));  // the last class has its block
  const size_t in_use = bytes_in_use(heap);
  const size_t nodes = manager.free_count();
  struct Request { size_t size, alignment; };
  for (const Request asked : {Request{255, 1}, {256, 1}, {257, 1}, {258, 1}, {512, 1}, {513, 1}, {1, 256}, {257, 256}, {1, 512}}) {
    const bool is_node = asked.size <= 256 && asked.alignment <= 256;
    for (int way = 0; way < 3; ++way) {
      void *const mem = manager.allocate(asked.size, asked.alignment);
      const size_t usable = manager.usable_size(mem);
      ASSERT_GE(usable, asked.size);
      ASSERT_EQ(bytes_in_use(heap) == in_use, is_node) << asked.size;
      ASSERT_EQ(manager.free_count(), is_node ? nodes - 1 : nodes) << asked.size;
      std::memset(mem, 0xff, usable);
      if (way == 0) manager.deallocate(mem, asked.size, asked.alignment);
      if (way == 1) manager.deallocate(mem, usable, asked.alignment);
      if (way == 2) manager.deallocate(mem);
      ASSERT_EQ(bytes_in_use(heap), in_use) << asked.size << " bytes, freed in way " << way;
      ASSERT_EQ(manager.free_count(), nodes) << asked.size << " bytes, freed in way " << way;
    }
  }
}

TEST(E3_fast_fit, every_alignment_is_kept) {
  TestHeap heap;
  fast_fit<> manager(heap);
  for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
    for (const size_t size : {size_t{1}, size_t{100}, size_t{5000}}) {
      void *const a = manager.allocate(size, alignment);
      void *const b = manager.allocate(size, alignment);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % alignment, 0u);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(b) % alignment, 0u);
      manager.deallocate(a, size, alignment);
      manager.deallocate(b);
    }
  }
  EXPECT_EQ(manager.free_count(), manager.capacity());
}

TEST(E3_fast_fit, events_and_walk_tell_the_same) {
  TestHeap heap;
  NodesAsTold told(heap);
  {
    fast_fit<> manager(heap);
    std::mt19937 random(5);
    std::vector<void *> held;
    for (int step = 0; step < 200; ++step) {
      if (held.empty() || random() % 3 != 0) {
        held.push_back(manager.allocate(random() % 3000));
      } else {
        std::swap(held[random() % held.size()], held.back());
        manager.deallocate(held.back());
        held.pop_back();
      }
    }
    EXPECT_EQ(told.in_use(), offsets_of({held.begin(), held.end()}));
    EXPECT_EQ(told.in_use(), picture_of(heap).nodes_in_use());
    manager.clear();
    EXPECT_TRUE(told.in_use().empty());
    EXPECT_EQ(bytes_in_use(heap), 0u);
    EXPECT_NE(manager.try_allocate(100), nullptr) << "as new";
  }
  EXPECT_TRUE(told.in_use().empty());
}

TEST(E3_fast_fit, blocks_of_classes_lie_side_by_side) {
  TestHeap heap;
  fast_fit<> manager(heap);
  for (int i = 0; i < 2000; ++i) manager.allocate(64);  // 127952 bytes of nodes: four blocks
  std::vector<uint32_t> blocks;
  for (const auto &[address, block] : picture_of(heap).blocks) blocks.push_back(address);
  ASSERT_EQ(blocks.size(), 4u);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(blocks[i] - blocks[i - 1], fast_fit<>::kBlock);
}

TEST(E3_fast_fit, without_memory_it_throws_and_stays_whole) {
  TestHeap heap(100 * 1024);
  fast_fit<> manager(heap);
  std::set<void *> nodes;
  while (void *const mem = manager.try_allocate(1000)) nodes.insert(mem);
  EXPECT_GE(nodes.size(), 20u);
  EXPECT_THROW(manager.allocate(1000), std::bad_alloc);
  EXPECT_THROW(manager.allocate(90000), std::bad_alloc);
  EXPECT_THROW(manager.allocate(std::numeric_limits<size_t>::max()), std::bad_alloc);
  expect_in_use(heap, nodes);
  manager.deallocate(*nodes.begin());
  EXPECT_EQ(manager.allocate(513), *nodes.begin());
}

TEST(E3_fast_fit, classes_may_begin_and_end_elsewhere) {
  TestHeap heap;
  using Fit = fast_fit<32, 256>;
  Fit manager(heap);
  EXPECT_EQ(Fit::kClasses, 4u);
  void *const small = manager.allocate(1);
  void *const larger = manager.allocate(257);
  EXPECT_EQ(manager.usable_size(small), 32u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(larger) % Fit::kBlock, 0u);
  manager.deallocate(larger);
  manager.deallocate(small);
}

}  // namespace
}  // namespace fixed_tests
