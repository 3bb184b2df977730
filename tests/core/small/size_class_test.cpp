// The size classes against the document's table, and what they waste.
#include <heapglass/small.hpp>

#include <cstdio>

#include "small/central.hpp"
#include "small/small_rig.hpp"

namespace {

using namespace heapglass;
using small_tests::kTable;

constexpr bool classes_are_in_order() {
  for (unsigned k = 1; k < kSizeClasses; ++k) {
    if (size_of_class(k) <= size_of_class(k - 1)) return false;
  }
  return true;
}
constexpr bool every_class_serves_itself() {
  for (unsigned k = 0; k < kSizeClasses; ++k) {
    if (size_class_of(size_of_class(k)) != k) return false;
    if (k + 1 < kSizeClasses && size_class_of(size_of_class(k) + 1) != k + 1) return false;
  }
  return size_class_of(0) == 0 && size_class_of(1) == 0;
}

// D1: all of it is decided by the compiler.
static_assert(classes_are_in_order());
static_assert(every_class_serves_itself());
static_assert(size_of_class(size_class_of(40)) == 40 && size_of_class(size_class_of(41)) == 48);
static_assert(kSizeClasses == (sizeof(void *) == 4 ? 50 : 48));
static_assert(sizeof(Span) <= 64, "D3: a small header a span");

TEST(D1_size_class, the_class_of_a_type_is_a_constant) {
  struct TenInts {
    int numbers[10];
  };
  constexpr unsigned k = size_class_of(sizeof(TenInts));
  char as_template_argument[k + 1];  // only a constant can be a bound
  EXPECT_EQ(sizeof as_template_argument, k + 1);
  EXPECT_EQ(size_of_class(k), 40u);
}

TEST(D4_size_classes, every_size_has_the_class_of_the_documents_table) {
  size_t row = 0;
  size_t checked = 0;
  for (uint32_t size = 1; size <= kSmallMax; ++size) {
    if (size > kTable[row].last) ++row;
    const size_t expected = kTable[row].last > kSmallestClass ? kTable[row].last : kSmallestClass;
    ASSERT_EQ(size_of_class(size_class_of(size)), expected) << size;
    ++checked;
  }
  EXPECT_EQ(checked, 57344u);
  EXPECT_EQ(row + 1, std::size(kTable));
}

TEST(D4_size_classes, the_document_has_51_and_all_with_space_for_two_links_are_here) {  // size_class.Z3
  size_t with_space = 0;
  for (const auto &row : kTable) with_space += row.last >= 2 * sizeof(void *);
  EXPECT_EQ(std::size(kTable), 51u);
  EXPECT_EQ(with_space, kSizeClasses);
}

TEST(D4_size_classes, classes_are_quarters_between_powers_of_two) {
  for (unsigned k = size_class_of(17); k < kSizeClasses; ++k) {
    const size_t size = size_of_class(k);
    const size_t power = size_t{1} << floor_log2(size);
    const size_t quarters = size * 4 / power;
    EXPECT_EQ(quarters * power / 4, size);
    EXPECT_GE(quarters, 4u);
    EXPECT_LE(quarters, 7u);
  }
}

// Every size alike; the document says about 12 %, half of the worst. Waste of a block is the part of it nobody asked for; overhead is that part against what was asked.
TEST(D4_size_classes, at_most_a_quarter_of_a_block_is_wasted) {
  double waste_sum = 0;
  double overhead_sum = 0;
  double worst_waste = 0;
  double worst_overhead_above_16 = 0;
  size_t sizes = 0;
  for (size_t size = kSmallestClass; size <= kSmallMax; ++size) {
    const double block = static_cast<double>(size_of_class(size_class_of(size)));
    const double waste = (block - static_cast<double>(size)) / block;
    const double overhead = (block - static_cast<double>(size)) / static_cast<double>(size);
    waste_sum += waste;
    overhead_sum += overhead;
    if (waste > worst_waste) worst_waste = waste;
    if (size > 16 && overhead > worst_overhead_above_16) worst_overhead_above_16 = overhead;
    ++sizes;
  }
  const double count = static_cast<double>(sizes);
  std::printf("waste of a block: worst %.1f %%, average %.1f %%; overhead on what was asked: worst %.1f %%, average %.1f %%\n",
              worst_waste * 100, waste_sum / count * 100, worst_overhead_above_16 * 100, overhead_sum / count * 100);
  EXPECT_LE(worst_waste, 0.25);
  EXPECT_LT(worst_overhead_above_16, 0.25);
  EXPECT_LE(overhead_sum / count, 0.125);
}

TEST(D5_perfect_alignment, a_class_size_is_divided_by_the_tables_alignment) {
  size_t row = 0;
  for (uint32_t size = 1; size <= kSmallMax; ++size) {
    if (size > kTable[row].last) ++row;
    ASSERT_GE(lowest_power(size_of_class(size_class_of(size))), kTable[row].alignment) << size;
    ASSERT_GE(lowest_power(size_of_class(size_class_of(size))), lowest_power(size)) << size;
  }
}

TEST(D2_batches, a_batch_has_at_most_256_blocks_and_64_KiB) {
  for (unsigned k = 0; k < kSizeClasses; ++k) {
    EXPECT_GE(batch_size(k), 1u);
    EXPECT_LE(batch_size(k), 256u);
    EXPECT_LE(batch_size(k) * size_of_class(k), 65536u);
  }
  EXPECT_EQ(batch_size(size_class_of(128)), 256u);
}

}  // namespace
