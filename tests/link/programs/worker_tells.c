/* A pthread makes the allocator tell something while it holds the heap's lock, and the main thread does nothing but take that lock:
   it never returns to its event loop, where it would write the pthread's line.

     "double free"    of a block that no cache takes; ends the program
     "hook"           the same, told to a hook that prints
     "out of memory"  the program goes on */
#include <heapglass/malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLarge = 70000, kTurns = 20 };

static void *(*volatile any_malloc)(size_t) = malloc;
static void (*volatile any_free)(void *) = free;

static const char *row;
static atomic_int turns, ended;

static void print_the_text(uint32_t kind, const void *address, const char *text) {
  fprintf(stderr, "the hook got %u: %s\n", (unsigned)kind, address != NULL ? text : "");
}

static void *make_it_tell(void *unused) {
  while (atomic_load(&turns) < kTurns) {
  }
  if (strcmp(row, "out of memory") == 0) {
    if (any_malloc((size_t)1 << 30) != NULL) abort();
  } else {
    if (strcmp(row, "hook") == 0) hg_set_failure_hook(print_the_text);
    void *const mem = any_malloc(kLarge);
    any_free(mem);
    any_free(mem);
  }
  atomic_store(&ended, 1);
  return unused;
}

int main(int count, char **words) {
  row = count > 1 ? words[1] : "double free";
  pthread_t thread;
  pthread_create(&thread, NULL, make_it_tell, NULL);
  while (!atomic_load(&ended)) {
    any_free(any_malloc(kLarge));
    atomic_fetch_add(&turns, 1);
  }
  pthread_join(thread, NULL);
  puts("went on");
  return 0;
}
