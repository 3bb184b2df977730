// What proves a free chunk of a hardened heap before it is taken: the header behind it, which is that of a block (malloc.P4).
#include <gtest/gtest.h>
#include <heapglass/malloc.h>

#include "chunk/chunk.hpp"

namespace heapglass_test {
namespace {

constexpr size_t kLarge = 40'000;

TEST(FreeChunk, NoFreeChunkLiesBehindAnother) {
  void *const first = hg_malloc(kLarge);
  void *const second = hg_malloc(kLarge);
  void *const behind = hg_malloc(100);
  heapglass::Chunk *const c = heapglass::chunk_of(second);
  const heapglass::Word size = heapglass::size_of(c);
  hg_free(first);
  ASSERT_FALSE(heapglass::prev_in_use(c));
  c->head = size;  // whole but for P: a free chunk has a block before it
  heapglass::set_foot(c, size);
  EXPECT_DEATH(hg_malloc(kLarge), "damaged");
  c->head = size | heapglass::kInUse;
  EXPECT_EQ(hg_malloc(kLarge), first);
  for (void *const mem : {first, second, behind}) hg_free(mem);
}

}  // namespace
}  // namespace heapglass_test
