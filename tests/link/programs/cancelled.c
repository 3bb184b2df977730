/* Cancelled threads, which are still ending when main returns; with -DJOINED main waits for them.
 * Emscripten 3.1.6 frees the stacks and the control blocks of threads that still run, and ends their workers afterwards. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

enum { kThreads = 6, kStack = 8 << 20, kWhole = 7 };

static _Atomic int begun, ending;

/* Runs as a cancelled thread ends: until the thread's own stack has been freed and filled. */
static void wait_for_fill(void *canary) {
  ++ending;
#ifndef JOINED
  while (*(volatile int *)canary == kWhole) {}
#else
  (void)canary;
#endif
}
static void nothing(void *canary) { (void)canary; }

static void *live(void *argument) {
  volatile int canary = kWhole;
  pthread_cleanup_push(nothing, argument);
  pthread_cleanup_push(wait_for_fill, (void *)&canary);
  ++begun;
  for (;;) pthread_testcancel();
  pthread_cleanup_pop(1);
  pthread_cleanup_pop(1);
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, kStack);
  for (int i = 0; i < kThreads; ++i) {
    if (pthread_create(&threads[i], &large, live, NULL)) return 1;
  }
  while (begun < kThreads) sched_yield();
  for (int i = 0; i < kThreads; ++i) pthread_cancel(threads[i]);
  while (ending < kThreads) sched_yield();
#ifdef JOINED
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
#endif
  puts("main ends");
  return 0;
}
