/* How linear memory grows. Every allocator's page source ends in emscripten_resize_heap; the linker leads it here
 * (--wrap), because without Emscripten's JavaScript it would grow by just what is asked:
 *
 *   growth.G1  Timed runs grow as Emscripten's JavaScript does by default: to 1.2 times what there is, at most 96 MiB beyond the
 *       request; when that cannot be had, with 1.1 and 1.05.
 *   growth.G2  Footprint runs grow by just what is asked, in pages (-sMEMORY_GROWTH_GEOMETRIC_STEP=0).
 *   growth.G3  Linear memory never shrinks, so its last size is its largest.
 *   growth.G4  A growth is counted when memory was made larger. What was asked of memory is the largest end that was asked for,
 *       before it is rounded to pages.
 */
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((used, visibility("default")))

static const uint64_t kPage = 65536, kMaxMemory = (1ull << 32) - 65536, kMaxBeyond = 96ull << 20;
static uint32_t step_percent, growths;
static size_t most_asked;

EXPORT void bench_set_growth_step(uint32_t percent) { step_percent = percent; }

EXPORT uint32_t bench_growths(void) { return growths; }
EXPORT size_t bench_most_asked(void) { return most_asked; } /* 0: never */

static int grow_to(uint64_t bytes) {
  const uint64_t pages = (bytes + kPage - 1) / kPage, now = __builtin_wasm_memory_size(0);
  if (pages <= now) return 1;
  if (__builtin_wasm_memory_grow(0, (size_t)(pages - now)) == (size_t)-1) return 0;
  ++growths;
  return 1;
}

int __wrap_emscripten_resize_heap(size_t bytes) {
  const uint64_t now = (uint64_t)__builtin_wasm_memory_size(0) * kPage;
  if (bytes > kMaxMemory) return 0;
  if (bytes > most_asked) most_asked = bytes;
  for (uint32_t step = step_percent; step >= 5; step /= 2) {
    uint64_t goal = now + now * step / 100;
    if (goal > bytes + kMaxBeyond) goal = bytes + kMaxBeyond;
    if (goal > kMaxMemory) goal = kMaxMemory;
    if (goal > bytes && grow_to(goal)) return 1;
  }
  return grow_to(bytes);
}
