// How long a slab is (slabs.S3).
#include "hardened/slab_rig.hpp"

namespace heapglass_test {

// Of a class that has far more than eight slabs.
TEST(Slab, OfTheLengthsNearTheLongestTheOneThatWastesLeastIsTaken) {
  const auto wasted = [](size_t steps, size_t bytes) {
    const size_t room = steps * heapglass::kSlabStep - heapglass::kSlabHead;
    return room - (room - sizeof(size_t)) / bytes * bytes + heapglass::kSlabHead;
  };
  size_t shorter = 0;
  for (size_t size = 80; size < heapglass::kMaxSlabRequest; size += 16) {  // the last class is young for another test
    std::vector<void *> blocks(1200);
    for (void *&mem : blocks) mem = hg_malloc(size);
    const Slab *newest = nullptr;
    for (void *const mem : blocks) newest = slab_of(mem) != nullptr ? slab_of(mem) : newest;
    ASSERT_NE(newest, nullptr);
    const size_t steps = heapglass::steps_of(newest);
    EXPECT_EQ(steps, wasted(3, size) * 4 < wasted(4, size) * 3 ? 3u : 4u) << size;
    shorter += steps == 3 ? 1 : 0;
    for (void *const mem : blocks) hg_free(mem);
    hg_malloc_flush();
  }
  EXPECT_GT(shorter, 0u);
}

}  // namespace heapglass_test
