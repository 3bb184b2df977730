// std::pmr::memory_resource on heaps and pools (rows A1, A8, A9), where the library has it.
#include <heapglass/event.h>
#include <heapglass/memory_resource.hpp>

#include "adaptors/allocator_rig.hpp"

#if defined(__cpp_lib_memory_resource)

#include <list>
#include <map>
#include <string>
#include <vector>

namespace adaptor_tests {
namespace {

using heapglass::heap_resource;
using heapglass::pool_resource;
using heapglass::release_resource;

TEST(A1_memory_resource, a_heap_serves_the_containers_of_pmr) {
  hg_heap *const heap = hg_heap_create();
  heap_resource resource(heap);
  {
    std::pmr::map<int, std::pmr::string> map(&resource);
    for (int i = 0; i < 300; ++i) map.emplace(i, "a text that is too long for the string to keep it in itself");
    EXPECT_GE(stats_of(heap).chunks_in_use, 600u);
    std::pmr::vector<int> vector({1, 2, 3}, &resource);
    EXPECT_EQ(vector[2], 3);
  }
  EXPECT_STREQ(hg_heap_check(heap), nullptr);
  EXPECT_EQ(stats_of(heap).chunks_in_use, 0u);
  hg_heap_destroy(heap);
}

TEST(A1_memory_resource, aligns_as_asked_and_is_equal_to_another_on_the_same_heap) {
  const AsBefore as_before;
  heap_resource resource;
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    void *const mem = resource.allocate(10, alignment);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(mem) % alignment, 0u);
    resource.deallocate(mem, 10, alignment);
  }
  hg_heap *const heap = hg_heap_create();
  EXPECT_TRUE(resource == heap_resource());
  EXPECT_FALSE(resource == heap_resource(heap));
  EXPECT_FALSE(resource == *std::pmr::new_delete_resource());
  hg_heap_destroy(heap);
}

TEST(A1_memory_resource, out_of_memory_is_an_exception) {
  SmallHeap heap(8 * 1024);
  heap_resource resource(heap);
  EXPECT_THROW(static_cast<void>(resource.allocate(100'000)), std::bad_alloc);
  release_resource released(heap);
  EXPECT_THROW(static_cast<void>(released.allocate(100'000)), std::bad_alloc);
  EXPECT_THROW(static_cast<void>(released.allocate(~size_t{0} / 2)), std::bad_alloc);
  EXPECT_NE(released.allocate(100), nullptr);
}

TEST(A9_memory_resource, a_pool_serves_nodes_and_sends_the_rest_upstream) {
  SmallHeap upstream_heap(256 * 1024);
  heap_resource upstream(upstream_heap);
  SmallHeap heap(256 * 1024);
  {
    pool_resource resource({HG_SHAPE_adaptive, 48, 32, 1, 10}, &upstream, heap);
    hg_pool_stats stats;
    {
      std::pmr::list<int> list(&resource);
      for (int i = 0; i < 500; ++i) list.push_back(i);
      std::pmr::vector<int> vector(1000, 7, &resource);
      hg_pool_get_stats(resource.pool(), &stats);
      EXPECT_EQ(stats.nodes_in_use, 500u);
      EXPECT_EQ(stats_of(upstream_heap).chunks_in_use, 1u);
      void *const wide = resource.allocate(16, 64);  // small enough, but no node is aligned so
      EXPECT_EQ(reinterpret_cast<uintptr_t>(wide) % 64, 0u);
      EXPECT_EQ(stats_of(upstream_heap).chunks_in_use, 2u);
      resource.deallocate(wide, 16, 64);
    }
    hg_pool_get_stats(resource.pool(), &stats);
    EXPECT_EQ(stats.nodes_in_use, 0u);
    EXPECT_EQ(stats.blocks, 1u) << "one free block may stay";
    EXPECT_EQ(resource.upstream_resource(), &upstream);
  }
}

// A node of 24 bytes is aligned to 8 alone, one of 32 to 16: which of them the pool serves, the size must tell.
TEST(A9_memory_resource, a_pool_serves_no_request_that_its_nodes_are_not_aligned_for) {
  SmallHeap upstream_heap(256 * 1024);
  heap_resource upstream(upstream_heap);
  SmallHeap heap(256 * 1024);
  for (const uint32_t shape : {HG_SHAPE_adaptive, HG_SHAPE_aligned_only, HG_SHAPE_segregated}) {
    for (uint32_t words = 1; words <= 12; ++words) {
      const uint32_t node_size = words * sizeof(void *);
      pool_resource resource({shape, node_size, 16, 1, 100}, &upstream, heap);
      for (size_t alignment = 1; alignment <= 2 * HG_ALIGNMENT; alignment *= 2) {
        std::vector<void *> blocks;
        for (int i = 0; i < 40; ++i) {
          blocks.push_back(resource.allocate(node_size, alignment));
          ASSERT_EQ(reinterpret_cast<uintptr_t>(blocks.back()) % alignment, 0u) << node_size << " in shape " << shape;
        }
        hg_pool_stats stats;
        hg_pool_get_stats(resource.pool(), &stats);
        const bool by_nodes = alignment <= sizeof(void *) || (alignment == HG_ALIGNMENT && node_size % HG_ALIGNMENT == 0);
        EXPECT_EQ(stats.nodes_in_use, by_nodes ? 40u : 0u) << node_size << " aligned to " << alignment;
        for (void *const block : blocks) resource.deallocate(block, node_size, alignment);
        EXPECT_EQ(stats_of(upstream_heap).chunks_in_use, 0u);
      }
    }
  }
}

TEST(A1_memory_resource, a_release_resource_gives_everything_back_at_once) {
  SmallHeap heap(512 * 1024);
  release_resource resource(heap, 256);
  for (int round = 0; round < 3; ++round) {
    std::pmr::vector<std::pmr::string> *const vector =
        std::pmr::polymorphic_allocator<>(&resource).new_object<std::pmr::vector<std::pmr::string>>();
    for (int i = 0; i < 200; ++i) vector->emplace_back("never destroyed, and never leaked: the resource has it all");
    EXPECT_GT(resource.blocks(), 3u);
    EXPECT_EQ(stats_of(heap).chunks_in_use, resource.blocks());
    EXPECT_EQ((*vector)[199].substr(0, 5), "never");
    resource.release();
    EXPECT_EQ(resource.blocks(), 0u);
    EXPECT_EQ(stats_of(heap).chunks_in_use, 0u);
  }
  for (size_t alignment = 1; alignment <= 1024; alignment *= 2) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(resource.allocate(3, alignment)) % alignment, 0u);
  }
}

TEST(A1_memory_resource, a_pool_and_a_release_resource_are_equal_to_themselves_alone) {
  SmallHeap heap(64 * 1024);
  heap_resource upstream(heap);
  const hg_pool_options options = {HG_SHAPE_segregated, 32, 4, 1, 10};
  pool_resource pool(options, &upstream, heap), other_pool(options, &upstream, heap);
  release_resource released(heap), other_released(heap);
  std::pmr::memory_resource *const all[] = {&pool, &other_pool, &released, &other_released};
  for (const std::pmr::memory_resource *one : all) {
    for (const std::pmr::memory_resource *other : all) EXPECT_EQ(one->is_equal(*other), one == other);
  }
}

// 1000, 1500, 2250 ... bytes; a request that is larger than the next block has one of its own size.
TEST(A1_memory_resource, each_block_of_a_release_resource_is_half_as_large_again_as_the_one_before) {
  SmallHeap heap(512 * 1024);
  release_resource resource(heap, 1000);
  const auto chunk = [](size_t bytes) { return (bytes + sizeof(size_t) + HG_ALIGNMENT - 1) / HG_ALIGNMENT * HG_ALIGNMENT; };
  for (int round = 0; round < 2; ++round) {
    size_t next = 1000;
    for (size_t blocks = 1; blocks <= 8; ++blocks) {
      const size_t before = stats_of(heap).in_use;
      while (resource.blocks() < blocks) static_cast<void>(resource.allocate(8, 8));
      EXPECT_EQ(stats_of(heap).in_use - before, chunk(next)) << "block " << blocks;
      next += next / 2;
    }
    const size_t before = stats_of(heap).in_use;
    static_cast<void>(resource.allocate(2 * next, 8));
    EXPECT_EQ(resource.blocks(), 9u);
    EXPECT_EQ(stats_of(heap).in_use - before, chunk(sizeof(void *) + 8 + 2 * next)) << "link, alignment and what was asked for";
    resource.release();
  }
}

}  // namespace
}  // namespace adaptor_tests

#endif
