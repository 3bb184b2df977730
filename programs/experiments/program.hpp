// What an experiment is made of; what its host gives it. One file an experiment: ae1_forward_expansion.cpp defines
// `extern const Program kAe1` and so on; programs.cpp lists them.
#pragma once

#include <cstddef>
#include <cstdint>

// ---- given by the host: imports of the module "experiment" in wasm, functions of the test natively ----
extern "C" {
#if defined(__wasm__)
#define HG_FROM_HOST(name) __attribute__((import_module("experiment"), import_name(name)))
#else
#define HG_FROM_HOST(name)
#endif
// Milliseconds since some moment, with fractions.
HG_FROM_HOST("now") double experiment_now(void);
// One figure of the row that runs; a name told twice keeps the last value. pre: called by the thread of begin and end.
HG_FROM_HOST("figure") void experiment_figure(const char *name, double value);
}

namespace experiments {

struct Row {
  const char *way;
  uint32_t iterations;
  uint32_t size;
  uint32_t threads;
};

// One experiment. Rows are a static table; the functions get the row and its divided iterations.
struct Program {
  uint32_t id;       // HG_EXPERIMENT
  const char *name;  // "AE1"
  const Row *rows;
  uint32_t row_count;
  // Runs everything when the row needs no threads, else prepares. False: out of memory.
  bool (*begin)(uint32_t row, uint32_t iterations);
  void (*thread)(uint32_t thread);  // nullptr when no row needs threads
  bool (*end)();                    // nullptr: nothing to do
};

// The programs of this module, nullptr where one is not linked into it: programs.cpp.
extern const Program *const kPrograms[];
extern const uint32_t kProgramCount;

// Time that passes in a scope, told as a figure.
class Stopwatch {
 public:
  explicit Stopwatch(const char *figure) : figure_(figure), begin_(experiment_now()) {}
  ~Stopwatch() { experiment_figure(figure_, experiment_now() - begin_); }
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;

 private:
  const char *figure_;
  double begin_;
};

// Keeps the optimizer from removing work whose result nobody reads.
template <class T>
inline void keep(const T &value) {
  asm volatile("" : : "r"(&value) : "memory");
}

// experiment.X5: xorshift32.
class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed) {}
  uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(uint64_t{next()} * bound >> 32); }

 private:
  uint32_t state_;
};

}  // namespace experiments
