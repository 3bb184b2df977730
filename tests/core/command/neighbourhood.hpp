// A heap on a fixed region whose every byte is planned: one chunk in use, the subject, and what lies beside it.
//
//   ... | guard | elsewhere | guard | before | subject | after | guard |        before not an edge
//                                          | subject | after | guard | elsewhere | guard |   before an edge
//
//   before   guard (in use), a free chunk in a small bin, in a large bin, the victim, or the start of the segment
//   after    the same, top, or the end of the segment
//   elsewhere  a free chunk that touches neither, for allocate_new; 0: none
//
// Nothing else is free, so what a command can reach follows from the plan. The kinds are proved on the walk when the
// neighbourhood is made: a plan that the heap's policy does not follow fails the test, it does not weaken it.
#pragma once

#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace command_tests {

inline constexpr size_t kWordBytes = sizeof(size_t);
inline constexpr size_t kAlignBytes = HG_ALIGNMENT;
inline constexpr size_t kLeastChunk = 4 * kWordBytes;

enum class Beside { kInUse, kFreeSmall, kFreeLarge, kVictim, kTop, kEdge };

struct Plan {
  Beside before;
  Beside after;
  size_t subject;    // chunk sizes: header included, multiples of kAlignBytes
  size_t elsewhere;  // 0: none

  std::string text() const;
  // False for plans no heap can have: top before the subject, two victims, no room for `elsewhere`.
  bool possible() const;
  // Whether there is a place for memory in use that touches neither the subject nor what lies beside it.
  bool padded() const;
};

class Neighbourhood {
 public:
  explicit Neighbourhood(const Plan &plan);  // fails the current test when the plan does not come out
  ~Neighbourhood();
  Neighbourhood(const Neighbourhood &) = delete;
  Neighbourhood &operator=(const Neighbourhood &) = delete;

  hg_heap *heap() const { return heap_; }
  void *subject() const { return subject_; }
  size_t before() const { return before_; }    // bytes of the free chunk before the subject, 0: none
  size_t after() const { return after_; }      // bytes of the free chunk after it, top included
  size_t largest_free() const { return largest_; }

  // The guards' and the first `bytes` of the subject's contents, as written when the neighbourhood was made.
  bool guards_intact() const;
  bool subject_intact(size_t bytes) const;
  // Frees the guards and `block` (the subject or what became of it; NULL: nothing) and says whether the heap is one
  // free chunk and every invariant holds; the text names what is wrong.
  std::string end(void *block, void *other = nullptr);

 private:
  void *take(size_t chunk_bytes);
  void *take_guard(size_t chunk_bytes);

  void *region_;
  hg_heap *heap_;
  void *subject_ = nullptr;
  size_t before_ = 0, after_ = 0, largest_ = 0;
  std::vector<void *> guards_;
};

// Every record of the heap's walk.
std::vector<hg_walk_record> walk_of(const hg_heap *heap);

}  // namespace command_tests
