// Figures that the experiments EE1 .. EE5 tell alike. All of them work on the default heap.
#pragma once

#include <heapglass/heapglass.h>

#include <cstddef>

#include "experiments/program.hpp"

namespace experiments {

// experiment.X3: what the default heap has in use when the row ends beyond what it had when the row began.
class BytesLeft {
 public:
  BytesLeft() : before_(in_use()) {}
  ~BytesLeft() { experiment_figure("bytes_left", static_cast<double>(in_use()) - static_cast<double>(before_)); }
  BytesLeft(const BytesLeft &) = delete;
  BytesLeft &operator=(const BytesLeft &) = delete;

  // Bytes that the row holds at the moment, for ways without a manager.
  void report_held() const { experiment_figure("bytes_held", static_cast<double>(in_use() - before_)); }

 private:
  static std::size_t in_use() {
    hg_heap_stats stats;
    hg_heap_get_stats(hg_default_heap(), &stats);
    return stats.in_use;
  }
  std::size_t before_;
};

// What a manager has taken for its nodes: runs of nodes (blocks of the heap, or its one array), nodes and bytes.
inline void report_taken(std::size_t arenas, std::size_t capacity, std::size_t bytes_held) {
  experiment_figure("arenas", static_cast<double>(arenas));
  experiment_figure("capacity", static_cast<double>(capacity));
  experiment_figure("bytes_held", static_cast<double>(bytes_held));
}
template <class Manager>
void report_fixed_block(const Manager &manager) {
  report_taken(manager.arena().arenas(), manager.capacity(), manager.arena().bytes_held());
  experiment_figure("node_bytes", static_cast<double>(manager.node_size()));
}

// Time of all the work, and of one thing out of `count`.
class TotalAndEach {
 public:
  TotalAndEach(const char *each_ns, double count) : each_ns_(each_ns), count_(count), begin_(experiment_now()) {}
  ~TotalAndEach() {
    const double total = experiment_now() - begin_;
    experiment_figure("total_ms", total);
    experiment_figure(each_ns_, total * 1e6 / count_);
  }
  TotalAndEach(const TotalAndEach &) = delete;
  TotalAndEach &operator=(const TotalAndEach &) = delete;

 private:
  const char *each_ns_;
  double count_;
  double begin_;
};

}  // namespace experiments
