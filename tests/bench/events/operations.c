/* The heapglass-only operations for the cost of events: pools, bursts, the expansion command; and the ring's counter.
 * Linked with malloc/workload.c, which has the loops over allocate and deallocate.
 *
 * Each bench_* returns the number of operations it made; 0 means that memory ran out.
 */
#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#define EXPORT __attribute__((used, visibility("default")))

enum { kNodes = 10000, kBurst = 100, kGrowSteps = 64 };

static hg_pool *pool;
static void *nodes[kNodes];
static uint32_t random_state = 0x9e3779b9u;

static inline uint32_t next_random(void) {
  uint32_t x = random_state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return random_state = x;
}

/* An adaptive pool of 24-byte nodes, 10,000 of them alive; each step returns one at random and takes another. */
EXPORT uint32_t bench_pool_random(uint32_t steps) {
  if (!pool) {
    hg_pool_options options = {HG_SHAPE_adaptive, 24, 256, 2, 0};
    if (!(pool = hg_pool_create(0, &options))) return 0;
    for (uint32_t i = 0; i < kNodes; ++i)
      if (!(nodes[i] = hg_pool_allocate(pool))) return 0;
  }
  for (uint32_t i = 0; i < steps; ++i) {
    uint32_t at = next_random() % kNodes;
    hg_pool_deallocate(pool, nodes[at]);
    if (!(nodes[at] = hg_pool_allocate(pool))) return 0;
  }
  return steps * 2;
}

/* Bursts of 100 blocks of 32 bytes, each burst freed at once as a chain. Counted in blocks. */
EXPORT uint32_t bench_burst(uint32_t blocks) {
  uint32_t done = 0;
  while (done < blocks) {
    hg_chain chain;
    hg_chain_init(&chain);
    if (!hg_heap_burst_nodes(0, kBurst, 32, HG_CONTIGUOUS_DEFAULT, &chain)) return 0;
    hg_heap_burst_deallocate(0, &chain);
    done += kBurst;
  }
  return done;
}

/* A block that grows forward by 16 bytes a command, 64 times, then is freed. Counted in commands. */
EXPORT uint32_t bench_expand(uint32_t commands) {
  uint32_t done = 0;
  while (done < commands) {
    void *mem = hg_heap_allocate(0, 16);
    if (!mem) return 0;
    for (uint32_t step = 2; step <= kGrowSteps; ++step) {
      hg_command_result result =
          hg_heap_command(0, HG_EXPAND_FWD | HG_ALLOCATE_NEW, 1, step * 16, step * 16, mem);
      if (!result.mem) return 0;
      if (!result.reused) hg_heap_deallocate(0, mem);
      mem = result.mem;
    }
    hg_heap_deallocate(0, mem);
    done += kGrowSteps - 1;
  }
  return done;
}

#ifdef BENCH_TRACE
/* on: mode drop, the oldest records are overwritten; off: the probes are there and write nothing. */
EXPORT void bench_trace(uint32_t on) {
  if (on)
    hg_trace_start(0);
  else
    hg_trace_stop();
}
/* Events written so far, modulo 2^32. */
EXPORT uint32_t bench_events(void) { return hg_trace_ring()->head_low; }
#endif
