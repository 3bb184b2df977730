/* The experiments of the source documents: programs that measure themselves.
 *
 * One module holds many experiments (build/wasm/experiments*.wasm); natively they are linked into a test. An experiment
 * is a list of rows, each one way of doing one amount of work. The host runs rows one after another, each in a fresh
 * instance and several times, interleaved, and takes medians of what they tell; docs/experiments.md shows the result.
 *
 *   host                                     program
 *   experiment_describe()          ----->    text: one line a row, fields parted by tabs (below)
 *   experiment_begin(id, row, divisor) -->   prepares and, when it returns 0 threads, does all the work
 *   experiment_thread(1 .. n)      ----->    the part of one thread; each on a thread of its own, at the same time
 *   experiment_end()               ----->    after all threads: checks, frees everything
 *                                  <-----    experiment_figure(name, value), any time in between
 *
 *  experiment.X1  Names of figures that end in _ms or _ns are times, measured with experiment_now; names that end in _varies are
 *      counts of what threads did to each other, which may differ between runs; every other figure is a count (calls,
 *      bytes, blocks, percent ...) that is the same in every run of the row with the same divisor.
 *  experiment.X2  divisor makes the work smaller, not different: it divides the iterations (never below 1), not the sizes.
 *  experiment.X3  A row frees all it took, and says with the figure "bytes_left" what its heaps still hold in use (0 when all went
 *      well, and the row is about nothing else).
 *  experiment.X4  A row that finds its own result wrong (a CRC, a lost node, a wrong sum) tells a figure "errors"; 0 when none.
 *  experiment.X5  Same divisor, same calls: random numbers are seeded.
 */
#ifndef HEAPGLASS_EXPERIMENT_H
#define HEAPGLASS_EXPERIMENT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lines "AE1\tV2\t10000\t10000\t0\n": experiment, way (allocator), iterations, size (elements, nodes ...), threads (0: it
 * needs none). Row numbers count from 0 within each experiment, in this order. */
const char *experiment_describe(void);
/* experiment: the digits and letters of its name as a number, see HG_EXPERIMENT. Returns how many threads are to be run, or
 * EXPERIMENT_UNKNOWN. */
uint32_t experiment_begin(uint32_t experiment, uint32_t row, uint32_t divisor);
void experiment_thread(uint32_t thread);
/* 0, or EXPERIMENT_OUT_OF_MEMORY. */
uint32_t experiment_end(void);

#define EXPERIMENT_UNKNOWN 0xffffffffu
#define EXPERIMENT_OUT_OF_MEMORY 1u
/* 'A', 1 is AE1. */
#define HG_EXPERIMENT(letter, number) ((uint32_t)(letter) << 8 | (uint32_t)(number))

#ifdef __cplusplus
}
#endif

#endif
