// Memory pools with their fixed path, and the managers with inline lists: fixed-block managers on each arena, fast-fit.
//
//  M1  what one of them returns overlaps nothing another has out, and its contents stay (one twin for all).
//  M2  a memory pool's fixed block leads back to its pool.
//  M3  a manager's nodes in use, its free ones and its capacity agree.
//  M4  ending one frees everything it has out.
#include <heapglass/fast_fit.hpp>
#include <heapglass/fixed_block.hpp>
#include <heapglass/growing_arena.hpp>
#include <heapglass/heap_arenas.hpp>
#include <heapglass/heapglass.h>

#include <memory>
#include <vector>

#include "byte_source.hpp"
#include "contract/report.hpp"
#include "contract/twin.hpp"
#include "limited_memory.hpp"
#include "targets.hpp"

namespace fuzz {

namespace {

using contract::expect;

constexpr uint32_t kSources = 8;
constexpr uint32_t kCheckEvery = 32;

// Anything that gives blocks. `twin` has what is out.
class Source {
 public:
  virtual ~Source() = default;
  virtual const char *name() const = 0;
  virtual void *allocate(size_t size, uint32_t how) = 0;  // nullptr: refused
  virtual void deallocate(void *mem, size_t size) = 0;
  virtual size_t usable(void *mem, size_t size) const = 0;
  virtual void clear() {}                                 // true to its name, or nothing
  virtual bool clears() const { return false; }
  virtual void check(size_t out) const = 0;
};

class MemoryPoolSource : public Source {
 public:
  explicit MemoryPoolSource(size_t fixed_size) : fixed_size_(fixed_size), pool_(hg_memory_pool_create(fixed_size)) {}
  ~MemoryPoolSource() override {
    if (pool_ != nullptr) hg_memory_pool_destroy(pool_);
  }
  const char *name() const override { return "memory_pool"; }
  void *allocate(size_t size, uint32_t how) override {
    if (pool_ == nullptr) return nullptr;
    if (how % 4 == 0) return hg_memory_pool_allocate(pool_, size);
    void *const mem = hg_memory_pool_allocate_fixed(pool_);
    expect(mem == nullptr || fixed_size_ != 0, "a pool without fixed blocks gave one");
    if (mem != nullptr) {
      expect(hg_memory_pool_of_fixed(mem) == pool_, "M2 the pool of a fixed block", reinterpret_cast<uintptr_t>(mem));
      fixed_.push_back(mem);
    }
    return mem;
  }
  void deallocate(void *mem, size_t) override {
    if (std::erase(fixed_, mem) != 0) hg_memory_pool_deallocate_fixed(mem);
    else hg_memory_pool_deallocate(pool_, mem);
  }
  size_t usable(void *mem, size_t) const override {
    for (const void *fixed : fixed_) {
      if (fixed == mem) return fixed_size_;
    }
    return hg_usable_size(mem);
  }
  void check(size_t) const override {
    const char *const broken = pool_ == nullptr ? nullptr : hg_heap_check(hg_memory_pool_heap(pool_));
    expect(broken == nullptr, broken == nullptr ? "" : broken);
  }

 private:
  size_t fixed_size_;
  hg_memory_pool *pool_;
  std::vector<void *> fixed_;
};

template <class Manager>
class ManagerSource : public Source {
 public:
  template <class... Arguments>
  explicit ManagerSource(const char *name, size_t largest, Arguments... arguments)
      : name_(name), largest_(largest), manager_(arguments...) {}
  const char *name() const override { return name_; }
  void *allocate(size_t size, uint32_t) override { return manager_.try_allocate(size % (largest_ + 1)); }
  void deallocate(void *mem, size_t size) override { manager_.deallocate(mem, size % (largest_ + 1)); }
  size_t usable(void *mem, size_t size) const override {
    const size_t usable = manager_.usable_size(mem, size % (largest_ + 1));
    expect(usable >= size % (largest_ + 1), "usable size is below the request", usable, size % (largest_ + 1));
    return usable;
  }
  void clear() override { manager_.clear(); }
  bool clears() const override { return true; }
  void check(size_t out) const override {
    expect(manager_.capacity() - manager_.free_count() <= out, "M3 nodes in use", manager_.capacity(), out);
  }

 private:
  const char *name_;
  size_t largest_;
  Manager manager_;
};

class Run {
 public:
  Run(const uint8_t *bytes, size_t count)
      : from_(bytes, count), memory_(2 + from_.below(48)), heap_(hg_heap_create()), sources_(kSources) {
    contract::report_clear();
    expect(heap_ != nullptr, "no heap though two pages are granted");
  }
  ~Run() {
    check();
    for (uint32_t i = 0; i < kSources; ++i) end(i);
    const char *const broken = hg_heap_check(heap_);
    expect(broken == nullptr, broken == nullptr ? "" : broken);
    hg_heap_stats stats;
    hg_heap_get_stats(heap_, &stats);
    expect(stats.chunks_in_use == 0, "M4 chunks in use after all has ended", stats.chunks_in_use);
    hg_heap_destroy(heap_);
  }
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  void play() {
    while (from_.more()) {
      const uint32_t what = from_.byte();
      const uint32_t which = what / 16 % kSources;
      ++operations_, ++g_operations;
      if (sources_[which].source == nullptr) begin(which);
      contract::report_at(operations_, sources_[which].source->name());
      step(what % 16, which);
      if (operations_ % kCheckEvery == 0) check();
    }
  }

 private:
  struct Slot {
    std::unique_ptr<Source> source;
    std::vector<std::pair<void *, size_t>> out;  // and the request
  };

  void step(uint32_t what, uint32_t which) {
    switch (what) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4: return allocate(which, from_.byte() % 64, what);
      case 5: return allocate(which, from_.size(), what);
      case 6:
        for (uint32_t left = from_.byte(); left > 0; --left) allocate(which, 24, 1);
        return;
      case 7:
      case 8:
      case 9: return deallocate(which, from_.byte());
      case 10:
        for (uint32_t left = from_.byte(); left > 0; --left) deallocate(which, left * 5);
        return;
      case 11: return clear(which);
      case 12: return end(which);
      case 13: return memory_.grant(from_.below(16));
      case 14: hg_heap_trim(heap_, 0); return;
      default: return check();
    }
  }

  // Which kind lives in a slot is drawn anew each time it begins.
  void begin(uint32_t which) {
    using heapglass::arena_chain;
    using heapglass::fast_fit;
    using heapglass::fixed_block_manager;
    using heapglass::growing_arena;
    using heapglass::heap_arena;
    const uint32_t kind = from_.byte();
    const size_t bytes = 64 + kind * 64;
    std::unique_ptr<Source> &source = sources_[which].source;
    switch (kind % 6) {
      case 0: source = std::make_unique<MemoryPoolSource>(0); break;
      case 1: source = std::make_unique<MemoryPoolSource>((1 + kind) * 8 % 2056 / 8 * 8); break;
      case 2:
        source = std::make_unique<ManagerSource<fixed_block_manager<heap_arena>>>("heap_arena", 200, heap_, bytes);
        break;
      case 3:
        source = std::make_unique<ManagerSource<fixed_block_manager<arena_chain>>>("arena_chain", 200, heap_, bytes);
        break;
      case 4:
        source = std::make_unique<ManagerSource<fixed_block_manager<growing_arena>>>("growing_arena", 200, heap_, bytes);
        break;
      default: source = std::make_unique<ManagerSource<fast_fit<16, 1024>>>("fast_fit", 1024, heap_);
    }
  }

  void allocate(uint32_t which, size_t size, uint32_t how) {
    Slot &slot = sources_[which];
    void *const mem = slot.source->allocate(size, how);
    if (mem == nullptr) return;
    slot.out.emplace_back(mem, size);
    twin_.insert(mem, slot.source->usable(mem, size), ++seed_);
  }
  void deallocate(uint32_t which, uint32_t pick) {
    Slot &slot = sources_[which];
    if (slot.out.empty()) return;
    std::pair<void *, size_t> &picked = slot.out[pick % slot.out.size()];
    const auto [mem, size] = picked;
    picked = slot.out.back();
    slot.out.pop_back();
    twin_.remove(mem);
    slot.source->deallocate(mem, size);
  }
  void forget(Slot &slot) {
    for (const auto &[mem, size] : slot.out) twin_.remove(mem);
    slot.out.clear();
  }
  void clear(uint32_t which) {
    Slot &slot = sources_[which];
    if (!slot.source->clears()) return;
    forget(slot);
    slot.source->clear();
  }
  void end(uint32_t which) {
    if (sources_[which].source == nullptr) return;
    forget(sources_[which]);
    sources_[which].source->clear();
    sources_[which].source = nullptr;
  }
  void check() {
    const char *const broken = hg_heap_check(heap_);
    expect(broken == nullptr, broken == nullptr ? "" : broken);
    for (const Slot &slot : sources_) {
      if (slot.source != nullptr) slot.source->check(slot.out.size());
    }
    twin_.check_all_contents();
  }

  ByteSource from_;
  LimitedMemory memory_;
  hg_heap *heap_;
  std::vector<Slot> sources_;
  contract::Twin twin_;
  uint32_t seed_ = 0;
  uint32_t operations_ = 0;
};

}  // namespace

void play_memory_pools_and_managers(const uint8_t *bytes, size_t count) { Run(bytes, count).play(); }

}  // namespace fuzz
