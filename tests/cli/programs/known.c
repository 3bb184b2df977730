/* A program that counts its own calls and prints what it counted, as JSON: known [steps [all | fail]]. The report of
 * its trace says the same.
 * Everything it asks of malloc goes through the functions named counted_...; libc asks for nothing meanwhile. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSlots = 700 };
static void *slots[kSlots];
static size_t requests[kSlots];
static unsigned long allocations, frees, reallocations;
static unsigned long long live_bytes, live_blocks, peak_bytes, peak_blocks, allocated_bytes;

/* By volatile pointers: a compiler that knows malloc leaves out what it thinks nobody sees. */
static void *(*volatile any_malloc)(size_t) = malloc;
static void *(*volatile any_calloc)(size_t, size_t) = calloc;
static void *(*volatile any_realloc)(void *, size_t) = realloc;
static void *(*volatile any_aligned)(size_t, size_t) = aligned_alloc;
static void (*volatile any_free)(void *) = free;

static void note_peak(void) {
  if (live_bytes <= peak_bytes) return;
  peak_bytes = live_bytes;
  peak_blocks = live_blocks;
}

static void *count_new(void *mem, size_t request) {
  allocations += 1;
  allocated_bytes += request;
  live_blocks += 1;
  live_bytes += request;
  note_peak();
  return mem;
}

static void counted_free(void *mem, size_t request) {
  any_free(mem);
  if (mem == NULL) return;
  frees += 1;
  live_blocks -= 1;
  live_bytes -= request;
}

static void *counted_realloc(void *mem, size_t old, size_t request) {
  if (mem == NULL) return count_new(any_realloc(NULL, request), request);
  void *const moved = any_realloc(mem, request);
  reallocations += 1;
  live_bytes = live_bytes + request - old;
  note_peak();
  return moved;
}

static unsigned state = 7;
static unsigned below(unsigned limit) {
  state = state * 1664525u + 1013904223u;
  return (unsigned)(((uint64_t)state * limit) >> 32);
}

static void step(void) {
  const unsigned slot = below(kSlots);
  const size_t request = below(12) == 0 ? below(60000) : 1 + below(400);
  switch (below(5)) {
    case 0:
      counted_free(slots[slot], requests[slot]);
      slots[slot] = count_new(any_malloc(request), request);
      break;
    case 1:
      counted_free(slots[slot], requests[slot]);
      slots[slot] = count_new(any_calloc(1, request), request);
      break;
    case 2:
      slots[slot] = counted_realloc(slots[slot], requests[slot], request);
      break;
    case 3:
      counted_free(slots[slot], requests[slot]);
      slots[slot] = count_new(any_aligned(64, (request + 63) / 64 * 64), (request + 63) / 64 * 64);
      requests[slot] = (request + 63) / 64 * 64;
      return;
    default:
      counted_free(slots[slot], requests[slot]);
      slots[slot] = NULL;
      requests[slot] = 0;
      return;
  }
  requests[slot] = request;
}

/* As a vector does that is not told its size: new, copy, free. */
static void grow_by_copies(void) {
  size_t size = 1000;
  void *mem = count_new(any_malloc(size), size);
  for (int i = 0; i < 6; ++i) {
    void *const larger = count_new(any_malloc(size * 2), size * 2);
    memcpy(larger, mem, size);
    counted_free(mem, size);
    mem = larger;
    size *= 2;
  }
  counted_free(mem, size);
}

static void make_temporaries(void) {
  for (int i = 0; i < 50; ++i) counted_free(count_new(any_malloc(31), 31), 31);
}

int main(int argc, char **argv) {
  const long steps = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
  for (long i = 0; i < steps; ++i) step();
  grow_by_copies();
  make_temporaries();
  if (argc > 2 && strcmp(argv[2], "all") == 0) {
    for (int i = 0; i < kSlots; ++i) counted_free(slots[i], requests[i]);
  }
  printf("{\"allocations\":%lu,\"allocated_bytes\":%llu,\"frees\":%lu,\"reallocations\":%lu,", allocations, allocated_bytes, frees,
         reallocations);
  printf("\"peak_bytes\":%llu,\"peak_blocks\":%llu,\"live_bytes\":%llu,\"live_blocks\":%llu}\n", peak_bytes, peak_blocks, live_bytes,
         live_blocks);
  if (argc > 2 && strcmp(argv[2], "fail") == 0) return 7;
  return 0;
}
