// Misuse of malloc in the checked build: each ends in the failure hook, with its kind, the address and the size of
// the chunk or what was found.
#include <heapglass/malloc.h>

#include <cstdio>
#include <cstring>

#include "checked/failure_catcher.hpp"

namespace malloc_guard_tests {
namespace {

using checked_tests::catch_failure;
using checked_tests::Caught;

constexpr size_t kWord = sizeof(size_t);
constexpr size_t kLargestCached = 5000;  // of the sizes below
constexpr size_t kSizes[] = {1, 16, 24, 100, 1000, 5000, 60000, 300000};

char *take(size_t size) { return static_cast<char *>(hg_malloc(size)); }

std::string hexadecimal(size_t n) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", n);
  return text;
}

// The failure has that kind and address, and a text that names the kind.
Caught expect_found(const Caught &caught, uint32_t kind, const void *address) {
  EXPECT_EQ(caught.kind, kind) << "found: " << checked_tests::text_of(caught.kind) << " " << caught.text;
  EXPECT_EQ(caught.text.rfind(checked_tests::text_of(kind), 0), 0u) << caught.text;
  EXPECT_NE(caught.text.find(" at 0x"), std::string::npos) << caught.text;
  if (address != nullptr) { EXPECT_EQ(caught.address, address) << caught.text; }
  return caught;
}

// What only reads, and leaves everything as it was.
class MallocGuard : public ::testing::Test {
 protected:
  void TearDown() override {
    hg_malloc_flush();
    EXPECT_STREQ(hg_heap_check(nullptr), nullptr);
    hg_malloc_stats stats;
    hg_malloc_get_stats(&stats);
    EXPECT_EQ(stats.in_use, 0u);
  }
};

TEST_F(MallocGuard, ABlockFreedTwiceIsADoubleFreeNamedWithTheSizeItIsCachedWith) {
  for (const size_t size : kSizes) {
    char *const mem = take(size);
    char *const other = take(size);
    const size_t chunk = hg_malloc_usable_size(mem) + kWord;
    hg_free(mem);
    const Caught caught = expect_found(catch_failure([&] { hg_free(mem); }), checked_tests::k_double_free, mem);
    if (size <= kLargestCached) { EXPECT_NE(caught.text.find(hexadecimal(chunk)), std::string::npos) << caught.text; }
    hg_free(other);
    expect_found(catch_failure([&] { hg_free(mem); }), checked_tests::k_double_free, mem);
    hg_malloc_flush();
    expect_found(catch_failure([&] { hg_free(mem); }), checked_tests::k_double_free, mem);
  }
}

TEST_F(MallocGuard, ALargeBlockFreedTwiceIsADoubleFree) {
  char *const mem = take(5 << 20);
  hg_free(mem);
  expect_found(catch_failure([&] { hg_free(mem); }), checked_tests::k_double_free, mem);
}

TEST_F(MallocGuard, ABlockFreedTwiceInABulkIsADoubleFree) {
  char *const mem = take(50);
  void *blocks[] = {mem, mem};
  expect_found(catch_failure([&] { hg_bulk_free(blocks, 2); }), checked_tests::k_double_free, mem);
}

TEST_F(MallocGuard, ReallocatingAFreedBlockIsADoubleFree) {
  for (const size_t size : kSizes) {
    char *const mem = take(size);
    char *const wall = take(1);
    hg_free(mem);
    expect_found(catch_failure([&] { hg_realloc(mem, size * 2); }), checked_tests::k_double_free, mem);
    expect_found(catch_failure([&] { hg_realloc(mem, size); }), checked_tests::k_double_free, mem);
    expect_found(catch_failure([&] { hg_realloc(mem, 1); }), checked_tests::k_double_free, mem);
    expect_found(catch_failure([&] { hg_realloc_in_place(mem, size * 2); }), checked_tests::k_double_free, mem);
    hg_free(wall);
    hg_malloc_flush();
  }
}

TEST_F(MallocGuard, AskingForTheSizeOfAFreedBlockIsADoubleFree) {
  char *const mem = take(100);
  hg_free(mem);
  expect_found(catch_failure([&] { static_cast<void>(hg_malloc_usable_size(mem)); }), checked_tests::k_double_free, mem);
  hg_malloc_flush();
  expect_found(catch_failure([&] { static_cast<void>(hg_malloc_usable_size(mem)); }), checked_tests::k_double_free, mem);
}

TEST_F(MallocGuard, AHeapThatHasEndedIsNamed) {
  hg_heap *const heap = hg_heap_create();
  hg_heap_destroy(heap);
  const auto must_be_named = [heap](auto call) {
    const Caught caught = expect_found(catch_failure(call), checked_tests::k_foreign_pointer, heap);
    EXPECT_NE(caught.text.find("no heap is there"), std::string::npos) << caught.text;
  };
  must_be_named([heap] { hg_heap_allocate(heap, 8); });
  must_be_named([heap] { hg_heap_destroy(heap); });
}

TEST_F(MallocGuard, TheHeapsQuestionForASizeProvesTheBlock) {
  char *const mem = take(100);
  EXPECT_EQ(hg_usable_size(mem), hg_malloc_usable_size(mem));
  expect_found(catch_failure([&] { static_cast<void>(hg_usable_size(mem + 8 * kWord)); }), checked_tests::k_misaligned_pointer, mem + 8 * kWord);
  hg_free(mem);
  expect_found(catch_failure([&] { static_cast<void>(hg_usable_size(mem)); }), checked_tests::k_double_free, mem);
}

// Also if it leaves the bit as it is that says that the block before is in use.
TEST_F(MallocGuard, EachByteBehindABlockThatChangesTheNextOnesSizeIsFoundWhenItIsFreed) {
  char *const mem = take(60000);
  char *const next = take(60000);
  char *const last = take(60000);
  ASSERT_EQ(next, mem + hg_malloc_usable_size(mem) + kWord) << "side by side";
  char &behind = next[-static_cast<int>(kWord)];
  const char right = behind;
  for (int byte = 0; byte < 256; ++byte) {
    if ((byte ^ (right & 0xff)) < 16) continue;
    behind = static_cast<char>(byte);
    const uint32_t kind = catch_failure([&] { hg_free(mem); }).kind;
    behind = right;
    ASSERT_TRUE(kind == checked_tests::k_damaged_header || kind == checked_tests::k_damaged_tag) << byte << ": " << kind;
  }
  for (char *one : {mem, next, last}) hg_free(one);
}

// The heap's functions take blocks of malloc, so they must know those that are cached.
TEST_F(MallocGuard, GivingAFreedBlockToTheHeapIsADoubleFree) {
  char *const mem = take(100);
  char *const wall = take(1);
  hg_free(mem);
  expect_found(catch_failure([&] { hg_heap_deallocate(nullptr, mem); }), checked_tests::k_double_free, mem);
  expect_found(catch_failure([&] { hg_heap_reallocate(nullptr, mem, 500); }), checked_tests::k_double_free, mem);
  expect_found(catch_failure([&] { hg_heap_command(nullptr, HG_EXPAND_FWD, 1, 150, 200, mem); }), checked_tests::k_double_free,
               mem);
  hg_free(wall);
}

TEST_F(MallocGuard, MemoryThatIsNobodysIsAForeignPointer) {
  alignas(16) static char in_static[64] = {};
  alignas(16) char on_stack[64] = {};
  hg_free(take(10));
  expect_found(catch_failure([&] { hg_free(in_static + 16); }), checked_tests::k_foreign_pointer, in_static + 16);
  expect_found(catch_failure([&] { hg_free(on_stack + 16); }), checked_tests::k_foreign_pointer, on_stack + 16);
  expect_found(catch_failure([&] { hg_realloc(on_stack + 16, 100); }), checked_tests::k_foreign_pointer, on_stack + 16);
  expect_found(catch_failure([&] { hg_realloc_in_place(on_stack + 16, 100); }), checked_tests::k_foreign_pointer, on_stack + 16);
  expect_found(catch_failure([&] { static_cast<void>(hg_malloc_usable_size(on_stack + 16)); }), checked_tests::k_foreign_pointer,
               on_stack + 16);
}

TEST_F(MallocGuard, ABlockOfAnotherHeapIsAForeignPointer) {
  hg_heap *const heap = hg_heap_create();
  void *const mem = hg_heap_allocate(heap, 100);
  expect_found(catch_failure([&] { hg_free(mem); }), checked_tests::k_foreign_pointer, mem);
  hg_heap_destroy(heap);
}

TEST_F(MallocGuard, APointerIntoABlockIsMisaligned) {
  char *const mem = take(300);
  memset(mem, 0, 300);
  expect_found(catch_failure([&] { hg_free(mem + 1); }), checked_tests::k_misaligned_pointer, mem + 1);
  expect_found(catch_failure([&] { hg_free(mem + kWord); }), checked_tests::k_misaligned_pointer, mem + kWord);
  expect_found(catch_failure([&] { hg_free(mem + 4 * kWord); }), checked_tests::k_misaligned_pointer, mem + 4 * kWord);
  expect_found(catch_failure([&] { hg_realloc(mem + 4 * kWord, 10); }), checked_tests::k_misaligned_pointer, mem + 4 * kWord);
  hg_free(mem);
}

TEST_F(MallocGuard, NewAndFreedBlocksAreFilled) {
  for (const size_t size : kSizes) {
    for (int reused = 0; reused < 2; ++reused) {
      unsigned char *const mem = reinterpret_cast<unsigned char *>(take(size));
      const size_t usable = hg_malloc_usable_size(mem);
      for (size_t i = 0; i < usable; ++i) ASSERT_EQ(mem[i], 0xa5) << size;
      memset(mem, 0x11, usable);
      hg_free(mem);
      for (size_t i = 3 * kWord; i < usable; ++i) ASSERT_EQ(mem[i], 0xdd) << size;
    }
  }
}

TEST_F(MallocGuard, NothingIsFoundWhereThereIsNothing) {
  const Caught caught = catch_failure([] {
    char *mem = take(100);
    mem = static_cast<char *>(hg_realloc(mem, 10000));
    mem = static_cast<char *>(hg_realloc(mem, 50));
    hg_free(mem);
    hg_free(hg_calloc(7, 9));
    hg_free(hg_memalign(4096, 100));
    hg_free(hg_heap_allocate(nullptr, 77));
    hg_heap_deallocate(nullptr, take(77));
    hg_malloc_flush();
    void *blocks[] = {take(1), nullptr, take(70000)};
    hg_bulk_free(blocks, 3);
  });
  EXPECT_EQ(caught.kind, checked_tests::kNothing) << caught.text;
}

// ---- damage: the heap is broken then, so all of it happens in a process that dies ----

void print_failure(uint32_t, const void *, const char *text) { std::fprintf(stderr, "%s\n", text); }

using MallocGuardDeathTest = MallocGuard;

TEST_F(MallocGuardDeathTest, WritingOverTheEndOfABlockIsFoundWhenItIsFreed) {
  for (const int byte : {0, 0x41, 0xff}) {
    EXPECT_DEATH(
        {
          hg_set_failure_hook(print_failure);
          char *const mem = take(100);
          take(100);
          memset(mem, byte, hg_malloc_usable_size(mem) + kWord);
          hg_free(mem);
        },
        "damaged (header|boundary tag).* at 0x")
        << byte;
  }
}

TEST_F(MallocGuardDeathTest, WritingOverTheEndOfABlockIsFoundWhenItsNeighbourIsFreed) {
  for (const int byte : {0, 0x41, 0xff}) {
    EXPECT_DEATH(
        {
          hg_set_failure_hook(print_failure);
          char *const mem = take(100);
          char *const next = take(100);
          take(100);
          memset(mem, byte, hg_malloc_usable_size(mem) + kWord);
          hg_free(next);
        },
        "damaged (header|boundary tag).* at 0x")
        << byte;
  }
}

TEST_F(MallocGuardDeathTest, ALinkWrittenOverAfterTheFreeIsFoundWhenTheBlockIsTaken) {
  EXPECT_DEATH(
      {
        hg_set_failure_hook(print_failure);
        char *const mem = take(100);
        hg_free(mem);
        memset(mem, 'B', kWord);
        take(100);
      },
      "damaged free-list link.* at 0x.*0x");
}

TEST_F(MallocGuardDeathTest, ALinkLeadingToABlockInUseIsFound) {
  EXPECT_DEATH(
      {
        hg_set_failure_hook(print_failure);
        char *const mem = take(100);
        char *const used = take(100);
        hg_free(mem);
        memcpy(mem, &used, kWord);
        take(100);
      },
      "damaged free-list link");
}

TEST_F(MallocGuardDeathTest, AnyByteWrittenAfterTheFreeIsFoundWhenTheBlockIsTaken) {
  for (const size_t at : {kWord, 2 * kWord, 3 * kWord, size_t{50}, size_t{100}}) {
    EXPECT_DEATH(
        {
          hg_set_failure_hook(print_failure);
          char *const mem = take(100);
          hg_free(mem);
          mem[at] = 'C';
          take(100);
        },
        "damaged free-list link.* at 0x")
        << at;
  }
}

TEST_F(MallocGuardDeathTest, AnyByteWrittenAfterTheFreeIsFoundWhenTheCacheIsFlushed) {
  for (const size_t at : {size_t{0}, kWord, 2 * kWord, 3 * kWord, size_t{50}, size_t{100}}) {
    EXPECT_DEATH(
        {
          hg_set_failure_hook(print_failure);
          char *const mem = take(100);
          take(100);
          hg_free(mem);
          mem[at] = 'D';
          hg_malloc_flush();
        },
        "damaged free-list link.* at 0x")
        << at;
  }
}

TEST_F(MallocGuardDeathTest, WithoutAHookTheTextGoesToStandardErrorAndTheProgramTraps) {
  EXPECT_DEATH(
      {
        char *const mem = take(100);
        hg_free(mem);
        hg_free(mem);
      },
      "^heapglass: double free: the chunk is free already at 0x.*\n$");
}

TEST_F(MallocGuardDeathTest, AnyByteOfAFreeChunkOfTheHeapIsFoundWhenTheChunkIsTaken) {
  for (const size_t at : {3 * kWord, size_t{50}, size_t{59'990}}) {
    EXPECT_DEATH(
        {
          char *const mem = take(60'000);
          take(100);
          hg_free(mem);
          hg_malloc_flush();
          mem[at] = 'E';
          take(60'000);
        },
        "heapglass: damaged free-list link: a free chunk was written to at 0x")
        << at;
  }
}

}  // namespace
}  // namespace malloc_guard_tests
