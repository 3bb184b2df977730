// The small front: sizes of every class and beyond, by several played threads, squeezed and flushed, with memory that runs
// out.
//
//  S1  a block's usable size is at least its request; up to HG_SMALL_MAX it is a class's size, at most a quarter (or a
//      granule) more than the request, and its largest power of two divides the address.
//  S2  what the statistics count in use is what the twin holds of such blocks.
//  S3  once all is freed, every thread's cache flushed and the front squeezed, no span is left.
#include <heapglass/heapglass.h>

#include "byte_source.hpp"
#include "contract/report.hpp"
#include "contract/twin.hpp"
#include "limited_memory.hpp"
#include "targets.hpp"

namespace fuzz {

namespace {

using contract::expect;

constexpr uint32_t kThreads = 5;
constexpr uint32_t kCheckEvery = 64;
constexpr size_t kGranule = 16;

size_t largest_power_in(size_t size) { return size & (~size + 1); }

hg_small_stats statistics() {
  hg_small_stats stats;
  hg_small_get_stats(&stats);
  return stats;
}

// Gives back what nobody uses.
void settle() {
  for (uint32_t thread = kThreads; thread >= 1; --thread) {
    hg_small_play_thread(thread);
    hg_small_flush();
  }
  hg_small_squeeze();
}

// What a front keeps for good, it makes before memory is limited: the pools of its classes.
void warm_up() {
  static const bool warm = [] {
    prepare_memory();
    for (size_t size = 1; size <= HG_SMALL_MAX; size += size / 8 + 1) hg_small_deallocate(hg_small_allocate(size));
    settle();
    return true;
  }();
  static_cast<void>(warm);
}

class SmallRun {
 public:
  SmallRun(const uint8_t *bytes, size_t count) : from_((warm_up(), bytes), count), memory_(from_.below(48)) {
    contract::report_clear();
  }
  ~SmallRun() {
    contract::report_at(operations_, "end");
    check();
    while (twin_.count() > 0) deallocate(0);
    settle();
    const hg_small_stats stats = statistics();
    expect(stats.spans == 0 && stats.in_use == 0 && stats.cached == 0 && stats.central == 0, "S3 spans are left",
           stats.spans, stats.in_use);
    check();
  }
  SmallRun(const SmallRun &) = delete;
  SmallRun &operator=(const SmallRun &) = delete;

  void play() {
    while (from_.more()) {
      ++operations_, ++g_operations;
      step(from_.byte());
      if (operations_ % kCheckEvery == 0) check();
    }
  }

 private:
  void step(uint32_t what) {
    switch (what % 16) {
      case 0:
      case 1:
      case 2: return at("small_allocate", [&] { allocate(from_.byte() * (1 + what / 16)); });
      case 3: return at("small_allocate", [&] { allocate(from_.size() % (HG_SMALL_MAX + 1)); });
      case 4: return at("small_allocate", [&] { allocate(from_.size()); });
      case 5: return at("many", [&] { many(what / 16); });
      case 6:
      case 7:
      case 8: return at("small_deallocate", [&] { deallocate(from_.byte()); });
      case 9: return at("deallocate_many", [&] {
        for (uint32_t left = 1 + from_.byte(); left > 0 && twin_.count() > 0; --left) deallocate(left * 7);
      });
      case 10:
      case 11: return at("play_thread", [&] { hg_small_play_thread(1 + from_.below(kThreads)); });
      case 12: return at("small_flush", [] { hg_small_flush(); });
      case 13: return at("small_squeeze", [] { squeeze(); });
      case 14: return at("grant", [&] { memory_.grant(from_.below(16)); });
      default: return at("check", [&] { check(); });
    }
  }
  template <class Work>
  void at(const char *name, Work work) {
    contract::report_at(operations_, name);
    work();
  }

  void allocate(size_t size) {
    void *const mem = hg_small_allocate(size);
    if (mem == nullptr) return;
    const size_t usable = hg_small_usable_size(mem);
    const uintptr_t address = reinterpret_cast<uintptr_t>(mem);
    expect(usable >= size && usable >= 1, "S1 usable size", usable, size);
    if (size <= HG_SMALL_MAX) {
      expect(usable - size <= size / 4 + kGranule, "S1 waste", usable, size);
      expect(address % largest_power_in(usable) == 0, "S1 alignment", address, usable);
      expect(address % 65536 != 0, "S1 a small block looks large", address, size);
      in_use_ += usable;
    } else {
      expect(address % 65536 == 0, "S1 a large block looks small", address, size);
    }
    twin_.insert(mem, usable, ++seed_);
  }
  // Enough of one size to fill caches and batches.
  void many(uint32_t log2) {
    const size_t size = size_t{8} << log2 % 12;
    for (uint32_t left = 1 + from_.byte(); left > 0; --left) allocate(size);
  }
  void deallocate(uint32_t pick) {
    if (twin_.count() == 0) return hg_small_deallocate(nullptr);
    void *const mem = twin_.pick(pick);
    const size_t usable = twin_.at(mem).bytes;
    if (reinterpret_cast<uintptr_t>(mem) % 65536 != 0) in_use_ -= usable;
    twin_.remove(mem);
    hg_small_deallocate(mem);
  }
  static void squeeze() {
    const size_t before = statistics().span_bytes;
    const size_t given = hg_small_squeeze();
    const size_t after = statistics().span_bytes;
    expect(before - after == given, "squeeze's bytes are not what went", before - after, given);
  }
  void check() {
    const char *const broken = hg_heap_check(nullptr);
    expect(broken == nullptr, broken == nullptr ? "" : broken);
    const hg_small_stats stats = statistics();
    expect(stats.in_use == in_use_, "S2 bytes in use", stats.in_use, in_use_);
    expect(stats.span_bytes >= stats.in_use + stats.cached + stats.central, "S2 bytes of spans", stats.span_bytes,
           stats.in_use + stats.cached + stats.central);
    twin_.check_all_contents();
  }

  ByteSource from_;
  LimitedMemory memory_;
  contract::Twin twin_;
  size_t in_use_ = 0;
  uint32_t seed_ = 0;
  uint32_t operations_ = 0;
};

}  // namespace

void play_small(const uint8_t *bytes, size_t count) { SmallRun(bytes, count).play(); }

}  // namespace fuzz
