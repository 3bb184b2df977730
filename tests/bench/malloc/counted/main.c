/* Runs one program in the C that wasm2c made of its module:  run <seed> <percent> <fresh|used> <step of growth in percent>
 * With BENCH_WORK it is one of workloads/, which takes no seed. With BENCH_CALLS it is one kind of call of workloads/micro.c:
 * <kind> <size> <extra> <count> <rounds> follow.
 * Memory begins as in a timed run of the bench: program.mjs. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"

enum { kDefaultPages = 256 };

static Z_heap_instance_t program;

int main(int count, char **words) {
#ifdef BENCH_CALLS
  if (count != 10) return 2;
#else
  if (count != 5) return 2;
#endif
  const u32 seed = (u32)strtoul(words[1], NULL, 10), percent = (u32)strtoul(words[2], NULL, 10);
  wasm_rt_init();
  Z_heap_init_module();
  INSTANTIATE(&program);
  Z_heapZ__initialize(&program);
#if !defined(BENCH_WORK) && !defined(BENCH_CALLS)
  Z_heapZ_bench_random_draw(&program, seed, percent);
#endif
  Z_heapZ_bench_set_growth_step(&program, (u32)strtoul(words[4], NULL, 10));
  wasm_rt_memory_t *const memory = Z_heapZ_memory(&program);
  if (memory->pages < kDefaultPages) wasm_rt_grow_memory(memory, kDefaultPages - memory->pages);
  const bool used = strcmp(words[3], "used") == 0;
#if defined(BENCH_CALLS)
  u32 call[5];
  for (int i = 0; i < 5; ++i) call[i] = (u32)strtoul(words[5 + i], NULL, 10);
  if (used) Z_heapZ_bench_use_heap(&program, seed);
  for (int round = 0; round < (int)call[4]; ++round)
    if (Z_heapZ_bench_micro(&program, call[0], call[1], call[2], call[3]) == 0) return 1;
#elif defined(BENCH_WORK)
  if (used) Z_heapZ_bench_use_heap(&program, seed);
  if (Z_heapZ_bench_work(&program, percent) == 0) return 1;
  printf("%u\n", Z_heapZ_bench_checksum(&program));
#else
  if (used) Z_heapZ_bench_random_use(&program, seed);
  printf("%u\n", Z_heapZ_bench_random_run(&program));
#endif
  return 0;
}
