// The k-th growth of memory is refused while malloc works, for every k of a life, once, thrice and for good: the
// call returns NULL, every block keeps its contents, and when memory can grow again the same call succeeds.
#include <heapglass/malloc.h>

#include <vector>

#include "lives.hpp"
#include "support/rising_bytes.hpp"

namespace out_of_memory_tests {
namespace {

constexpr size_t kMallocRounds = 12;
const heapglass_test::RisingBytes<1> kContents(0);

class MallocLife {
 public:
  static constexpr size_t kSteps = 9;
  static constexpr const char *kNames[kSteps] = {"small blocks", "half of them freed", "calloc",      "memalign", "realloc",
                                                 "large block",  "bulk_free",          "heap's block", "flush"};

  // False when a call was refused; what was done before stays done.
  bool perform(size_t step, size_t round) {
    switch (step) {
      case 0:
        for (size_t i = 0; i < 400; ++i) {
          const size_t size = (i * 37 + round * 11) % 700;
          if (!keep(hg_malloc(size), size)) return false;
        }
        return true;
      case 1:
        for (size_t i = blocks_.size(); i > 1; i -= 2) lose(i % blocks_.size());
        return true;
      case 2: return keep(hg_calloc(round + 1, 3000), (round + 1) * 3000);
      case 3: return keep(hg_memalign(size_t{64} << round, 5000), 5000);
      case 4: return reallocate(round * 101 % blocks_.size(), 9000 * (round + 1)) && reallocate(0, 200);
      case 5: return keep(hg_malloc(70000 * (round + 1)), 70000 * (round + 1));
      case 6: {
        void *some[40] = {};
        for (void *&one : some) {
          if (blocks_.empty()) break;
          one = blocks_.back().mem;
          blocks_.pop_back();
        }
        return hg_bulk_free(some, 40) == 0;
      }
      case 7: return keep(hg_heap_allocate(nullptr, 20000), 20000);
      default: hg_malloc_flush(); return true;
    }
  }
  // "" or what is wrong.
  std::string proof() const {
    const char *const broken = hg_heap_check(nullptr);
    if (broken != nullptr) return broken;
    for (const Block &block : blocks_) {
      if (!kContents.are_in(block.mem, block.size, block.mark)) return "contents changed";
    }
    return "";
  }
  std::string end() {
    while (!blocks_.empty()) lose(blocks_.size() - 1);
    hg_malloc_flush();
    const std::string wrong = proof();
    if (!wrong.empty()) return wrong;
    hg_heap_stats stats;
    hg_heap_get_stats(nullptr, &stats);
    if (stats.chunks_in_use != 0) return "chunks are in use after all was freed";
    return stats.chunks_free == stats.segments ? "" : "a segment is not one free chunk";
  }
  // Frees the largest block and takes it again. False when that is refused.
  bool free_and_take_largest() {
    size_t largest = 0;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].size > blocks_[largest].size) largest = i;
    }
    if (blocks_.empty()) return true;
    const size_t size = blocks_[largest].size;
    lose(largest);
    return keep(hg_malloc(size), size);
  }

 private:
  struct Block {
    unsigned char *mem;
    size_t size;
    unsigned char mark;
  };

  bool keep(void *mem, size_t size) {
    if (mem == nullptr) return false;
    blocks_.push_back({static_cast<unsigned char *>(mem), size, next_mark_++});
    kContents.fill(mem, size, blocks_.back().mark);
    return true;
  }
  bool reallocate(size_t at, size_t size) {
    Block &block = blocks_[at];
    void *const mem = hg_realloc(block.mem, size);
    if (mem == nullptr) return false;
    block.mem = static_cast<unsigned char *>(mem);
    if (!kContents.are_in(mem, size < block.size ? size : block.size, block.mark)) return false;  // proof() tells
    block.size = size;
    kContents.fill(mem, size, block.mark);
    return true;
  }
  void lose(size_t at) {
    hg_free(blocks_[at].mem);
    blocks_[at] = blocks_.back();
    blocks_.pop_back();
  }

  std::vector<Block> blocks_;
  unsigned char next_mark_ = 1;
};

Outcome live_with_malloc(size_t k, size_t count) {
  *heapglass::growing_pages() = heapglass::PageSource{};
  Outcome outcome;
  heapglass::fail_growth(k, count);
  MallocLife life;
  for (size_t round = 0; round < kMallocRounds; ++round) {
    for (size_t step = 0; step < MallocLife::kSteps; ++step) {
      const auto failed = [&](const std::string &why) {
        outcome.wrong = std::string(MallocLife::kNames[step]) + ", round " + std::to_string(round) + ": " + why;
        return outcome;
      };
      const size_t asked = heapglass::growths_asked();
      const bool worked = life.perform(step, round);
      if (hg_default_heap() != nullptr) {
        const std::string wrong = life.proof();
        if (!wrong.empty()) return failed(wrong);
      }
      if (worked) continue;
      outcome.refused = true;
      if (heapglass::growths_asked() == asked) return failed("refused without asking for memory");
      if (count == kForever) {
        if (hg_default_heap() != nullptr && !life.free_and_take_largest()) return failed("memory just freed cannot be had again");
        heapglass::fail_growth(0);
      }
      for (size_t tries = 0; !life.perform(step, round); ++tries) {
        if (tries == 3) return failed("refused again though memory can grow");
      }
      const std::string after = life.proof();
      if (!after.empty()) return failed("after the second try: " + after);
    }
  }
  heapglass::fail_growth(0);
  outcome.wrong = life.end();
  return outcome;
}

TEST(malloc_out_of_memory, at_every_growth_for_good_leaves_blocks_intact_and_freed_memory_usable) {
  const size_t growths = growths_of(live_with_malloc);
  ASSERT_GT(growths, 10u);
  size_t refused = 0;
  for (size_t k = 1; k <= growths; ++k) {
    const int outcome = in_child(live_with_malloc, k, kForever);
    ASSERT_NE(outcome, 2) << "growth " << k;
    refused += outcome == 1;
  }
  EXPECT_GT(refused, growths / 2) << "most growths were needed";
}

TEST(malloc_out_of_memory, at_every_growth_once_is_met_by_asking_for_less_or_passed_on_and_the_next_call_succeeds) {
  const size_t growths = growths_of(live_with_malloc);
  for (size_t k = 1; k <= growths; ++k) ASSERT_NE(in_child(live_with_malloc, k, 1), 2) << "growth " << k;
}

TEST(malloc_out_of_memory, at_every_growth_three_times_in_a_row_leaves_blocks_intact) {
  const size_t growths = growths_of(live_with_malloc);
  for (size_t k = 1; k <= growths; ++k) ASSERT_NE(in_child(live_with_malloc, k, 3), 2) << "growth " << k;
}

// Calls that find no heap, and no memory for its first segment. 0: each asks for it once, as in builds without probes, and gets NULL.
int call_without_a_heap() {
  *heapglass::growing_pages() = heapglass::PageSource{};
  heapglass::fail_growth(1, kForever);
  const size_t before = heapglass::growths_asked();
  if (hg_default_heap() != nullptr) return 1;
  const size_t of_one = heapglass::growths_asked() - before;
  using Call = void *(*)();
  constexpr Call kCalls[] = {
      [] { return hg_malloc(40); },          [] { return hg_malloc(1u << 20); },   [] { return hg_malloc(~size_t{0}); },
      [] { return hg_calloc(3, 40); },       [] { return hg_memalign(64, 40); },   [] { return hg_memalign(8, 40); },
      [] { return hg_realloc(nullptr, 40); }, [] { return hg_realloc_in_place(nullptr, 40); },
      [] { return hg_heap_allocate(nullptr, 40); },
  };
  for (const Call call : kCalls) {
    const size_t asked = heapglass::growths_asked();
    if (call() != nullptr) return 2;
    if (heapglass::growths_asked() - asked != of_one) return 3;
  }
  hg_free(nullptr);
  if (hg_malloc_flush() != 0 || hg_malloc_trim(0) != 0) return 4;
  heapglass::fail_growth(0);
  void *const mem = hg_malloc(40);
  if (mem == nullptr) return 5;
  hg_free(mem);
  return 0;
}

TEST(malloc_out_of_memory, where_no_heap_can_be_made_each_call_asks_once_and_ends_what_it_began) {
  const pid_t child = fork();
  if (child == 0) {
    heapglass_test::EventRecording::begin();
    const int wrong = call_without_a_heap();
    const std::string frame = heapglass_test::broken_frame(heapglass_test::EventRecording::read());
    if (!frame.empty()) fprintf(stderr, "%s\n", frame.c_str());
    _exit(wrong != 0 ? wrong : frame.empty() ? 0 : 9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace out_of_memory_tests
