// Central lists: the order of batches, any word as the link, and batches that many threads pass around.
#include "threads/central_list.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <iterator>
#include <latch>
#include <thread>
#include <vector>

namespace heapglass {
namespace {

struct Block {
  Word words[4] = {};
};

template <class List>
class CentralLists : public ::testing::Test {};
using Lists = ::testing::Types<CentralList<0>, CentralList<1>, CentralList<2>>;
TYPED_TEST_SUITE(CentralLists, Lists);

TYPED_TEST(CentralLists, gives_the_batch_stored_last) {
  TypeParam list;
  Block blocks[3];
  EXPECT_TRUE(list.is_empty());
  EXPECT_EQ(list.fetch(), nullptr);
  for (Block &block : blocks) list.store(&block, &block);
  EXPECT_FALSE(list.is_empty());
  EXPECT_EQ(list.fetch(), &blocks[2]);
  EXPECT_EQ(list.fetch(), &blocks[1]);
  EXPECT_EQ(list.fetch(), &blocks[0]);
  EXPECT_EQ(list.fetch(), nullptr);
  EXPECT_TRUE(list.is_empty());
}

TYPED_TEST(CentralLists, keeps_the_order_of_a_stored_chain) {
  TypeParam list;
  Block blocks[4];
  list.store(&blocks[3], &blocks[3]);
  for (int i = 0; i < 2; ++i) TypeParam::set_next(&blocks[i], &blocks[i + 1]);
  list.store(&blocks[0], &blocks[2]);
  std::vector<void *> visited;
  list.for_each([&](void *batch) {
    visited.push_back(batch);
    return true;
  });
  EXPECT_EQ(visited, (std::vector<void *>{&blocks[0], &blocks[1], &blocks[2], &blocks[3]}));
  int seen = 0;
  list.for_each([&](void *) { return ++seen < 2; });
  EXPECT_EQ(seen, 2) << "it ends when the visitor says so";
  for (Block &block : blocks) EXPECT_EQ(list.fetch(), &block);
}

TYPED_TEST(CentralLists, fetch_all_gives_the_chain_and_leaves_nothing) {
  TypeParam list;
  EXPECT_EQ(list.fetch_all(), nullptr);
  Block blocks[2];
  for (Block &block : blocks) list.store(&block, &block);
  EXPECT_EQ(list.first(), &blocks[1]);
  EXPECT_EQ(list.fetch_all(), &blocks[1]);
  EXPECT_EQ(TypeParam::next(&blocks[1]), &blocks[0]);
  EXPECT_EQ(TypeParam::next(&blocks[0]), nullptr);
  EXPECT_TRUE(list.is_empty());
}

TEST(CentralListOfBlocks, writes_no_word_but_its_link) {
  CentralList<1> list;
  Block block{{11, 12, 13, 14}};
  list.store(&block, &block);
  list.fetch();
  EXPECT_EQ(block.words[0], 11u);
  EXPECT_EQ(block.words[1], 0u);
  EXPECT_EQ(block.words[2], 13u);
  EXPECT_EQ(block.words[3], 14u);
}

TEST(CentralListOfBlocks, links_blocks_that_are_not_aligned_for_a_pointer) {
  CentralList<1> list;
  alignas(16) char bytes[256] = {};
  for (int i = 0; i < 5; ++i) list.store(bytes + 4 + 20 * i, bytes + 4 + 20 * i);
  for (int i = 4; i >= 0; --i) EXPECT_EQ(list.fetch(), bytes + 4 + 20 * i);
}

#if HG_THREADS
// Every block is with one thread or on the list, never with two threads; none is lost.
TEST(CentralListOfBlocks, threads_share_batches_without_losing_one) {
  constexpr int kThreadsAtOnce = 4;
  constexpr int kRounds = 20'000;  // without the lock only ThreadSanitizer is sure to fail
  static Block blocks[64];
  CentralList<2> list;
  for (Block &block : blocks) list.store(&block, &block);
  std::atomic<unsigned> errors{0};
  std::latch begin(kThreadsAtOnce);
  std::vector<std::thread> threads;
  for (Word number = 1; number <= kThreadsAtOnce; ++number) {
    threads.emplace_back([&, number] {
      begin.arrive_and_wait();
      for (int round = 0; round < kRounds; ++round) {
        std::vector<Block *> mine;
        if (round % 100 == 99) {
          for (void *batch = list.fetch_all(); batch != nullptr; batch = CentralList<2>::next(batch)) {
            mine.push_back(static_cast<Block *>(batch));
          }
        } else {
          while (mine.size() < 3 && !list.is_empty()) {
            Block *const block = static_cast<Block *>(list.fetch());
            if (block != nullptr) mine.push_back(block);
          }
        }
        for (Block *block : mine) {
          if (block->words[0] != 0) ++errors;
          block->words[0] = number;
        }
        for (Block *block : mine) {
          if (block->words[0] != number) ++errors;
          block->words[0] = 0;
        }
        for (std::size_t i = 1; i < mine.size(); ++i) CentralList<2>::set_next(mine[i - 1], mine[i]);
        if (!mine.empty()) list.store(mine.front(), mine.back());
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(errors.load(), 0u);
  std::size_t left = 0;
  list.for_each([&](const void *) { return ++left != 0; });
  EXPECT_EQ(left, std::size(blocks));
}
#endif

}  // namespace
}  // namespace heapglass
