// Classes with a fixed-block manager of their own (row E2).
#include <heapglass/fixed_block_new.hpp>

#include <memory>
#include <stdexcept>

#include "fixed/fixed_rig.hpp"

namespace fixed_tests {
namespace {

using heapglass::fixed_block_new;
using heapglass::inline_arena;

struct Particle : fixed_block_new<Particle> {
  explicit Particle(int value = 0) : contents(value) {
    if (value < 0) throw std::runtime_error("no such particle");
  }
  virtual ~Particle() = default;
  int contents;
};
struct SameSize : Particle {
  using Particle::Particle;
  ~SameSize() override { ++destroyed; }
  static inline int destroyed = 0;
};
struct Larger : Particle {
  using Particle::Particle;
  long more[4] = {};
};
static_assert(sizeof(SameSize) == sizeof(Particle) && sizeof(Larger) > sizeof(Particle));

size_t in_use_of_particles() { return Particle::manager().capacity() - Particle::manager().free_count(); }

TEST(E2_class_operator_new, objects_come_from_the_manager_of_their_class) {
  const DefaultHeapIsKept kept;
  std::set<void *> nodes;
  for (int i = 0; i < 200; ++i) nodes.insert(new Particle(i));
  EXPECT_EQ(in_use_of_particles(), 200u);
  EXPECT_GE(Particle::manager().node_size(), sizeof(Particle));
  expect_in_use(hg_default_heap(), nodes);
  void *last = nullptr;
  for (void *node : nodes) {
    delete static_cast<Particle *>(node);
    last = node;
  }
  EXPECT_EQ(in_use_of_particles(), 0u);
  Particle *const again = new Particle;
  EXPECT_EQ(static_cast<void *>(again), last) << "the object deleted last is made first";
  delete again;
  delete static_cast<Particle *>(nullptr);
  Particle::manager().clear();
}

TEST(E2_class_operator_new, a_derived_class_of_the_same_size_shares_the_manager) {
  const DefaultHeapIsKept kept;
  Particle *const derived = new SameSize(3);
  EXPECT_TRUE(Particle::manager().holds(derived));
  EXPECT_EQ(in_use_of_particles(), 1u);
  SameSize::destroyed = 0;
  delete derived;  // through the base
  EXPECT_EQ(SameSize::destroyed, 1);
  EXPECT_EQ(in_use_of_particles(), 0u);
  Particle::manager().clear();
}

TEST(E2_class_operator_new, a_larger_derived_class_and_arrays_go_to_the_global_operators) {
  const DefaultHeapIsKept kept;
  delete new Particle;  // sets the node size
  Particle *const larger = new Larger(1);
  EXPECT_FALSE(Particle::manager().holds(larger));
  EXPECT_EQ(in_use_of_particles(), 0u);
  delete larger;
  Particle *const array = new Particle[3];
  EXPECT_FALSE(Particle::manager().holds(array));
  delete[] array;
  EXPECT_EQ(in_use_of_particles(), 0u);
  Particle::manager().clear();
}

TEST(E2_class_operator_new, a_throwing_constructor_gives_its_node_back) {
  const DefaultHeapIsKept kept;
  EXPECT_THROW(new Particle(-1), std::runtime_error);
  EXPECT_THROW(new (std::nothrow) Particle(-1), std::runtime_error);
  EXPECT_THROW(new (std::nothrow) Larger(-1), std::runtime_error);  // AddressSanitizer would find it lost
  EXPECT_EQ(Particle::manager().capacity(), Particle::manager().free_count());
  EXPECT_GT(Particle::manager().capacity(), 0u);
  Particle::manager().clear();
}

TEST(E2_class_operator_new, placement_new_is_still_there) {
  alignas(Particle) unsigned char place[sizeof(Particle)];
  Particle *const placed = new (place) Particle(5);
  EXPECT_EQ(static_cast<void *>(placed), place);
  placed->~Particle();
}

struct Other : fixed_block_new<Other> {
  char bytes[100];
};

TEST(E2_class_operator_new, each_class_has_a_manager_of_its_own) {
  const DefaultHeapIsKept kept;
  const auto particle = std::make_unique<Particle>();
  const auto other = std::make_unique<Other>();
  EXPECT_TRUE(Other::manager().holds(other.get()));
  EXPECT_FALSE(Particle::manager().holds(other.get()));
  EXPECT_FALSE(Other::manager().holds(particle.get()));
  EXPECT_GE(Other::manager().node_size(), sizeof(Other));
  Other::manager().clear();  // both are trivial to forget but for the deletes below
  EXPECT_EQ(Other::manager().capacity(), 0u);
  Other *const fresh = new Other;
  EXPECT_EQ(Other::manager().capacity() - Other::manager().free_count(), 1u);
  delete fresh;
  const_cast<std::unique_ptr<Other> &>(other).release();
  const_cast<std::unique_ptr<Particle> &>(particle).reset();
  Particle::manager().clear();
  Other::manager().clear();
}

struct Few : fixed_block_new<Few, inline_arena<256>> {
  long value[4];
};

TEST(E2_class_operator_new, a_class_on_an_array_of_its_own_runs_out) {
  std::vector<std::unique_ptr<Few>> few;
  for (size_t i = 0; i < 256 / sizeof(Few); ++i) few.emplace_back(new Few);
  EXPECT_THROW(new Few, std::bad_alloc);
  EXPECT_EQ(new (std::nothrow) Few, nullptr);
  few.pop_back();
  EXPECT_NO_THROW(few.emplace_back(new Few));
}

struct alignas(64) Wide : fixed_block_new<Wide> {
  virtual ~Wide() = default;
  char bytes[80];
};
struct Line : fixed_block_new<Line> {
  virtual ~Line() = default;
  char bytes[56];
};
struct alignas(64) WiderLine : Line {};  // no larger, and more aligned

TEST(E2_class_operator_new, over_aligned_classes_are_aligned) {
  const DefaultHeapIsKept kept;
  std::vector<std::unique_ptr<Wide>> wide;
  for (int i = 0; i < 100; ++i) {
    wide.emplace_back(new Wide);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(wide.back().get()) % 64, 0u);
    EXPECT_TRUE(Wide::manager().holds(wide.back().get()));
  }
  wide.emplace_back(new (std::nothrow) Wide);
  EXPECT_TRUE(Wide::manager().holds(wide.back().get()));
  wide.clear();
  EXPECT_EQ(Wide::manager().capacity(), Wide::manager().free_count());
  static_assert(sizeof(WiderLine) == sizeof(Line));
  const std::unique_ptr<Line> line(new Line);
  for (int i = 0; i < 3; ++i) {
    const std::unique_ptr<Line> wider(new WiderLine);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(wider.get()) % 64, 0u);
    EXPECT_FALSE(Line::manager().holds(wider.get()));
  }
  const_cast<std::unique_ptr<Line> &>(line).reset();
  Wide::manager().clear();
  Line::manager().clear();
}

}  // namespace
}  // namespace fixed_tests
