// Every precondition of the command, broken alone: the exact status, nothing returned, nothing changed.
#include <gtest/gtest.h>

#include "neighbourhood.hpp"

namespace command_tests {
namespace {

struct Broken {
  const char *name;
  uint32_t flags;
  size_t object_size, limit, preferred;
  bool with_reuse;
  uint32_t status;
};

constexpr Broken kTable[] = {
    {"no flag at all", 0, 8, 1, 2, true, HG_STATUS_no_command},
    {"nothrow alone is no command", HG_NOTHROW_ALLOCATION, 8, 1, 2, true, HG_STATUS_no_command},
    {"flag 0x20", HG_ALLOCATE_NEW | 0x20u, 8, 1, 2, true, HG_STATUS_unknown_flag},
    {"flag 0x80", HG_EXPAND_FWD | 0x80u, 8, 1, 2, true, HG_STATUS_unknown_flag},
    {"flag 0x80000000", HG_EXPAND_BWD | 0x80000000u, 8, 1, 2, true, HG_STATUS_unknown_flag},
    {"shrink with new", HG_SHRINK_IN_PLACE | HG_ALLOCATE_NEW, 8, 2, 1, true, HG_STATUS_shrink_with_others},
    {"shrink with fwd", HG_SHRINK_IN_PLACE | HG_EXPAND_FWD, 8, 2, 1, true, HG_STATUS_shrink_with_others},
    {"shrink with bwd", HG_SHRINK_IN_PLACE | HG_EXPAND_BWD, 8, 2, 1, true, HG_STATUS_shrink_with_others},
    {"try shrink with new", HG_TRY_SHRINK_IN_PLACE | HG_ALLOCATE_NEW, 8, 2, 1, true, HG_STATUS_try_shrink_with_others},
    {"try shrink with fwd", HG_TRY_SHRINK_IN_PLACE | HG_EXPAND_FWD, 8, 2, 1, true, HG_STATUS_try_shrink_with_others},
    {"try shrink with bwd", HG_TRY_SHRINK_IN_PLACE | HG_EXPAND_BWD, 8, 2, 1, true, HG_STATUS_try_shrink_with_others},
    {"fwd without reuse", HG_EXPAND_FWD, 8, 1, 2, false, HG_STATUS_reuse_missing},
    {"bwd without reuse", HG_EXPAND_BWD, 8, 1, 2, false, HG_STATUS_reuse_missing},
    {"fwd and bwd without reuse", HG_EXPAND_FWD | HG_EXPAND_BWD, 8, 1, 2, false, HG_STATUS_reuse_missing},
    {"shrink without reuse", HG_SHRINK_IN_PLACE, 8, 2, 1, false, HG_STATUS_reuse_missing},
    {"try shrink without reuse", HG_TRY_SHRINK_IN_PLACE, 8, 2, 1, false, HG_STATUS_reuse_missing},
    {"shrink with limit below preferred", HG_SHRINK_IN_PLACE, 8, 1, 2, true, HG_STATUS_limit_below_preferred},
    {"try shrink with limit below preferred", HG_TRY_SHRINK_IN_PLACE, 8, 1, 2, true, HG_STATUS_limit_below_preferred},
    {"new with limit above preferred", HG_ALLOCATE_NEW, 8, 2, 1, true, HG_STATUS_limit_above_preferred},
    {"fwd with limit above preferred", HG_EXPAND_FWD, 8, 2, 1, true, HG_STATUS_limit_above_preferred},
    {"bwd with limit above preferred", HG_EXPAND_BWD, 8, 2, 1, true, HG_STATUS_limit_above_preferred},
    {"all ways with limit above preferred", HG_ALLOCATE_NEW | HG_EXPAND_FWD | HG_EXPAND_BWD, 8, 2, 1, true,
        HG_STATUS_limit_above_preferred},
    {"new of size 0", HG_ALLOCATE_NEW, 0, 1, 2, true, HG_STATUS_object_size_zero},
    {"fwd of size 0", HG_EXPAND_FWD, 0, 1, 2, true, HG_STATUS_object_size_zero},
    {"bwd of size 0", HG_EXPAND_BWD, 0, 1, 2, true, HG_STATUS_object_size_zero},
    {"shrink of size 0", HG_SHRINK_IN_PLACE, 0, 2, 1, true, HG_STATUS_object_size_zero},
    {"try shrink of size 0", HG_TRY_SHRINK_IN_PLACE, 0, 2, 1, true, HG_STATUS_object_size_zero},
};

class A2_preconditions : public testing::TestWithParam<Broken> {};

TEST_P(A2_preconditions, a_broken_one_is_reported_exactly_and_changes_nothing) {
  const Broken &broken = GetParam();
  for (const uint32_t nothrow : {0u, static_cast<uint32_t>(HG_NOTHROW_ALLOCATION)}) {
    Neighbourhood at(Plan{Beside::kFreeLarge, Beside::kFreeLarge, 12 * kWordBytes, 30 * kWordBytes});
    const uint32_t before = hg_walk_hash(at.heap(), nullptr);
    const hg_command_result result =
        hg_heap_command(at.heap(), broken.flags | nothrow, broken.object_size, broken.limit,
                                                     broken.preferred, broken.with_reuse ? at.subject() : nullptr);
    EXPECT_EQ(result.mem, nullptr);
    EXPECT_EQ(result.received, 0u);
    EXPECT_EQ(result.status, broken.status) << hg_status_text(result.status);
    EXPECT_EQ(hg_heap_status(at.heap()), broken.status);
    EXPECT_EQ(hg_walk_hash(at.heap(), nullptr), before);
    EXPECT_EQ(at.end(at.subject()), "");
  }
}

std::string name_of(const testing::TestParamInfo<Broken> &row) {
  std::string name = row.param.name;
  for (char &c : name) {
    if (c == ' ') c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(table, A2_preconditions, testing::ValuesIn(kTable), name_of);

TEST(A2_preconditions_met, allocate_new_needs_no_address_to_reuse) {
  Neighbourhood at(Plan{Beside::kInUse, Beside::kFreeLarge, 12 * kWordBytes, 0});
  const hg_command_result result = hg_heap_command(at.heap(), HG_ALLOCATE_NEW, 8, 5, 10, nullptr);
  EXPECT_EQ(result.status, static_cast<uint32_t>(HG_STATUS_ok));
  EXPECT_GE(result.received, 10u);
  EXPECT_EQ(result.reused, 0u);
  EXPECT_EQ(at.end(result.mem, at.subject()), "");
}

TEST(A2_preconditions_met, a_size_that_overflows_is_too_large_or_out_of_memory_and_never_succeeds) {
  constexpr size_t kMost = ~static_cast<size_t>(0);
  const size_t pairs[][2] =
      {{kMost, 1}, {kMost / 2 + 1, 2}, {kMost / 8, 8}, {kMost / 8 + 1, 8}, {2, kMost}, {kMost, kMost},
          {3, kMost / 3 + 1}};
  for (const auto &[count, object_size] : pairs) {
    for (const uint32_t flags : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
      Neighbourhood at(Plan{Beside::kFreeLarge, Beside::kFreeLarge, 12 * kWordBytes, 0});
      const hg_command_result result = hg_heap_command(at.heap(), flags, object_size, count, count, at.subject());
      EXPECT_EQ(result.mem, nullptr) << count << " x " << object_size << " flags " << flags;
      EXPECT_NE(result.status, static_cast<uint32_t>(HG_STATUS_ok));
      EXPECT_EQ(hg_heap_check(at.heap()), nullptr);
      EXPECT_TRUE(at.subject_intact(hg_usable_size(at.subject())));
      EXPECT_EQ(at.end(at.subject()), "");
    }
  }
}

TEST(A2_preconditions_met, preferred_may_overflow_when_limit_can_be_met) {
  constexpr size_t kMost = ~static_cast<size_t>(0);
  for (const uint32_t flags : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
    Neighbourhood at(Plan{Beside::kFreeLarge, Beside::kFreeLarge, 12 * kWordBytes, 0});
    const size_t limit = flags == HG_ALLOCATE_NEW ? 3 : hg_usable_size(at.subject()) / 24 + 1;
    const hg_command_result result = hg_heap_command(at.heap(), flags, 24, limit, kMost, at.subject());
    ASSERT_NE(result.mem, nullptr) << "flags " << flags << ": " << hg_status_text(result.status);
    EXPECT_GE(result.received, limit);
    EXPECT_EQ(result.reused ? at.end(result.mem) : at.end(result.mem, at.subject()), "");
  }
}

}  // namespace
}  // namespace command_tests
