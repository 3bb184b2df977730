// An object for each thread.
//
//   extern HG_PER_THREAD Cache t_cache;     in a header        builds without threads: one ordinary object
//   HG_PER_THREAD Cache t_cache;            in one source
//
//   base of thread 1 -> | t_cache | ... |
//   base of thread 2 -> | t_cache | ... |   each address is the thread's base plus a constant
//   base 0                                  the thread has no objects yet
//
//  threads.L1  `__thread`, not `thread_local`: the object is never constructed, so no access calls an initializer. All
//              of its bits are 0 when the thread begins.
//  threads.L2  In wasm that is not position-independent, the tls model is local-exec: an access is base + constant,
//              without a table.
//  threads.L3  Some Emscripten threads allocate before they have thread-local objects; their base is 0. Ask
//              has_thread_locals() (platform/threads.hpp) before each use that such a call can reach. Without objects, use
//              the central lists or the heap.
#pragma once

#include "platform/threads.hpp"

#if !HG_THREADS
#define HG_PER_THREAD
#elif defined(__wasm__) && !defined(__PIC__)
#define HG_PER_THREAD __attribute__((tls_model("local-exec"))) __thread
#else
#define HG_PER_THREAD __thread
#endif
