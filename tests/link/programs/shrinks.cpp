// A program whose memory goes back: what its JavaScript calls, what its heap holds, and what lies outside the heap.
#include <emscripten.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

namespace {

constexpr unsigned kBlocks = 4096;
struct Block {
  unsigned char *at;
  unsigned size;
  unsigned char seed;
};
Block g_blocks[kBlocks];
uint32_t g_state = 1;
uint32_t g_hash = 2166136261u;
int g_constructed = 0;
uint32_t g_big[200000] = {1};  // data of its own, part of it zero

uint32_t below(uint32_t n) {
  g_state = g_state * 1103515245u + 12345u;
  return (g_state >> 8) % n;
}
void note(uint32_t word) { g_hash = (g_hash ^ word) * 16777619u; }

struct Constructed {
  Constructed() { ++g_constructed; }
} g_one;

int twice(int n) { return 2 * n; }
int thrice(int n) { return 3 * n; }
typedef int (*Call)(int);
Call g_call = twice;
Call g_from_outside = nullptr;

}  // namespace

// Random calls: allocate, free, resize; every block is proved when it goes. What was found becomes one number;
// addresses do not: in a smaller memory malloc flushes its cache earlier, before memory grows.
EXPORT uint32_t run(uint32_t calls, uint32_t most) {
  for (uint32_t i = 0; i < calls; ++i) {
    Block &block = g_blocks[below(most < kBlocks ? most : kBlocks)];
    if (block.at != nullptr && below(3) == 0) {
      const unsigned size = 1 + below(20000);
      block.at = static_cast<unsigned char *>(realloc(block.at, size));
      for (unsigned at = block.size; at < size; ++at) block.at[at] = static_cast<unsigned char>(block.seed + at);
      block.size = size;
    } else if (block.at != nullptr) {
      for (unsigned at = 0; at < block.size; ++at) {
        if (block.at[at] != static_cast<unsigned char>(block.seed + at)) note(0xdead);
      }
      free(block.at);
      block.at = nullptr;
    } else {
      block.size = 1 + below(below(4) == 0 ? 60000 : 600);
      block.seed = static_cast<unsigned char>(below(256));
      block.at = static_cast<unsigned char *>(malloc(block.size));
      for (unsigned at = 0; at < block.size; ++at) block.at[at] = static_cast<unsigned char>(block.seed + at);
    }
    note(block.size + (block.at != nullptr));
    note(static_cast<uint32_t>(g_call(static_cast<int>(i))));
    g_call = below(2) == 0 ? twice : thrice;
    g_big[below(200000)] ^= i;
  }
  for (const uint32_t word : g_big) note(word);
  note(static_cast<uint32_t>(g_constructed));
  return g_hash;
}

EXPORT void *hold(size_t bytes) {
  unsigned char *const at = static_cast<unsigned char *>(malloc(bytes));
  if (at != nullptr) memset(at, 0x5a, bytes);
  return at;
}
EXPORT uint32_t sum(const unsigned char *at, size_t bytes) {
  uint32_t total = 0;
  for (size_t i = 0; i < bytes; ++i) total += at[i];
  return total;
}
extern "C" size_t hg_malloc_trim(size_t pad);
EXPORT void trim() { hg_malloc_trim(0); }  // a shrink trims, and so does the run without
EXPORT void let_go(void *at) { free(at); }
EXPORT Call function_pointer(int which) { return which == 2 ? twice : thrice; }
EXPORT int call_pointer(Call call, int n) { return call(n); }
EXPORT void keep_pointer(Call call) { g_from_outside = call; }
EXPORT int call_kept(int n) { return g_from_outside == nullptr ? -1 : g_from_outside(n); }
EXPORT uint32_t total_of(const char *text) {
  uint32_t total = 0;
  while (*text != '\0') total += static_cast<unsigned char>(*text++);
  return total;
}
EXPORT double mix(int a, double b, float c, int d, int e, int f, int g) { return a + b + c + d + e + f + g; }
EM_JS(int, inside, (), { return Module['duringCall'] ? Module['duringCall']() : 0; });
EXPORT int calls_out() { return inside(); }

// Calls that do not return, with a stack that nobody takes down.
EXPORT uint32_t stack_at() {
  volatile char here = 0;
  static volatile uintptr_t at;
  at = reinterpret_cast<uintptr_t>(&here);
  return static_cast<uint32_t>(at);
}
EXPORT int fails(int how, int depth) {
  volatile char wide[512] = {};
  wide[depth % 512] = 1;
  if (depth > 0) return fails(how, depth - 1) + wide[depth % 512];
  g_state ^= 0x5555;
  if (how == 0) exit(3);
  if (how == 1) __builtin_trap();
  return inside();
}

int main() {
  printf("started\n");
  return 0;
}
