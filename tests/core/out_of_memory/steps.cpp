#include "steps.hpp"

#include <heapglass/event.h>

#include <algorithm>
#include <cstring>

namespace out_of_memory_tests {

namespace {
constexpr const char *kNames[Life::kSteps] = {
    "allocate",        "allocate large",      "allocate_zeroed", "allocate_aligned",  "reallocate",
    "in place",        "command fwd",         "command fwd new", "command all ways",  "burst_nodes",
    "burst_arrays",    "independent_calloc",  "segregated pool", "adaptive pool",
};
}

const char *Life::name_of(size_t step) { return kNames[step]; }

bool Life::keep(void *mem) {
  if (mem == nullptr) return false;
  const Held held{static_cast<unsigned char *>(mem), hg_usable_size(mem), next_mark_++};
  memset(held.mem, held.mark, held.bytes);
  held_.push_back(held);
  return true;
}

bool Life::keep_chain(hg_chain chain) {
  std::vector<void *> elements;
  for (void *mem = chain.first; mem != nullptr; mem = hg_chain_next(mem)) elements.push_back(mem);
  for (void *mem : elements) keep(mem);
  return !elements.empty();
}

void Life::lose(size_t index) { held_.erase(held_.begin() + static_cast<ptrdiff_t>(index)); }

bool Life::use_pool(uint32_t shape, size_t round) {
  if (pools_.size() < 3 || round % 8 == 0) {
    const hg_pool_options options{shape, 48, 200, 1, 5};
    hg_pool *made = hg_pool_create(heap_, &options);
    if (made == nullptr) return false;
    pools_.push_back({made, {}});
  }
  HeldPool &pool = pools_[round % pools_.size()];
  hg_chain chain;
  hg_chain_init(&chain);
  const size_t count = 300 + 40 * round;
  const bool got = hg_pool_burst(pool.pool, count, &chain) == count;
  for (void *node = chain.first; node != nullptr; node = hg_chain_next(node)) pool.nodes.push_back(node);
  if (!got) return false;
  void *one = hg_pool_allocate(pool.pool);
  if (one != nullptr) pool.nodes.push_back(one);
  return one != nullptr;
}

bool Life::perform(size_t step, size_t round) {
  const size_t bytes = 9000 + 3000 * round;
  hg_chain chain;
  hg_chain_init(&chain);
  bool worked = false;
  switch (step) {
    case 0: worked = keep(hg_heap_allocate(heap_, 500 + round)); break;
    case 1: worked = keep(hg_heap_allocate(heap_, 4 * bytes)); break;
    case 2: worked = keep(hg_heap_allocate_zeroed(heap_, 9, bytes / 9)); break;
    case 3: worked = keep(hg_heap_allocate_aligned(heap_, 4096, bytes)); break;
    case 4: {
      if (held_.empty()) return true;
      void *mem = hg_heap_reallocate(heap_, held_.back().mem, held_.back().bytes + bytes);
      worked = mem != nullptr;
      if (worked) {
        lose(held_.size() - 1);
        keep(mem);
      }
      break;
    }
    case 5: {
      if (held_.empty()) return true;
      void *mem = hg_heap_reallocate_in_place(heap_, held_.back().mem, held_.back().bytes + bytes);
      worked = mem != nullptr;
      if (worked) {
        lose(held_.size() - 1);
        keep(mem);
      }
      break;
    }
    case 6:
    case 7:
    case 8: {
      if (held_.empty()) return true;
      const uint32_t flags = step == 6 ? HG_EXPAND_FWD : step == 7 ? HG_EXPAND_FWD | HG_ALLOCATE_NEW
          : HG_EXPAND_FWD | HG_EXPAND_BWD | HG_ALLOCATE_NEW;
      const size_t index = step == 6 ? held_.size() - 1 : round % held_.size();
      const size_t limit = (held_[index].bytes + bytes) / 24;
      const hg_command_result result = hg_heap_command(heap_, flags, 24, limit, 2 * limit, held_[index].mem);
      worked = result.mem != nullptr;
      if (result.status != hg_heap_status(heap_)) return false;
      if (worked && result.reused) lose(index);
      if (worked) keep(result.mem);
      break;
    }
    case 9: worked = hg_heap_burst_nodes(heap_, 100 + 30 * round, 56, HG_CONTIGUOUS_ALL, &chain) != 0
        && keep_chain(chain); break;
    case 10: {
      const std::vector<size_t> lengths(60 + 10 * round, 20);
      worked = hg_heap_burst_arrays(heap_, lengths.size(), lengths.data(), 8, HG_CONTIGUOUS_DEFAULT, &chain) != 0
          && keep_chain(chain);
      break;
    }
    case 11: {
      std::vector<void *> blocks(70);
      worked = hg_heap_independent_calloc(heap_, blocks.size(), 100, blocks.data()) != nullptr;
      for (void *mem : blocks) keep(mem);
      break;
    }
    case 12: worked = use_pool(HG_SHAPE_segregated, round); break;
    default: worked = use_pool(round % 2 == 0 ? HG_SHAPE_adaptive : HG_SHAPE_aligned_only, round);
  }
  refused_ = !worked;
  // A pool passes its heap's refusal on; both have a reason.
  refused_status_ = hg_heap_status(heap_);
  return worked;
}

std::string Life::proof() const {
  if (const char *broken = hg_heap_check(heap_)) return broken;
  for (const Held &held : held_) {
    if (hg_usable_size(held.mem) != held.bytes) return "a block changed its size";
    const bool kept = held.mem[0] == held.mark && memcmp(held.mem, held.mem + 1, held.bytes - 1) == 0;
    if (!kept) return "a block lost its contents";
  }
  for (const HeldPool &pool : pools_) {
    hg_pool_stats stats;
    hg_pool_get_stats(pool.pool, &stats);
    if (stats.nodes_in_use != pool.nodes.size()) return "a pool counts other nodes than it gave";
  }
  if (refused_ && refused_status_ != HG_STATUS_out_of_memory && refused_status_ != HG_STATUS_cannot_expand) {
    return "a refused call says " + std::string(hg_status_text(refused_status_));
  }
  return "";
}

size_t Life::free_largest() {
  if (held_.empty()) return 0;
  const auto largest =
      std::max_element(held_.begin(), held_.end(), [](const Held &a, const Held &b) { return a.bytes < b.bytes; });
  const size_t bytes = largest->bytes;
  hg_heap_deallocate(heap_, largest->mem);
  held_.erase(largest);
  return bytes;
}

std::string Life::end() {
  for (const HeldPool &pool : pools_) {
    hg_chain chain;
    hg_chain_init(&chain);
    for (void *node : pool.nodes) hg_chain_push_back(&chain, node);
    hg_pool_burst_deallocate(pool.pool, &chain);
    hg_pool_destroy(pool.pool);
  }
  pools_.clear();
  for (const Held &held : held_) hg_heap_deallocate(heap_, held.mem);
  held_.clear();
  hg_heap_trim(heap_, 0);
  if (const char *broken = hg_heap_check(heap_)) return broken;
  hg_heap_stats stats;
  hg_heap_get_stats(heap_, &stats);
  if (stats.chunks_in_use != 0) return "chunks in use after all was freed";
  return stats.chunks_free == 1 ? "" : "not one free chunk after all was freed";
}

}  // namespace out_of_memory_tests
