// A block before top: every size up to the end of memory, and what is left behind it.
#include "heap_fixture.hpp"

namespace heapglass_test {
namespace {

using Fixed = FixedHeap;

constexpr std::size_t kLeastBytes = 4 * kWordBytes;  // bytes of a chunk

TEST_F(Fixed, ABlockTakesOfTopUntilLessThanAChunkWouldBeLeftAndThenAll) {
  void *const mem = hg_heap_allocate(heap, 1000);
  const std::size_t whole = chunk_bytes(1000) + stats_of(heap).top_bytes;
  for (std::size_t rest = 0; rest <= 3 * kLeastBytes; rest += kAlignBytes) {
    const std::size_t size = whole - rest;
    ASSERT_EQ(hg_heap_reallocate_in_place(heap, mem, request_of(size)), mem) << rest;
    EXPECT_EQ(stats_of(heap).top_bytes, rest < kLeastBytes ? 0 : rest) << rest;
    EXPECT_EQ(hg_usable_size(mem), request_of(rest < kLeastBytes ? whole : size)) << rest;
    HG_EXPECT_SOUND(heap);
    ASSERT_EQ(hg_heap_reallocate_in_place(heap, mem, 1000), mem) << rest;
    EXPECT_EQ(stats_of(heap).top_bytes, whole - chunk_bytes(1000)) << rest;
    HG_EXPECT_SOUND(heap);
  }
  for (const std::size_t more : {kAlignBytes, std::size_t{100'000}}) {  // a fixed heap has no source of memory
    EXPECT_EQ(hg_heap_reallocate_in_place(heap, mem, request_of(whole + more)), nullptr);
    EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_cannot_expand));
  }
  hg_heap_deallocate(heap, mem);
}

TEST_F(Fixed, AnAlignmentThatNoHeapHasIsTooLarge) {
  for (unsigned power = 8 * sizeof(std::size_t) - 1; (std::size_t{1} << power) > HG_ALIGNMENT; --power) {
    const std::size_t alignment = std::size_t{1} << power;
    const bool possible = alignment < 0xf000'0000u;
    for (const std::size_t request : {std::size_t{1}, std::size_t{0xf000'0000u}}) {
      void *const mem = hg_heap_allocate_aligned(heap, alignment, request);
      if (mem != nullptr) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mem) % alignment, 0u);
        hg_heap_deallocate(heap, mem);
      } else if (!possible || request + alignment > 0xffff'0000u) {
        EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_too_large)) << power << ' ' << request;
      } else {
        EXPECT_EQ(hg_heap_status(heap), static_cast<std::uint32_t>(HG_STATUS_out_of_memory)) << power << ' ' << request;
      }
    }
  }
}

}  // namespace
}  // namespace heapglass_test
