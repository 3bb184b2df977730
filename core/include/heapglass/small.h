/* heapglass: the inline part of the small front. Compiles as C99 and C++20. C++ programs should include <heapglass/small.hpp>,
 * which finds the class of a type at compile time.
 *
 * Each thread has one free list per size class. Allocating pops the list, freeing pushes:
 *
 *    lists[k].free ---> block ---> block ---> ... ---> NULL       the first word of a free block links it to the next
 *    lists[k].room      how many more blocks may be pushed
 *
 *  small.F1  When free is NULL or room is 0, the list cannot serve; hg_small_allocate_slow or hg_small_deallocate_slow does.
 *      Both hold in a thread that has not used the front yet: its lists are all zero bits, and need no initialization.
 *  small.F2  Blocks of 20 and 28 bytes are at multiples of 4, even where an address has 8 bytes. Links are therefore copied.
 *
 * The macros HG_TRACE and HG_THREADS must match the archive. With HG_TRACE the inline functions call the archive, so that
 * every block is recorded in the trace. With HG_THREADS the lists have another name, so that a program that mixes the two
 * does not link.
 */
#ifndef HEAPGLASS_SMALL_H
#define HEAPGLASS_SMALL_H

#include <heapglass/heapglass.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Classes: 8, 12, 16 (64-bit hosts: 16), then 1.25, 1.5, 1.75 and 2 times each power of two, up to HG_SMALL_MAX. */
#define HG_SMALL_CLASSES (sizeof(void *) == 4 ? 50u : 48u)

typedef struct hg_small_list {
  void *free;
  size_t room;
} hg_small_list;

typedef struct hg_small_cache {
  hg_small_list lists[HG_SMALL_CLASSES];
  void *spare[HG_SMALL_CLASSES]; /* the archive's, from here on: a whole batch each, or NULL */
  struct hg_small_cache *next;
  uint32_t thread;     /* whose it is */
  uint32_t registered; /* 1: room is counted, and next leads to the other threads' caches */
} __attribute__((aligned(16))) hg_small_cache;

/* Allocates a block of the class when its list is empty. NULL when out of memory. */
void *hg_small_allocate_slow(unsigned size_class);
/* Frees a block of the class when its list is full. */
void hg_small_deallocate_slow(unsigned size_class, void *mem);

#if defined(HG_TRACE) && HG_TRACE

static inline void *hg_small_allocate_class(unsigned size_class) { return hg_small_allocate_slow(size_class); }
static inline void hg_small_deallocate_class(unsigned size_class, void *mem) {
  hg_small_deallocate_slow(size_class, mem);
}

#else

#if defined(HG_THREADS) && HG_THREADS
#if defined(__wasm__) && !defined(__PIC__)
#define HG_SMALL_TLS __attribute__((tls_model("local-exec"))) /* at a constant from the thread's base, by no table */
#else
#define HG_SMALL_TLS
#endif
extern __thread hg_small_cache hg_small_thread_cache HG_SMALL_TLS; /* __thread: never constructed, so never asked for by a call */
#define HG_SMALL_CACHE hg_small_thread_cache
#else
extern hg_small_cache hg_small_only_cache;
#define HG_SMALL_CACHE hg_small_only_cache
#endif

/* Allocates a block of the class; a few instructions when size_class is a constant. NULL when out of memory. The code names
 * the list each time instead of using a pointer, because gcc 12's UBSan takes the address of a thread-local for NULL. */
static inline void *hg_small_allocate_class(unsigned size_class) {
  void *const mem = HG_SMALL_CACHE.lists[size_class].free;
  void *next;
  if (!__builtin_expect(mem != NULL, 1)) return hg_small_allocate_slow(size_class);
  __builtin_memcpy(&next, mem, sizeof next);
  HG_SMALL_CACHE.lists[size_class].free = next;
  ++HG_SMALL_CACHE.lists[size_class].room;
  return mem;
}

/* Frees a block. pre: mem was allocated in this class, by any function and thread. */
static inline void hg_small_deallocate_class(unsigned size_class, void *mem) {
  void *next;
  if (!__builtin_expect(HG_SMALL_CACHE.lists[size_class].room != 0, 1)) {
    hg_small_deallocate_slow(size_class, mem);
    return;
  }
  next = HG_SMALL_CACHE.lists[size_class].free;
  __builtin_memcpy(mem, &next, sizeof next);
  HG_SMALL_CACHE.lists[size_class].free = mem;
  --HG_SMALL_CACHE.lists[size_class].room;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
