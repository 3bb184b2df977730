#include "soak_operations.hpp"

#include <algorithm>

namespace heapglass_test {
namespace {

std::size_t some_size(Random &random) {
  switch (random.below(8)) {
    case 0: return random.below(16);
    case 1: return random.below(20000);
    case 2: return random.below(3000);
    default: return random.below(400);
  }
}

void add_chain(Twin &twin, hg_chain chain, const std::vector<std::size_t> &at_least) {
  for (std::size_t i = 0; i < at_least.size(); ++i) {
    void *const mem = hg_chain_pop_front(&chain);
    twin.add(mem, hg_usable_size(mem), at_least[i]);
  }
  ASSERT_EQ(chain.count, 0u);
  ASSERT_EQ(chain.last, nullptr);
}

void run_command(Twin &twin, Random &random) {
  const std::size_t object = 1 + random.below(40);
  std::uint32_t flags = random.below(8);
  if (random.below(4) == 0) flags = random.below(2) == 0 ? HG_SHRINK_IN_PLACE : HG_TRY_SHRINK_IN_PLACE;
  if (flags == 0) flags = HG_ALLOCATE_NEW;
  if (twin.size() == 0 || flags == HG_ALLOCATE_NEW) {
    const std::size_t preferred = some_size(random) / object;
    const hg_command_result result =
        hg_heap_command(twin.heap(), HG_ALLOCATE_NEW, object, preferred / 2, preferred, nullptr);
    if (result.mem == nullptr) return;
    ASSERT_EQ(result.reused, 0u);
    ASSERT_GE(result.received, preferred / 2);
    ASSERT_GE(hg_usable_size(result.mem), result.received * object);
    twin.add(result.mem, hg_usable_size(result.mem), result.received * object);
    return;
  }
  const auto [mem, block] = twin.take(random);
  const std::size_t now = block.bytes / object;
  if (flags == HG_SHRINK_IN_PLACE || flags == HG_TRY_SHRINK_IN_PLACE) {
    const std::size_t preferred = random.below(static_cast<std::uint32_t>(now + 1));
    const std::size_t limit = preferred + random.below(static_cast<std::uint32_t>(now + 1));
    if (flags == HG_TRY_SHRINK_IN_PLACE) {
      const hg_command_result asked = hg_heap_command(twin.heap(), flags, object, limit, preferred, mem);
      ASSERT_EQ(hg_usable_size(mem), block.bytes);
      const hg_command_result done =
          hg_heap_command(twin.heap(), HG_SHRINK_IN_PLACE, object, asked.received, preferred, mem);
      ASSERT_EQ(done.mem, mem) << "A4: what try_shrink received succeeds as limit";
      ASSERT_EQ(done.received, asked.received);
    } else {
      const hg_command_result done = hg_heap_command(twin.heap(), flags, object, limit, preferred, mem);
      if (done.mem != nullptr) {
        ASSERT_GE(done.received, preferred);
        ASSERT_LE(done.received, limit);
      } else {
        ASSERT_EQ(hg_usable_size(mem), block.bytes);
      }
    }
    twin.expect_contents(mem, hg_usable_size(mem), block.fill);
    twin.add(mem, hg_usable_size(mem), preferred * object);
    return;
  }
  const std::size_t preferred = now + random.below(static_cast<std::uint32_t>(2 * now + 50));
  const std::size_t limit = random.below(static_cast<std::uint32_t>(preferred + 1));
  const hg_command_result result = hg_heap_command(twin.heap(), flags, object, limit, preferred, mem);
  twin.expect_contents(mem, block.bytes, block.fill);
  if (result.mem == nullptr) {
    ASSERT_LT(result.received, limit);
    ASSERT_EQ(hg_usable_size(mem), block.bytes);
    twin.put_back({mem, block});
    const hg_command_result again =
        hg_heap_command(twin.heap(), flags, object, result.received, preferred, result.received != 0 ? mem : nullptr);
    if (result.received != 0) {
      ASSERT_NE(again.mem, nullptr) << "X3: what a failure received can be met";
      ASSERT_GE(again.received, result.received);
      if (again.reused == 0) {
        twin.add(again.mem, hg_usable_size(again.mem), 0);
      } else {
        twin.forget(mem);
        twin.add(again.mem, hg_usable_size(again.mem), again.received * object);
      }
    }
    return;
  }
  ASSERT_GE(result.received, limit);
  if (result.reused == 0) {
    twin.put_back({mem, block});
    twin.add(result.mem, hg_usable_size(result.mem), result.received * object);
    return;
  }
  auto *const start = static_cast<unsigned char *>(result.mem);
  ASSERT_LE(start, mem);
  ASSERT_EQ(static_cast<std::size_t>(mem - start) % object, 0u) << "A3";
  ASSERT_EQ(static_cast<std::size_t>(mem - start) % kAlignBytes, 0u) << "A3";
  if (start != mem) { ASSERT_NE(flags & HG_EXPAND_BWD, 0u); }
  twin.add(result.mem, hg_usable_size(result.mem), result.received * object);
}

void free_some(Twin &twin, Random &random) {
  hg_chain chain;
  hg_chain_init(&chain);
  for (std::uint32_t n = random.below(20); n != 0 && twin.size() != 0; --n) {
    void *const mem = twin.take(random).first;
    if (random.below(2) == 0) hg_chain_push_back(&chain, mem); else hg_chain_push_front(&chain, mem);
  }
  hg_heap_burst_deallocate(twin.heap(), &chain);
  ASSERT_EQ(chain.count, 0u);
}

}  // namespace

void perform_one(Twin &twin, Random &random, std::size_t most) {
  hg_heap *const heap = twin.heap();
  const std::uint32_t choice = twin.size() > most ? 3 : random.below(14);
  const std::size_t size = some_size(random);
  switch (choice) {
    case 0: case 1: case 2: {
      void *const mem = hg_heap_allocate(heap, size);
      if (mem != nullptr) twin.add(mem, hg_usable_size(mem), size);
      break;
    }
    case 3: case 4: case 5:
      if (twin.size() != 0) hg_heap_deallocate(heap, twin.take(random).first);
      break;
    case 6: {
      const std::size_t alignment = std::size_t{1} << random.below(13);
      void *const mem = hg_heap_allocate_aligned(heap, alignment, size);
      if (mem == nullptr) break;
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(mem) % alignment, 0u);
      twin.add(mem, hg_usable_size(mem), size);
      break;
    }
    case 7: {
      void *const mem = hg_heap_allocate_zeroed(heap, size / 8, 8);
      if (mem == nullptr) break;
      twin.expect_contents(mem, size / 8 * 8, 0);
      twin.add(mem, hg_usable_size(mem), size / 8 * 8);
      break;
    }
    case 8: case 9: {
      if (twin.size() == 0) break;
      const auto [mem, block] = twin.take(random);
      const bool in_place = choice == 9;
      void *const moved = in_place ? hg_heap_reallocate_in_place(heap, mem, size) : hg_heap_reallocate(heap, mem, size + 1);
      if (moved == nullptr) {
        twin.expect_contents(mem, block.bytes, block.fill);
        twin.put_back({mem, block});
        break;
      }
      if (in_place) { ASSERT_EQ(moved, mem); }
      twin.expect_contents(moved, std::min(block.bytes, hg_usable_size(moved)), block.fill);
      twin.add(moved, hg_usable_size(moved), size);
      break;
    }
    case 10: {
      hg_chain chain;
      hg_chain_init(&chain);
      const std::size_t count = random.below(40);
      const std::size_t bytes = random.below(200);
      const std::size_t runs[] = {HG_CONTIGUOUS_ALL, HG_CONTIGUOUS_DEFAULT, 1, 1 + random.below(10)};
      const std::size_t made = hg_heap_burst_nodes(heap, count, bytes, runs[random.below(4)], &chain);
      ASSERT_EQ(made, chain.count);
      if (made != 0) add_chain(twin, chain, std::vector<std::size_t>(count, bytes));
      break;
    }
    case 11: {
      hg_chain chain;
      hg_chain_init(&chain);
      const std::size_t object = 1 + random.below(24);
      std::vector<std::size_t> lengths(random.below(20));
      std::vector<std::size_t> bytes;
      for (std::size_t &n : lengths) bytes.push_back((n = random.below(40)) * object);
      const std::size_t runs[] = {HG_CONTIGUOUS_ALL, HG_CONTIGUOUS_DEFAULT, 1, 1 + random.below(100)};
      const std::size_t made =
          hg_heap_burst_arrays(heap, lengths.size(), lengths.data(), object, runs[random.below(4)], &chain);
      ASSERT_EQ(made, chain.count);
      if (made != 0) add_chain(twin, chain, bytes);
      break;
    }
    case 12:
      if (random.below(3) == 0) hg_heap_trim(heap, random.below(2) * random.below(100000));
      else free_some(twin, random);
      break;
    default:
      run_command(twin, random);
      break;
  }
}

}  // namespace heapglass_test
