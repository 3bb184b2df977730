// What a thread does last. Builds with threads only.
//
// Natively, and in Emscripten programs with POSIX threads, by the destructor of a pthread key. In wasm the two functions it
// needs are weak: a module whose threads are started by a loader of its own need not link them, and its threads say
// themselves when they end. A program with POSIX threads links them when anything in it uses keys; to be sure, link with
// -Wl,-u,pthread_key_create,-u,pthread_setspecific.
#pragma once

#include "platform/spin_lock.hpp"

namespace heapglass {

#if HG_THREADS
// The calling thread calls `last` when it ends: once, however often asked before; once more when asked by what a thread does
// last. pre: at most kLastCalls different ones in the whole program; each is called at the end of every thread that asked for
// any. False: nobody will call it.
inline constexpr unsigned kLastCalls = 2;
bool at_thread_end(void (*last)());
#endif

}  // namespace heapglass
