// FreeCountTree (row A9) against a naive twin: a vector kept sorted by insertion at the lower bound (T3).
#include "pool/free_count_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

namespace heapglass {
namespace {

class Twin {
 public:
  void insert(FreeCountLink *link) {
    const auto below = [](const FreeCountLink *a, uint32_t count) { return a->free_nodes < count; };
    links_.insert(std::lower_bound(links_.begin(), links_.end(), link->free_nodes, below), link);
  }
  void remove(FreeCountLink *link) { links_.erase(std::find(links_.begin(), links_.end(), link)); }
  const std::vector<FreeCountLink *> &links() const { return links_; }

 private:
  std::vector<FreeCountLink *> links_;
};

void expect_equal(const FreeCountTree &tree, const Twin &twin) {
  size_t count = 0;
  ASSERT_STREQ(tree.check(&count), nullptr);
  ASSERT_EQ(count, twin.links().size());
  ASSERT_EQ(tree.empty(), twin.links().empty());
  FreeCountLink *before = nullptr;
  FreeCountLink *link = tree.first();
  for (FreeCountLink *expected : twin.links()) {
    ASSERT_EQ(link, expected);
    ASSERT_EQ(FreeCountTree::previous(link), before);
    before = link;
    link = FreeCountTree::next(link);
  }
  ASSERT_EQ(link, nullptr);
  ASSERT_EQ(tree.last(), before);
}

void run_random_operations(uint32_t seed, uint32_t most_links, uint32_t most_count, int steps) {
  std::mt19937 random(seed);
  FreeCountTree tree;
  Twin twin;
  std::vector<std::unique_ptr<FreeCountLink>> owned;
  std::vector<FreeCountLink *> in, out;
  for (uint32_t i = 0; i < most_links; ++i) {
    owned.push_back(std::make_unique<FreeCountLink>());
    out.push_back(owned.back().get());
  }
  for (int step = 0; step < steps; ++step) {
    const bool insert = in.empty() || (!out.empty() && random() % 2 == 0);
    std::vector<FreeCountLink *> &from = insert ? out : in;
    std::vector<FreeCountLink *> &to = insert ? in : out;
    std::swap(from[random() % from.size()], from.back());
    FreeCountLink *link = from.back();
    from.pop_back();
    to.push_back(link);
    if (insert) {
      link->free_nodes = static_cast<uint32_t>(random() % most_count);
      tree.insert(link);
      twin.insert(link);
    } else {
      tree.remove(link);
      twin.remove(link);
    }
    ASSERT_NO_FATAL_FAILURE(expect_equal(tree, twin)) << "seed " << seed << " step " << step;
  }
}

TEST(FreeCountTree, AgreesWithASortedVectorA9) {
  for (uint32_t seed = 1; seed <= 40; ++seed) ASSERT_NO_FATAL_FAILURE(run_random_operations(seed, 12, 6, 400));
  for (uint32_t seed = 1; seed <= 4; ++seed) ASSERT_NO_FATAL_FAILURE(run_random_operations(seed, 300, 40, 1500));
}

TEST(FreeCountTree, StaysSoundWhenAllCountsAreEqual) {
  for (uint32_t seed = 1; seed <= 10; ++seed) ASSERT_NO_FATAL_FAILURE(run_random_operations(seed, 40, 1, 400));
}

TEST(FreeCountTree, NamesTheLastBlockBelowACount) {
  FreeCountTree tree;
  std::vector<FreeCountLink> links(50);
  for (uint32_t i = 0; i < 50; ++i) {
    links[i].free_nodes = i / 5 * 3;  // 0 0 0 0 0 3 3 ...
    tree.insert(&links[i]);
  }
  EXPECT_EQ(tree.last_below(0), nullptr);
  for (uint32_t count = 1; count < 40; ++count) {
    FreeCountLink *expected = nullptr;
    for (FreeCountLink *link = tree.first(); link != nullptr; link = FreeCountTree::next(link)) {
      if (link->free_nodes < count) expected = link;
    }
    EXPECT_EQ(tree.last_below(count), expected) << count;
  }
}

TEST(FreeCountTree, CheckNamesABrokenOrder) {
  FreeCountTree tree;
  std::vector<FreeCountLink> links(3);
  for (uint32_t i = 0; i < 3; ++i) {
    links[i].free_nodes = 10 + i;
    tree.insert(&links[i]);
  }
  links[0].free_nodes = 100;
  size_t count = 0;
  ASSERT_NE(tree.check(&count), nullptr);
  EXPECT_EQ(std::string(tree.check(&count)).substr(0, 7), "tree.T3");
  links[0].free_nodes = 10;
  links[0].red = links[1].red = 1;
  EXPECT_EQ(std::string(tree.check(&count)).substr(0, 7), "tree.T4");
}

}  // namespace
}  // namespace heapglass
