// Every legal combination of allocate_new, expand_fwd and expand_bwd, over object sizes, neighbourhoods and limits.
//
// For each neighbourhood the interesting counts are those around what each way can reach; every pair limit <= preferred
// of them is tried on a fresh heap, and the outcome compared with the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "every.hpp"
#include "command_oracle.hpp"

namespace command_tests {
namespace {

// Even and odd, dividing the alignment, multiples of it and neither; daily the first of each kind.
const std::vector<size_t> kObjectSizes = heapglass_test::every()
    ? std::vector<size_t>{1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 40, 48, 100}
    : std::vector<size_t>{1, 3, 4, 12, 16, 24, 100};
constexpr Beside kBefore[] = {Beside::kInUse, Beside::kFreeSmall, Beside::kFreeLarge, Beside::kVictim, Beside::kEdge};
constexpr Beside kAfter[] =
    {Beside::kInUse, Beside::kFreeSmall, Beside::kFreeLarge, Beside::kVictim, Beside::kTop, Beside::kEdge};
constexpr size_t kSubjects[] = {4 * kWordBytes, 12 * kWordBytes, 130 * kWordBytes};
constexpr size_t kElsewhere[] = {0, 30 * kWordBytes, 700 * kWordBytes};

size_t g_cases = 0, g_successes = 0, g_backward = 0;

// The counts around which the outcome changes.
std::vector<size_t> counts_of(const Reach &reach) {
  std::set<size_t> counts = {0, 1};
  for (const size_t edge : {reach.now(), reach.forward(), reach.backward(), reach.both(), reach.fresh()}) {
    if (edge > 0) counts.insert(edge - 1);
    counts.insert(edge);
    counts.insert(edge + 1);
  }
  counts.insert(reach.both() * 2 + reach.fresh());
  return std::vector<size_t>(counts.begin(), counts.end());
}

std::vector<Plan> all_plans() {
  std::vector<Plan> plans;
  for (const Beside before : kBefore) {
    for (const Beside after : kAfter) {
      for (const size_t subject : kSubjects) {
        for (const size_t elsewhere : kElsewhere) {
          const Plan plan{before, after, subject, elsewhere};
          if (plan.possible()) plans.push_back(plan);
        }
      }
    }
  }
  return plans;
}

std::string tell(const Plan &plan, uint32_t flags, size_t object_size, size_t limit, size_t preferred) {
  std::string text = plan.text() + ": flags";
  if (flags & HG_ALLOCATE_NEW) text += " new";
  if (flags & HG_EXPAND_FWD) text += " fwd";
  if (flags & HG_EXPAND_BWD) text += " bwd";
  return text + ", objects of " + std::to_string(object_size) + ", limit " + std::to_string(limit) + ", preferred " +
         std::to_string(preferred);
}

// "" when the outcome is what the oracle says; else what is wrong.
std::string wrong(const Neighbourhood &at, const Reach &reach, const Expected &expected, uint32_t flags, size_t limit,
                  size_t preferred, const hg_command_result &result) {
  (void)limit;
  const size_t o = reach.object_size;
  if (!at.guards_intact()) return "a neighbour in use was written to";
  if (hg_heap_status(at.heap()) != result.status) return "the heap's status is another than the result's";
  if (const char *broken = hg_heap_check(at.heap())) return broken;
  if (!expected.success) {
    if (result.mem != nullptr) return "succeeded, should fail";
    if (result.status != HG_STATUS_cannot_expand && result.status != HG_STATUS_out_of_memory) {
      return "wrong status of a failure: " + std::to_string(result.status);
    }
    if (!at.subject_intact(reach.usable) || hg_usable_size(at.subject()) != reach.usable) {
      return "a failure changed the subject";
    }
    if (result.received != expected.on_failure) {
      return "failure received " + std::to_string(result.received) + ", should be "
          + std::to_string(expected.on_failure);
    }
    return "";
  }
  if (result.mem == nullptr) {
    return "failed, should succeed; status " + std::to_string(result.status) + " received "
        + std::to_string(result.received);
  }
  if (result.status != HG_STATUS_ok) return "succeeded with status " + std::to_string(result.status);
  const size_t usable = hg_usable_size(result.mem);
  if (result.received != usable / o) {
    return "received " + std::to_string(result.received) + " but " + std::to_string(usable) + " bytes are usable";
  }
  if (result.received < expected.least) {
    return "received " + std::to_string(result.received) + ", should be at least " + std::to_string(expected.least);
  }
  if (result.reused == 0) {
    if (!(flags & HG_ALLOCATE_NEW) || expected.way == Way::kForward) return "new memory, not asked for";
    if (!at.subject_intact(reach.usable) || hg_usable_size(at.subject()) != reach.usable) {
      return "a new allocation changed the subject";
    }
    return usable < std::max(preferred * o + kWordBytes, kLeastChunk) + kLeastChunk ? ""
        : "new memory larger than asked for";
  }
  const size_t d = static_cast<size_t>(static_cast<char *>(at.subject()) - static_cast<char *>(result.mem));
  if (!at.subject_intact(std::min(reach.usable, usable - d))) return "expansion moved or lost the old contents";
  if (expected.way == Way::kForward && d != 0) return "forward expansion moved the start";
  if (!(flags & HG_EXPAND_BWD) && d != 0) return "the start moved without expand_bwd";
  if (!reach.distance_fits(d)) return "backward distance " + std::to_string(d) + " is not allowed (O3)";
  if (!(flags & HG_EXPAND_FWD) && usable != reach.usable + d) return "the end moved without expand_fwd";
  if (d > 0) {
    ++g_backward;
    const size_t shorter = d - reach.unit();
    const size_t tail = usable == reach.usable + d ? 0 : reach.after;  // the end moved too, or did not
    if (reach.distance_fits(shorter) && reach.usable + tail + shorter >= preferred * o) {
      return "backward expansion took more than preferred needs";
    }
  }
  // A moved end takes no more than preferred needs, unless the rest would be no chunk.
  const size_t wanted =
      std::max((preferred * o + kWordBytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes, kLeastChunk);
  if (usable > reach.usable + d && usable + kWordBytes >= wanted + kLeastChunk) {
    return "the end moved too far: " + std::to_string(usable);
  }
  return "";
}

// One call on a fresh neighbourhood; a failed one is repeated with the limit it offers.
std::string try_one(const Plan &plan, uint32_t flags, size_t object_size, size_t limit, size_t preferred) {
  Neighbourhood at(plan);
  const Reach reach(object_size, at);
  const Expected expected = expected_of(reach, flags, limit, preferred);
  hg_command_result result = hg_heap_command(at.heap(), flags, object_size, limit, preferred, at.subject());
  std::string text = wrong(at, reach, expected, flags, limit, preferred, result);
  ++g_cases;
  if (!text.empty()) return text;
  if (result.mem != nullptr) ++g_successes;
  if (result.mem == nullptr && result.received > 0) {
    const size_t offered = result.received;
    result = hg_heap_command(at.heap(), flags, object_size, offered, preferred, at.subject());
    if (result.mem == nullptr) return "the limit offered by the failure, " + std::to_string(offered) + ", was not met";
    if (result.received < offered) return "the repeated call received less than its limit";
  }
  if (result.mem == nullptr) return at.end(at.subject());
  return result.reused ? at.end(result.mem) : at.end(result.mem, at.subject());
}

void try_all(uint32_t flags) {
  g_cases = g_successes = g_backward = 0;
  int failures = 0;
  for (const Plan &plan : all_plans()) {
    // A place elsewhere matters only to new allocations.
    if (plan.elsewhere > 0 && !(flags & HG_ALLOCATE_NEW)) continue;
    for (const size_t object_size : kObjectSizes) {
      std::vector<size_t> counts;
      {
        Neighbourhood at(plan);
        counts = counts_of(Reach(object_size, at));
      }
      for (const size_t preferred : counts) for (const size_t limit : counts) {
        if (limit > preferred) break;
        const std::string text = try_one(plan, flags, object_size, limit, preferred);
        if (text.empty()) continue;
        ADD_FAILURE() << tell(plan, flags, object_size, limit, preferred) << ": " << text;
        if (++failures == 10) return;
      }
    }
  }
  testing::Test::RecordProperty("cases", static_cast<int>(g_cases));
  EXPECT_GT(g_successes, 1000u);
  EXPECT_GT(g_cases - g_successes, flags & HG_ALLOCATE_NEW ? 100u : 1000u);
  if (flags & HG_EXPAND_BWD) { EXPECT_GT(g_backward, 300u); }
}

TEST(A2_expansion_command, allocate_new_alone_takes_preferred_else_at_least_limit) { try_all(HG_ALLOCATE_NEW); }
TEST(A2_expansion_command, expand_fwd_alone_moves_only_the_end_and_takes_all_it_can_below_preferred) {
  try_all(HG_EXPAND_FWD);
}
TEST(A3_backward_expansion, alone_moves_only_the_start_by_a_multiple_of_object_and_alignment) {
  try_all(HG_EXPAND_BWD);
}
TEST(A2_expansion_command, expand_fwd_comes_before_allocate_new) { try_all(HG_ALLOCATE_NEW | HG_EXPAND_FWD); }
TEST(A3_backward_expansion, with_allocate_new_preferred_by_both_ways_comes_before_limit_by_both) {
  try_all(HG_ALLOCATE_NEW | HG_EXPAND_BWD);
}
TEST(A3_backward_expansion, with_expand_fwd_the_start_moves_only_when_the_end_cannot_reach_limit) {
  try_all(HG_EXPAND_FWD | HG_EXPAND_BWD);
}
TEST(A2_expansion_command, all_three_ways_are_tried_in_the_documents_order) {
  try_all(HG_ALLOCATE_NEW | HG_EXPAND_FWD | HG_EXPAND_BWD);
}
TEST(A2_expansion_command, nothrow_allocation_is_accepted_and_changes_nothing) {
  const Plan plan{Beside::kInUse, Beside::kFreeLarge, 12 * kWordBytes, 0};
  EXPECT_EQ(try_one(plan, HG_EXPAND_FWD | HG_NOTHROW_ALLOCATION, 8, 12, 40), "");
  EXPECT_EQ(try_one(plan, HG_EXPAND_FWD | HG_NOTHROW_ALLOCATION, 8, 12000, 40000), "");
}

}  // namespace
}  // namespace command_tests
