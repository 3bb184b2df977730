// Memory pools in C++ (row B3): placement new, class operators on the fixed path, ownership.
#include <heapglass/memory_pool.hpp>

#include <stdexcept>
#include <type_traits>

#include "pool/pool_rig.hpp"

namespace pool_tests {
namespace {

using heapglass::memory_pool;
using heapglass::pooled;

struct Link : pooled<Link> {
  Link(const char *text, memory_pool &pool, Link *before) : value(new (pool) char[std::strlen(text) + 1]), prev(before) {
    std::strcpy(value, text);
    if (prev != nullptr) prev->next = this;
  }
  char *value;
  Link *prev;
  Link *next = nullptr;
};

struct Refusing : pooled<Refusing> {
  Refusing() { throw std::runtime_error("no"); }
  void *words[3];
};

struct Plain {
  explicit Plain(int *ended, bool refuse = false) : ended_(ended) {
    if (refuse) throw std::runtime_error("no");
  }
  ~Plain() { ++*ended_; }
  int *ended_;
  char bytes[100];
};

struct Larger : Link {
  using Link::Link;
  void *more[16];
};

struct alignas(HG_ALIGNMENT) Aligned : pooled<Aligned> {
  char bytes[HG_ALIGNMENT];
};

size_t chunks_in_use(const memory_pool &pool) {
  hg_heap_stats stats;
  hg_heap_get_stats(pool.heap(), &stats);
  return stats.chunks_in_use;
}

TEST(B3_memory_pool, a_list_lives_in_its_pool_and_delete_needs_no_pool) {
  memory_pool pool(sizeof(Link));
  const std::string text = "a string as long as need be";
  std::vector<Link *> links;
  for (size_t i = 0; i < 2000; ++i) {
    links.push_back(new (pool) Link(text.substr(0, i % text.size()).c_str(), pool, i == 0 ? nullptr : links.back()));
    ASSERT_EQ(hg_memory_pool_of_fixed(links.back()), pool.handle());
  }
  EXPECT_EQ(picture_of(pool.heap()).nodes_in_use().size(), 2000u);
  size_t found = 0;
  for (const Link *link = links[0]; link != nullptr; link = link->next) {
    ASSERT_EQ(link->value, text.substr(0, found++ % text.size()));
  }
  EXPECT_EQ(found, 2000u);
  for (size_t i = 0; i < 1000; ++i) {
    pool.deallocate(links[i]->value);
    delete links[i];
  }
  EXPECT_EQ(picture_of(pool.heap()).nodes_in_use().size(), 1000u);
  EXPECT_EQ(new (pool) Link("", pool, nullptr), links[999]) << "the block returned last";
  EXPECT_STREQ(hg_heap_check(pool.heap()), nullptr);
}

TEST(B3_memory_pool, a_constructor_that_throws_gives_its_memory_back) {
  memory_pool pool(2 * HG_ALIGNMENT);
  delete new (pool) Aligned;  // the block of the fixed path is there
  const size_t chunks = chunks_in_use(pool);
  int ended = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(new (pool) Refusing, std::runtime_error);
    EXPECT_THROW(new (pool) Plain(&ended, true), std::runtime_error);
    EXPECT_THROW(new (pool) Refusing[3], std::runtime_error);
  }
  EXPECT_EQ(ended, 0);
  EXPECT_EQ(chunks_in_use(pool), chunks);
  EXPECT_TRUE(picture_of(pool.heap()).nodes_in_use().empty());
}

TEST(B3_memory_pool, any_class_is_made_and_ended_on_the_pools_heap) {
  memory_pool pool;
  const size_t before = chunks_in_use(pool);
  int ended = 0;
  Plain *const one = new (pool) Plain(&ended);
  Plain *const two = new (pool) Plain(&ended);
  int *const numbers = new (pool) int[1000];
  EXPECT_EQ(chunks_in_use(pool), before + 3);
  pool.destroy(one);
  pool.destroy(static_cast<Plain *>(nullptr));
  EXPECT_EQ(ended, 1);
  pool.deallocate(numbers);
  EXPECT_EQ(chunks_in_use(pool), before + 1);
  EXPECT_EQ(two->ended_, &ended);
}

TEST(B3_memory_pool, the_end_of_a_pool_ends_no_object) {
  int ended = 0;
  {
    memory_pool pool;
    new (pool) Plain(&ended);
  }
  EXPECT_EQ(ended, 0);
}

TEST(B3_memory_pool, is_moved_not_copied) {
  static_assert(!std::is_copy_constructible_v<memory_pool> && !std::is_copy_assignable_v<memory_pool>);
  static_assert(std::is_nothrow_move_constructible_v<memory_pool> && std::is_nothrow_move_assignable_v<memory_pool>);
  memory_pool from(sizeof(Link));
  Link *const link = new (from) Link("kept", from, nullptr);
  hg_memory_pool *const handle = from.handle();
  memory_pool to(std::move(from));
  EXPECT_EQ(from.handle(), nullptr);
  EXPECT_EQ(to.handle(), handle);
  EXPECT_EQ(to.fixed_size(), sizeof(Link));
  memory_pool other(8);
  other = std::move(to);  // what `other` held is gone
  EXPECT_EQ(other.handle(), handle);
  EXPECT_STREQ(link->value, "kept");
  memory_pool &same = other;
  other = std::move(same);
  EXPECT_EQ(other.handle(), handle);
  EXPECT_STREQ(link->value, "kept");
  EXPECT_STREQ(hg_heap_check(other.heap()), nullptr);
}

TEST(B3_memory_pool, what_does_not_fit_the_fixed_path_is_refused) {
  memory_pool pool(sizeof(Link));
  EXPECT_THROW(new (pool) Larger("", pool, nullptr), std::bad_alloc);
  memory_pool odd(HG_ALIGNMENT + sizeof(void *));
  EXPECT_THROW(new (odd) Aligned, std::bad_alloc) << "large enough, but not aligned enough";
  memory_pool none;
  EXPECT_THROW(new (none) Aligned, std::bad_alloc);
  EXPECT_THROW(memory_pool(4096), std::bad_alloc);
  memory_pool larger(sizeof(Larger));
  delete new (larger) Larger("", larger, nullptr);
  delete new (larger) Link("", larger, nullptr);
}

TEST(B3_memory_pool, out_of_memory_throws_or_is_null_as_asked) {
  memory_pool pool(16);
  EXPECT_THROW(pool.allocate(size_t{1} << 40), std::bad_alloc);
  EXPECT_EQ(pool.try_allocate(size_t{1} << 40), nullptr);
  void *const fixed = pool.try_allocate_fixed();
  EXPECT_NE(fixed, nullptr);
  memory_pool::deallocate_fixed(fixed);
  EXPECT_EQ(pool.allocate_fixed(), fixed);
}

}  // namespace
}  // namespace pool_tests
