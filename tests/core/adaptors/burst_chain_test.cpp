// The chain of a burst (row A5) as C++ sees it: the list against a std::list of addresses, step by step.
#include <heapglass/burst_chain.hpp>

#include <cstddef>
#include <iterator>
#include <list>
#include <random>
#include <utility>
#include <vector>

namespace {

struct Block {
  void *words[3];
};
using Chain = heapglass::burst_chain<Block>;
using Twin = std::list<Block *>;
static_assert(std::forward_iterator<Chain::iterator>);
static_assert(std::is_same_v<Chain::difference_type, std::ptrdiff_t> && std::is_same_v<Chain::size_type, std::size_t>);

std::vector<Block *> blocks_of(Chain &chain) {
  std::vector<Block *> blocks;
  for (Chain::iterator at = chain.begin(); at != chain.end(); ++at) blocks.push_back(&*at);
  return blocks;
}

void expect_same(Chain &chain, const Twin &twin) {
  EXPECT_EQ(chain.size(), twin.size());
  EXPECT_EQ(chain.empty(), twin.empty());
  EXPECT_EQ(blocks_of(chain), std::vector<Block *>(twin.begin(), twin.end()));
  EXPECT_EQ(chain.last(), twin.empty() ? chain.before_begin() : Chain::iterator_to(twin.back()));
}

TEST(A5_burst_chain, grows_at_both_ends_and_in_between) {
  Block blocks[4];
  Chain chain;
  expect_same(chain, {});
  chain.push_back(&blocks[0]);
  chain.push_front(&blocks[1]);
  chain.insert_after(chain.begin(), &blocks[2]);
  chain.insert_after(chain.last(), &blocks[3]);
  expect_same(chain, {&blocks[1], &blocks[2], &blocks[0], &blocks[3]});
  EXPECT_EQ(chain.pop_front(), &blocks[1]);
  expect_same(chain, {&blocks[2], &blocks[0], &blocks[3]});
}

TEST(A5_burst_chain, an_emptied_chain_can_be_filled_again) {
  Block blocks[2];
  Chain chain;
  chain.push_back(&blocks[0]);
  EXPECT_EQ(chain.pop_front(), &blocks[0]);
  expect_same(chain, {});
  chain.push_back(&blocks[1]);
  expect_same(chain, {&blocks[1]});
  chain.clear();
  expect_same(chain, {});
}

TEST(A5_burst_chain, is_moved_and_swapped_but_never_copied) {
  static_assert(!std::is_copy_constructible_v<Chain> && !std::is_copy_assignable_v<Chain>);
  static_assert(std::is_nothrow_move_constructible_v<Chain> && std::is_nothrow_move_assignable_v<Chain>);
  Block blocks[3];
  Chain one;
  one.push_back(&blocks[0]);
  one.push_back(&blocks[1]);
  Chain other(std::move(one));
  expect_same(one, {});
  expect_same(other, {&blocks[0], &blocks[1]});
  one.push_back(&blocks[2]);
  swap(one, other);
  expect_same(one, {&blocks[0], &blocks[1]});
  expect_same(other, {&blocks[2]});
  other = std::move(one);
  expect_same(other, {&blocks[0], &blocks[1]});
  one.push_front(&blocks[2]);  // moved from, and usable
  expect_same(one, {&blocks[2]});
}

TEST(A5_burst_chain, gives_up_its_ends_and_takes_them_back) {
  Block blocks[3];
  Chain chain;
  EXPECT_EQ(chain.extract_data(), Chain::pointer_pair(nullptr, nullptr));
  for (Block &block : blocks) chain.push_back(&block);
  const Chain::pointer_pair ends = chain.extract_data();
  EXPECT_EQ(ends, Chain::pointer_pair(&blocks[0], &blocks[2]));
  expect_same(chain, {});
  chain.incorporate_after(chain.before_begin(), nullptr, nullptr, 0);
  expect_same(chain, {});
  chain.incorporate_after(chain.last(), ends.first, ends.second, 3);
  expect_same(chain, {&blocks[0], &blocks[1], &blocks[2]});
}

TEST(A5_burst_chain, cuts_a_piece_of_memory_in_blocks) {
  Block memory[4];
  Chain chain;
  EXPECT_EQ(chain.incorporate_after(chain.before_begin(), memory, sizeof(Block), 4), &memory[0] + 4);
  expect_same(chain, {&memory[0], &memory[1], &memory[2], &memory[3]});
  chain.erase_after(chain.begin(), chain.last(), 2);
  expect_same(chain, {&memory[0], &memory[3]});
  chain.erase_after(chain.begin(), chain.end(), 1);
  expect_same(chain, {&memory[0]});
}

TEST(A5_burst_chain, is_the_same_list_in_c) {
  Block blocks[4];
  hg_chain in_c = {};
  hg_chain_push_back(&in_c, &blocks[0]);
  hg_chain_push_back(&in_c, &blocks[1]);
  Chain chain;
  chain.push_back(&blocks[2]);
  chain.take_from(in_c);
  EXPECT_EQ(in_c.count, 0u);
  expect_same(chain, {&blocks[2], &blocks[0], &blocks[1]});
  hg_chain back = chain.give_to_c();
  hg_chain_push_back(&back, &blocks[3]);
  EXPECT_EQ(back.count, 4u);
  EXPECT_EQ(hg_chain_pop_front(&back), &blocks[2]);
}

TEST(A5_burst_chain, follows_its_twin_through_splices_of_every_kind) {
  std::mt19937 random(1);
  std::vector<Block> memory(60);
  Chain chains[2];
  Twin twins[2];
  for (Block &block : memory) {
    const size_t to = random() % 2;
    chains[to].push_back(&block);
    twins[to].push_back(&block);
  }
  const auto place = [](Chain &chain, size_t n) { return std::next(chain.before_begin(), static_cast<ptrdiff_t>(n)); };
  for (int step = 0; step < 500; ++step) {
    const size_t to = random() % 2;
    const size_t from = 1 - to;
    const size_t at = random() % (twins[to].size() + 1);
    const auto twin_at = std::next(twins[to].begin(), static_cast<ptrdiff_t>(at));
    if (random() % 8 == 0) {
      chains[to].splice_after(place(chains[to], at), chains[from]);
      twins[to].splice(twin_at, twins[from]);
    } else {
      const size_t first = random() % (twins[from].size() + 1);
      const size_t count = random() % (twins[from].size() - first + 1);
      const auto twin_first = std::next(twins[from].begin(), static_cast<ptrdiff_t>(first));
      chains[to].splice_after(place(chains[to], at), chains[from], place(chains[from], first),
                              place(chains[from], first + count), count);
      twins[to].splice(twin_at, twins[from], twin_first, std::next(twin_first, static_cast<ptrdiff_t>(count)));
    }
    for (size_t i = 0; i < 2; ++i) expect_same(chains[i], twins[i]);
  }
}

}  // namespace
