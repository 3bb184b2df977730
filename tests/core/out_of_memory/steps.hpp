// A short life of a program in steps, each of which may need memory to grow: every function of the ABI that takes.
//
// A Life can be led again and again from the same beginning; what it holds is known, so that after a refused step it
// can be proved that nothing was lost and nothing else changed.
#pragma once

#include <heapglass/heapglass.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace out_of_memory_tests {

class Life {
 public:
  explicit Life(hg_heap *heap) : heap_(heap) {}

  static constexpr size_t kSteps = 14;
  static const char *name_of(size_t step);

  // False when the step was refused. `round` makes sizes and counts grow from time to time.
  bool perform(size_t step, size_t round);
  // "" or what is wrong: an invariant of the heap, the contents of a block, the status of the refused call.
  std::string proof() const;
  // Gives everything back; "" or what is wrong then.
  std::string end();
  // Frees the largest block held; its size, 0 when nothing is held.
  size_t free_largest();

 private:
  struct Held {
    unsigned char *mem;
    size_t bytes;
    unsigned char mark;
  };
  struct HeldPool {
    hg_pool *pool;
    std::vector<void *> nodes;
  };

  bool keep(void *mem);  // false for NULL
  bool keep_chain(hg_chain chain);
  void lose(size_t index);
  bool use_pool(uint32_t shape, size_t round);

  hg_heap *heap_;
  std::vector<Held> held_;
  std::vector<HeldPool> pools_;
  unsigned char next_mark_ = 1;
  mutable bool refused_ = false;
  uint32_t refused_status_ = 0;
};

}  // namespace out_of_memory_tests
