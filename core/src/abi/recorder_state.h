/* What the JavaScript of all threads of a recorded program shares, beside the ring. Layout only, compiles as C99 and as C++20:
 * tools/gen_event_layout.mjs makes kRecorderStateLayout of it, by which web/src/record/linked reads and writes the words.
 */
#ifndef HEAPGLASS_RECORDER_STATE_H
#define HEAPGLASS_RECORDER_STATE_H

#include <stdint.h>

typedef struct hg_recorder_state {
  /* Addresses of trace::g_next and trace::g_lap: with them the true head is found when the program cannot be called any more. */
  const void *next;
  const void *lap;
  uint32_t file;    /* the file descriptor + 1; 0: none */
  uint32_t channel; /* number in the name of the BroadcastChannel between threads */
  uint32_t posts;   /* not 0: somebody wants packets */
  uint32_t every;   /* events after which a snapshot is due; 0: never */
  uint32_t written_low, written_high; /* records in the file so far */
  uint32_t sites;   /* call sites and their strings that are defined so far */
  uint32_t taken_at; /* milliseconds, modulo 2^32: when records were last taken */
  uint32_t batch;   /* records that are taken at once, at most */
  uint32_t look;    /* records from one look at the clock to the next; the ring's batch is where the next one is */
} hg_recorder_state;

#endif
