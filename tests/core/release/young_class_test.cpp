// A class that has no slab yet has chunks, which wait in the same magazines as blocks of slabs. Here, where nothing else calls malloc: a class
// that had a slab once stays one that has.
#include "malloc/cache_lists.hpp"
#include "malloc/malloc_rig.hpp"

namespace heapglass_test {
namespace {

using YoungClass = MallocRig;

TEST_F(YoungClass, AChunkThatWaitsInAMagazineCountsWithItsHeader) {
  for (const std::size_t size : {20, 60, 108, 124}) {
    unsigned char *const mem = take(size);
    ASSERT_FALSE(heapglass::is_slab_block(mem)) << size;
    const std::size_t bytes = hg_malloc_usable_size(mem) + kWordBytes, before = malloc_stats().cached;
    hg_free(mem);
    EXPECT_EQ(malloc_stats().cached, before + bytes) << size;
  }
}

}  // namespace
}  // namespace heapglass_test
