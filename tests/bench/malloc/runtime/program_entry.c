/* The way into a workload program: the loader calls bench_work, then asks for the checksum. */
#include "../workloads/bench.h"

#define EXPORT __attribute__((used, visibility("default")))

static uint32_t checksum;

EXPORT uint32_t bench_work(uint32_t percent) { return bench_program(percent, &checksum); }
EXPORT uint32_t bench_checksum(void) { return checksum; }
