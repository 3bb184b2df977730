// Every way into a function and out of it: recursion, pointers and virtual functions, exceptions, longjmp. Each allocates on all ways.
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

#ifdef THREADS
#define OWN thread_local
#else
#define OWN
#endif
OWN std::vector<void *> g_kept;
OWN std::jmp_buf g_back;
OWN unsigned g_seed = 1;

unsigned draw(unsigned below) {
  g_seed = g_seed * 1664525u + 1013904223u;
  return (g_seed >> 8) % below;
}

__attribute__((noinline)) void keep(size_t size) { g_kept.push_back(std::malloc(size)); }

struct Shape {
  virtual ~Shape() = default;
  virtual void work(int depth) = 0;
};
void any(int depth);

struct Round : Shape {
  __attribute__((noinline)) void work(int depth) override {
    keep(16);
    any(depth - 1);
    keep(24);
  }
};
struct Square : Shape {
  __attribute__((noinline)) void work(int depth) override {
    std::string text(40 + draw(20), 'x');
    any(depth - 1);
    text += "longer than it was before, by so many letters";
  }
};

__attribute__((noinline)) void by_pointer(int depth) {
  static void (*const kWays[])(int) = {any, [](int left) { keep(8); any(left - 1); }, [](int left) { any(left - 1); keep(9); }};
  kWays[draw(3)](depth - 1);
}

__attribute__((noinline)) void throws(int depth) {
  keep(32);
  any(depth - 1);
  if (draw(2) == 0) throw std::runtime_error("a text that is kept in an allocated block");
}

__attribute__((noinline)) void catches(int depth) {
  try {
    throws(depth - 1);
    keep(33);
  } catch (const std::exception &error) {
    keep(34);
  }
  keep(35);
}

__attribute__((noinline)) void jumps(int depth) {
  keep(48);
  if (depth > 0 && draw(3) != 0) jumps(depth - 1);
  else std::longjmp(g_back, 1);
}

__attribute__((noinline)) void lands() {
  if (setjmp(g_back) == 0) jumps(static_cast<int>(draw(4)));
  else keep(49);
  keep(50);
}

__attribute__((noinline)) void recurses(int depth) {
  keep(64);
  if (depth > 0) recurses(depth - 1);
  if (draw(4) == 0) keep(65);
}

__attribute__((noinline)) void any(int depth) {
  if (depth <= 0) return keep(1);
  switch (draw(6)) {
    case 0: {
      Round round;
      Square square;
      Shape *shapes[] = {&round, &square};
      return shapes[draw(2)]->work(depth - 1);
    }
    case 1: return by_pointer(depth);
    case 2: return catches(depth);
    case 3: return lands();
    case 4: return recurses(static_cast<int>(draw(5)));
    default: {
      std::function<void()> later = [depth, size = std::vector<int>(draw(9) + 1)] { any(depth - 1 - static_cast<int>(size.size() / 9)); };
      return later();
    }
  }
}

}  // namespace

// Called from JavaScript, again and again, with another stack under it each time.
extern "C" __attribute__((used, visibility("default"))) int run(unsigned seed) {
  g_seed = seed;
  for (int round = 0; round < 20; ++round) {
    any(6);
    while (g_kept.size() > 40) {
      std::free(g_kept.back());
      g_kept.pop_back();
    }
  }
  return static_cast<int>(g_kept.size());
}

#ifndef THREADS
int main() { return run(7) < 0; }
#else
// stacks [seeds]: so many runs in each of four threads at once, and in this one.
#include <thread>
int main(int argc, char **argv) {
  const unsigned seeds = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
  const auto work = [seeds](unsigned first) {
    for (unsigned seed = first; seed < first + seeds; ++seed) run(seed);
  };
  std::vector<std::thread> threads;
  for (unsigned nth = 1; nth <= 4; ++nth) threads.emplace_back(work, nth * 1000);
  work(0);
  for (std::thread &thread : threads) thread.join();
}
#endif
