// malloc on the default heap, by itself and among the heap's own functions, with memory that runs out. In the checked build several
// played threads' caches and the central lists between them; in the others, which have slabs, one thread.
//
//  F1  what any function returns overlaps nothing the twin has out, is aligned and large enough, and its contents stay.
//  F2  a refused call leaves what is in its block as it was, and the block not smaller.
//  F3  once all is freed and the caches are flushed, nothing is in use, and the heap gives all pages but its first back.
//  F4  a walk finds the blocks of the twin in use, and no others (builds with probes and slabs).
#include <heapglass/event.h>
#include <heapglass/malloc.h>

#include <set>

#include "base/address.hpp"
#include "byte_source.hpp"
#include "contract/pattern.hpp"
#include "contract/report.hpp"
#include "contract/twin.hpp"
#include "limited_memory.hpp"
#include "targets.hpp"

namespace fuzz {

namespace {

using contract::expect;

#if HG_CHECKED
constexpr bool kSlabs = false;
constexpr uint32_t kThreads = 4;
void play_thread(uint32_t number) { hg_malloc_play_thread(number); }
#else
constexpr bool kSlabs = true;
constexpr uint32_t kThreads = 1;
void play_thread(uint32_t) {}  // once a thread was played there are no new slabs
#endif
constexpr uint32_t kCheckEvery = 32;
constexpr uint32_t kMostOperations = 4096;

uintptr_t address_of(const void *mem) { return reinterpret_cast<uintptr_t>(mem); }

hg_heap_stats statistics() {
  hg_heap_stats stats;
  hg_heap_get_stats(nullptr, &stats);
  return stats;
}

void settle() {
  for (uint32_t thread = kThreads; thread >= 1; --thread) {
    play_thread(thread);
    hg_malloc_flush();
  }
  hg_malloc_trim(0);
}

class MallocRun {
 public:
  MallocRun(const uint8_t *bytes, size_t count) : from_((prepare_memory(), settle(), bytes), count), memory_(from_.below(64)) {
    contract::report_clear();
    before_ = statistics();  // pools that other targets of the program keep
  }
  ~MallocRun() {
    contract::report_at(operations_, "end");
    check();
    while (twin_.count() > 0) deallocate(operations_);
    settle();
    const hg_heap_stats stats = statistics();
    expect(stats.chunks_in_use == before_.chunks_in_use, "F3 chunks in use", stats.chunks_in_use, before_.chunks_in_use);
    expect(stats.footprint == before_.footprint, "F3 footprint", stats.footprint, before_.footprint);
    check();
  }
  MallocRun(const MallocRun &) = delete;
  MallocRun &operator=(const MallocRun &) = delete;

  void play() {
    while (from_.more() && operations_ < kMostOperations) {
      ++operations_, ++g_operations;
      step(from_.byte());
      if (operations_ % kCheckEvery == 0) check();
    }
  }

 private:
  void step(uint32_t what) {
    const uint32_t high = what / 16;
    switch (what % 16) {
      case 0:
      case 1: return at("malloc", [&] { adopt(hg_malloc(size_ = from_.byte() * (1 + high))); });
      case 2: return at("malloc", [&] { adopt(hg_malloc(size_ = from_.size())); });
      case 3: return at("malloc", [&] { adopt(hg_malloc(size_ = from_.size() * (1 + high))); });
      case 4: return at("calloc", [&] { zeroed(1 + high); });
      case 5: return at("memalign", [&] { aligned(from_.below(18)); });
      case 6:
      case 7:
      case 8: return at("free", [&] { deallocate(from_.byte()); });
      case 9:
      case 10: return at("realloc", [&] { reallocate(from_.byte(), high % 4 == 0); });
      case 11: return at("bulk_free", [&] { bulk(from_.byte()); });
      case 12: return at("heap", [&] { by_the_heap(high); });
      case 13: return at("play_thread", [&] { play_thread(1 + from_.below(kThreads)); });
      case 14: return at("grant", [&] { memory_.grant(from_.below(16)); });
      default:
        if (high < 3) return at("malloc_flush", [] { hg_malloc_flush(); });
        if (high < 5) return at("malloc_trim", [&] { hg_malloc_trim(from_.byte() * 1000); });
        if (high < 6) return at("free", [&] { free_all(); });
        if (high < 14) return at("many", [&] { many(high); });
        return at("check", [&] { check(); });
    }
  }
  template <class Work>
  void at(const char *name, Work work) {
    contract::report_at(operations_, name);
    work();
  }

  // A block of at least size_ bytes, or nothing.
  void adopt(void *mem, size_t alignment = HG_ALIGNMENT) {
    if (mem == nullptr) return;
    const size_t usable = hg_malloc_usable_size(mem);
    expect(usable >= size_ && usable >= 1, "F1 usable size", usable, size_);
    expect(address_of(mem) % alignment == 0 && address_of(mem) % HG_ALIGNMENT == 0, "F1 alignment", address_of(mem), alignment);
    twin_.insert(mem, usable, ++seed_);
  }
  void zeroed(size_t count) {
    const size_t each = from_.byte();
    size_ = count * each;
    void *const mem = hg_calloc(count, each);
    expect(mem == nullptr || contract::is_zero(mem, size_), "calloc's memory is not zero", address_of(mem), size_);
    adopt(mem);
  }
  void aligned(uint32_t log2) {
    size_ = from_.size() % 70000;
    adopt(hg_memalign(size_t{1} << log2, size_), size_t{1} << log2);
  }
  void deallocate(uint32_t pick) {
    if (twin_.count() == 0) return hg_free(nullptr);
    void *const mem = twin_.pick(pick);
    twin_.remove(mem);
    hg_free(mem);
  }
  void reallocate(uint32_t pick, bool in_place) {
    size_ = from_.size();
    if (twin_.count() == 0) return adopt(hg_realloc(nullptr, size_));
    void *const old = twin_.pick(pick);
    const contract::Entry before = twin_.at(old);
    twin_.check_contents(old, before.bytes);
    void *const mem = in_place ? hg_realloc_in_place(old, size_) : hg_realloc(old, size_);
    if (mem == nullptr && size_ == 0 && !in_place) return twin_.forget(old);
    if (mem == nullptr) {
      // The flush before "out of memory" makes a sparse slab chunks: then the block may have the rest of a free one behind it, too.
      expect(hg_malloc_usable_size(old) >= before.bytes, "F2 size", hg_malloc_usable_size(old), before.bytes);
      return twin_.check_contents(old, before.bytes);
    }
    expect(!in_place || mem == old, "realloc_in_place moved the block", address_of(mem), address_of(old));
    const size_t kept = before.bytes < size_ ? before.bytes : size_;
    expect(contract::has_pattern(mem, kept, before.seed), "realloc lost contents", address_of(mem), kept);
    twin_.forget(old);
    adopt(mem);
  }
  void bulk(uint32_t pick) {
    void *blocks[20] = {};
    const uint32_t count = from_.below(20);
    for (uint32_t i = 0; i < count && twin_.count() > 0; ++i) {
      if (i % 5 == 3) continue;
      blocks[i] = twin_.pick(pick + i * 7);
      twin_.remove(blocks[i]);
    }
    hg_bulk_free(blocks, 20);
    for (void *const block : blocks) expect(block == nullptr, "bulk_free left an entry");
  }
  // What the heap's own functions do with the same blocks.
  void by_the_heap(uint32_t which) {
    size_ = from_.size() / 8;
    void *const old = which < 4 || twin_.count() == 0 ? nullptr : twin_.pick(from_.byte());
    if (old == nullptr) return adopt(hg_heap_allocate(nullptr, size_));
    const contract::Entry before = twin_.at(old);
    if (which < 8) {
      twin_.remove(old);
      return hg_heap_deallocate(nullptr, old);
    }
    const uint32_t flags = (which & 1 ? HG_EXPAND_BWD : 0u) | (which & 2 ? HG_ALLOCATE_NEW : HG_EXPAND_FWD) | HG_NOTHROW_ALLOCATION;
    const hg_command_result result =
        hg_heap_command(nullptr, flags, 1, before.bytes + 1, before.bytes + 1 + size_, old);
    twin_.check_contents(old, before.bytes);
    if (result.mem == nullptr) return;
    size_ = result.received;
    if (result.reused != 0) twin_.forget(old);
    adopt(result.mem);
  }
  // Each a phase of a program that ends.
  void free_all() {
    while (twin_.count() > 0) deallocate(operations_);
  }
  // Enough of one size to fill a cache, or some slabs.
  void many(uint32_t high) {
    size_ = high % 2 == 0 ? size_t{2} << high : from_.byte();
    for (uint32_t left = 1 + from_.byte(); left > 0; --left) adopt(hg_malloc(size_));
  }
  void check() {
    const char *const broken = hg_heap_check(nullptr);
    expect(broken == nullptr, broken == nullptr ? "" : broken);
    hg_malloc_stats stats;
    hg_malloc_get_stats(&stats);
    size_t least = before_.in_use;
    for (const auto &[address, entry] : twin_.entries()) {
      const size_t usable = hg_malloc_usable_size(reinterpret_cast<void *>(address));
      expect(usable >= entry.bytes, "a block became smaller", usable, entry.bytes);  // larger, where its slab became chunks
      least += usable;
    }
    const size_t out = least + twin_.count() * sizeof(size_t);
    expect(stats.in_use <= out, "bytes in use", stats.in_use, out);
    expect(stats.in_use >= (kSlabs ? least : out), "bytes in use", stats.in_use, out);  // a block of a slab has no header
    twin_.check_all_contents();
#if HG_TRACE && !HG_CHECKED
    check_walk();
#endif
  }
#if HG_TRACE && !HG_CHECKED
  void check_walk() {
    std::set<uint32_t> out;
    for (const auto &[address, entry] : twin_.entries()) out.insert(heapglass::offset_of(reinterpret_cast<void *>(address - sizeof(size_t))));
    hg_walk walk;
    hg_walk_begin(&walk, nullptr);
    hg_walk_record records[64];
    while (const size_t count = hg_walk_next(&walk, records, 64)) {
      for (size_t i = 0; i < count; ++i) {
        const uint32_t kind = records[i].kind & 0xff;
        if (kind != HG_WALK_chunk_in_use && kind != HG_WALK_slab_block_in_use) continue;
        expect(out.erase(records[i].address) == 1, "F4 in use in the walk alone", records[i].address, kind);
      }
    }
    expect(out.empty(), "F4 the walk has not all blocks", out.size());
  }
#endif

  ByteSource from_;
  LimitedMemory memory_;
  contract::Twin twin_;
  hg_heap_stats before_;
  size_t size_ = 0;
  uint32_t seed_ = 0;
  uint32_t operations_ = 0;
};

}  // namespace

void play_malloc(const uint8_t *bytes, size_t count) { MallocRun(bytes, count).play(); }

}  // namespace fuzz
