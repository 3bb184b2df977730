// shrink_in_place and try_shrink_in_place over object sizes, neighbourhoods and pairs preferred <= limit.
//
//  S1  success exactly when some size of the chunk lies in preferred .. limit objects; the start never moves.
//  S2  the end given up becomes free memory; what remains keeps its contents.
//  S3  try_shrink changes no byte of the heap and receives what shrink then makes with that as its limit.
//  S4  a failure offers a limit that the same call then meets, with preferred lowered to it when it is above the size.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "neighbourhood.hpp"

namespace command_tests {
namespace {

constexpr size_t kObjectSizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 40, 48, 100};
constexpr Beside kBefore[] = {Beside::kInUse, Beside::kFreeSmall, Beside::kEdge};
constexpr Beside kAfter[] =
    {Beside::kInUse, Beside::kFreeSmall, Beside::kFreeLarge, Beside::kVictim, Beside::kTop, Beside::kEdge};
constexpr size_t kSubjects[] =
    {4 * kWordBytes, 6 * kWordBytes, 8 * kWordBytes, 12 * kWordBytes, 60 * kWordBytes, 130 * kWordBytes};

std::string number(const char *what, size_t n) { return std::string(what) + " " + std::to_string(n); }

// The chunk for n objects.
size_t chunk_for(size_t objects, size_t object_size) {
  return std::max(kLeastChunk, (objects * object_size + kWordBytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes);
}

std::string try_one(const Plan &plan, size_t object_size, size_t limit, size_t preferred) {
  Neighbourhood at(plan);
  const size_t usable = hg_usable_size(at.subject());
  const size_t now = usable / object_size;
  const uint32_t hash = hg_walk_hash(at.heap(), nullptr);
  const hg_command_result tried =
      hg_heap_command(at.heap(), HG_TRY_SHRINK_IN_PLACE, object_size, limit, preferred, at.subject());
  if (hg_walk_hash(at.heap(), nullptr) != hash || !at.subject_intact(usable)) return "S3 try_shrink changed the heap";
  const hg_command_result shrunk =
      hg_heap_command(at.heap(), HG_SHRINK_IN_PLACE, object_size, limit, preferred, at.subject());
  if (const char *broken = hg_heap_check(at.heap())) return broken;
  if ((shrunk.mem == nullptr) != (tried.mem == nullptr)) return "S3 try_shrink and shrink disagree";
  if (shrunk.received != tried.received) {
    return number("S3 try_shrink received", tried.received) + number(", shrink", shrunk.received);
  }
  if (!at.guards_intact()) return "a neighbour in use was written to";

  // S1: the least size the chunk can get that still holds preferred.
  const size_t wanted = chunk_for(preferred, object_size);
  const size_t chunk = usable + kWordBytes;
  const bool cut = wanted < chunk && (chunk - wanted >= kLeastChunk || at.after() > 0);
  const size_t least = (cut ? wanted - kWordBytes : usable) / object_size;
  const bool can = preferred <= now && least <= limit;
  if (shrunk.mem == nullptr) {
    if (can) return number("S1 failed, should succeed with", least) + number(", status", shrunk.status);
    if (shrunk.status != HG_STATUS_cannot_shrink) return number("S1 wrong status", shrunk.status);
    if (hg_walk_hash(at.heap(), nullptr) != hash || !at.subject_intact(usable)) return "a failure changed the heap";
    const size_t lowered = std::min(preferred, shrunk.received);
    const hg_command_result again =
        hg_heap_command(at.heap(), HG_SHRINK_IN_PLACE, object_size, shrunk.received, lowered, at.subject());
    if (again.mem == nullptr) return number("S4 the offered limit was not met:", shrunk.received);
    if (again.received > shrunk.received) return "S4 the repeated call received more than its limit";
    return at.end(again.mem);
  }
  if (!can) return "S1 succeeded, should fail";
  if (shrunk.mem != at.subject() || shrunk.reused != 1) return "S1 the start moved";
  const size_t left = hg_usable_size(shrunk.mem);
  if (left > usable) return "S1 the block grew";
  if (shrunk.received != left / object_size) return number("received", shrunk.received) + number(" but usable", left);
  if (shrunk.received != least) return number("S1 received", shrunk.received) + number(", least", least);
  if (!at.subject_intact(left)) return "S2 contents of what remains changed";
  return at.end(shrunk.mem);
}

TEST(A4_shrink_in_place, gives_the_end_back_exactly_when_a_size_between_preferred_and_limit_exists) {
  size_t cases = 0;
  for (const Beside before : kBefore) for (const Beside after : kAfter) for (const size_t subject : kSubjects) {
    const Plan plan{before, after, subject, 0};
    if (!plan.possible()) continue;
    for (const size_t object_size : kObjectSizes) {
      const size_t now = (subject - kWordBytes) / object_size;
      std::set<size_t> counts = {0, 1, now / 3, now / 2, now, now + 1, now + 40};
      for (size_t words = 2; words <= 8; words += 1) {
        const size_t less = words * kWordBytes / object_size;
        if (less <= now) counts.insert(now - less);
      }
      if (now > 0) counts.insert(now - 1);
      for (const size_t preferred : counts) for (const size_t limit : counts) {
        if (limit < preferred) continue;
        ++cases;
        const std::string text = try_one(plan, object_size, limit, preferred);
        ASSERT_EQ(text, "") << plan.text() << ", objects of " << object_size << ", limit " << limit << ", preferred "
            << preferred;
      }
    }
  }
  EXPECT_GT(cases, 20000u);
}

TEST(A4_try_shrink_in_place, tells_a_limit_that_shrink_in_place_is_guaranteed_to_meet) {
  Neighbourhood at(Plan{Beside::kInUse, Beside::kInUse, 130 * kWordBytes, 0});
  for (size_t preferred = hg_usable_size(at.subject()) / 4; preferred > 0; preferred -= 3) {
    const hg_command_result tried =
        hg_heap_command(at.heap(), HG_TRY_SHRINK_IN_PLACE, 4, preferred + 8, preferred, at.subject());
    if (tried.mem == nullptr) continue;
    const hg_command_result shrunk =
        hg_heap_command(at.heap(), HG_SHRINK_IN_PLACE, 4, tried.received, preferred, at.subject());
    ASSERT_EQ(shrunk.mem, at.subject());
    ASSERT_EQ(shrunk.received, tried.received);
  }
  EXPECT_LT(hg_usable_size(at.subject()), 10 * kWordBytes);
  EXPECT_EQ(at.end(at.subject()), "");
}

}  // namespace
}  // namespace command_tests
