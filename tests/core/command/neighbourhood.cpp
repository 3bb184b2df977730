#include "neighbourhood.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/address.hpp"
#include "support/rising_bytes.hpp"

namespace command_tests {

namespace {

constexpr size_t kGuard = 6 * kWordBytes;
constexpr size_t kSmall = 10 * kWordBytes;
constexpr size_t kLarge = 160 * kWordBytes;
constexpr size_t kVictimBytes = 14 * kWordBytes;
constexpr size_t kTopBytes = 90 * kWordBytes;
constexpr size_t kPadding = 128 * kWordBytes;  // in use, far from the subject: a region has at least 4 KiB
constexpr size_t kFront = 8 * kWordBytes;  // what is taken off a free chunk so that its rest becomes the victim

size_t bytes_of(Beside beside) {
  switch (beside) {
    case Beside::kInUse: return kGuard;
    case Beside::kFreeSmall: return kSmall;
    case Beside::kFreeLarge: return kLarge;
    case Beside::kVictim: return kVictimBytes;
    case Beside::kTop: return kTopBytes;
    default: return 0;
  }
}

const char *name_of(Beside beside) {
  switch (beside) {
    case Beside::kInUse: return "in use";
    case Beside::kFreeSmall: return "free small";
    case Beside::kFreeLarge: return "free large";
    case Beside::kVictim: return "victim";
    case Beside::kTop: return "top";
    default: return "edge";
  }
}

bool is_free(Beside beside) { return beside != Beside::kInUse && beside != Beside::kEdge; }

uint32_t kind_of(Beside beside) {
  switch (beside) {
    case Beside::kInUse: return HG_WALK_chunk_in_use;
    case Beside::kVictim: return HG_WALK_chunk_victim;
    case Beside::kTop: return HG_WALK_chunk_top;
    default: return HG_WALK_chunk_free;
  }
}

const heapglass_test::RisingBytes<37> kSubjectBytes(11);
const heapglass_test::RisingBytes<0> kGuardBytes(0xa5);

// Bytes of a region that are not chunks: the same for every region.
size_t region_overhead() {
  static const size_t overhead = [] {
    constexpr size_t kBytes = 65536;
    void *region = aligned_alloc(4096, kBytes);
    hg_heap *heap = hg_heap_create_fixed(region, kBytes);
    hg_heap_stats stats;
    hg_heap_get_stats(heap, &stats);
    hg_heap_destroy(heap);
    free(region);
    return kBytes - stats.top_bytes;
  }();
  return overhead;
}

}  // namespace

std::vector<hg_walk_record> walk_of(const hg_heap *heap) {
  std::vector<hg_walk_record> records(64);
  size_t count = 0;
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  while (const size_t part = hg_walk_next(&walk, records.data() + count, records.size() - count)) {
    count += part;
    if (count == records.size()) records.resize(2 * count);
  }
  records.resize(count);
  return records;
}

std::string Plan::text() const {
  return std::string("before ") + name_of(before) + ", after " + name_of(after) + ", subject "
      + std::to_string(subject) +
         ", elsewhere " + std::to_string(elsewhere);
}

bool Plan::possible() const {
  if (before == Beside::kTop) return false;
  if (before == Beside::kVictim && after == Beside::kVictim) return false;
  // Only a small request leaves a victim.
  if (after == Beside::kVictim && subject >= 64 * kWordBytes) return false;
  if (!padded()) return elsewhere == 0 && subject + bytes_of(after) >= 90 * kWordBytes;
  return true;
}

bool Plan::padded() const { return before != Beside::kEdge || (after != Beside::kEdge && after != Beside::kTop); }

void *Neighbourhood::take(size_t chunk_bytes) {
  void *mem = hg_heap_allocate(heap_, chunk_bytes - kWordBytes);
  EXPECT_NE(mem, nullptr);
  EXPECT_EQ(hg_usable_size(mem), chunk_bytes - kWordBytes);
  return mem;
}

void *Neighbourhood::take_guard(size_t chunk_bytes) {
  void *mem = take(chunk_bytes);
  kGuardBytes.fill(mem, chunk_bytes - kWordBytes);
  guards_.push_back(mem);
  return mem;
}

Neighbourhood::Neighbourhood(const Plan &plan) {
  const bool at_start = plan.before == Beside::kEdge;
  const bool after_guard = is_free(plan.after) && plan.after != Beside::kTop;
  const size_t extra = plan.elsewhere > 0 ? plan.elsewhere + kGuard : 0;
  size_t bytes = region_overhead() + plan.subject + bytes_of(plan.before) + bytes_of(plan.after) + extra;
  if (!at_start) bytes += plan.before == Beside::kInUse ? 0 : kGuard;
  if (plan.before == Beside::kVictim) bytes += kFront;
  if (after_guard) bytes += kGuard;
  if (plan.padded()) bytes += kPadding;
  region_ = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  heap_ = hg_heap_create_fixed(region_, bytes);
  EXPECT_NE(heap_, nullptr) << plan.text();
  if (heap_ == nullptr) return;

  // From low to high addresses out of a fresh top; then what shall be free is freed.
  void *elsewhere = nullptr, *before = nullptr, *after = nullptr;
  const auto take_elsewhere = [&] {
    if (plan.elsewhere == 0) return;
    elsewhere = take(plan.elsewhere);
    take_guard(kGuard);
  };
  if (!at_start) {
    take_guard(kPadding);
    if (plan.before != Beside::kInUse) take_guard(kGuard);
    take_elsewhere();
    if (plan.before == Beside::kInUse) take_guard(kGuard);
    else before = take(bytes_of(plan.before) + (plan.before == Beside::kVictim ? kFront : 0));
  }
  subject_ = take(plan.subject + (plan.after == Beside::kVictim ? kVictimBytes : 0));
  if (plan.after == Beside::kInUse) take_guard(kGuard);
  if (plan.after == Beside::kFreeSmall || plan.after == Beside::kFreeLarge) after = take(bytes_of(plan.after));
  if (after_guard) take_guard(kGuard);
  if (at_start) take_elsewhere();
  if (at_start && plan.padded()) take_guard(kPadding);

  if (plan.after == Beside::kVictim) {
    hg_heap_deallocate(heap_, subject_);
    subject_ = take(plan.subject);
  }
  if (before != nullptr) hg_heap_deallocate(heap_, before);
  if (plan.before == Beside::kVictim) {
    void *front = take(kFront);
    EXPECT_EQ(front, before);
    kGuardBytes.fill(front, kFront - kWordBytes);
    guards_.push_back(front);
  }
  if (after != nullptr) hg_heap_deallocate(heap_, after);
  if (elsewhere != nullptr) hg_heap_deallocate(heap_, elsewhere);
  kSubjectBytes.fill(subject_, plan.subject - kWordBytes);

  // The plan came out: the records around the subject are of the kinds and sizes it names.
  const std::vector<hg_walk_record> records = walk_of(heap_);
  const uint32_t chunk = heapglass::offset_of(subject_) - static_cast<uint32_t>(kWordBytes);
  size_t i = 0;
  while (i < records.size() && records[i].address != chunk) ++i;
  if (i == 1 && at_start) {
    // The record before the first chunk is the segment's; its address is another.
    EXPECT_EQ(records[0].kind & 0xff, static_cast<uint32_t>(HG_WALK_segment));
    EXPECT_EQ(records[0].extra, chunk);
  } else {
    EXPECT_FALSE(at_start) << plan.text();
    EXPECT_EQ(records.at(i - 1).kind & 0xff, kind_of(plan.before)) << plan.text();
  }
  EXPECT_EQ(records.at(i).size, plan.subject) << plan.text();
  const bool last = i + 1 == records.size() || (records[i + 1].kind & 0xff) > HG_WALK_chunk_victim;
  EXPECT_EQ(last, plan.after == Beside::kEdge) << plan.text();
  if (!last) {
    EXPECT_EQ(records[i + 1].kind & 0xff, kind_of(plan.after)) << plan.text();
  }
  if (is_free(plan.before)) before_ = records.at(i - 1).size;
  if (is_free(plan.after)) after_ = records.at(i + 1).size;
  EXPECT_EQ(before_, is_free(plan.before) ? bytes_of(plan.before) : 0) << plan.text();
  EXPECT_EQ(after_, is_free(plan.after) ? bytes_of(plan.after) : 0) << plan.text();
  hg_heap_stats stats;
  hg_heap_get_stats(heap_, &stats);
  largest_ = stats.largest_free;
}

Neighbourhood::~Neighbourhood() {
  if (heap_ != nullptr) hg_heap_destroy(heap_);
  free(region_);
}

bool Neighbourhood::guards_intact() const {
  for (const void *guard : guards_) {
    if (!kGuardBytes.are_in(guard, hg_usable_size(guard))) return false;
  }
  return true;
}

bool Neighbourhood::subject_intact(size_t bytes) const { return kSubjectBytes.are_in(subject_, bytes); }

std::string Neighbourhood::end(void *block, void *other) {
  for (void *guard : guards_) hg_heap_deallocate(heap_, guard);
  guards_.clear();
  hg_heap_deallocate(heap_, block);
  hg_heap_deallocate(heap_, other);
  if (const char *broken = hg_heap_check(heap_)) return broken;
  hg_heap_stats stats;
  hg_heap_get_stats(heap_, &stats);
  if (stats.chunks_in_use != 0) return "chunks in use after all was freed";
  if (stats.chunks_free != 1) return "not one free chunk after all was freed";
  return "";
}

}  // namespace command_tests
