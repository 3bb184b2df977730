// The last calls of a thread, and whether a thread may own memory that only its end gives back.
//
//   at_thread_end(f), at_thread_end(g)  ->  last calls: | f | g |      one table for the program
//   a thread that asked ends            ->  f(), g()                   by the destructor of one pthread key
//
//   thread                                        what notices its end               at_thread_end
//   native thread, pthread, -pthread's main one   the destructor of the key          true
//   Wasm Worker, AudioWorklet                     nothing: the host drops it         false
//   main thread beside Wasm Workers only          it ends with the program           true
//   thread of a loader that is not Emscripten's   its own code, which flushes (threads.E5)   true
//   the thread of a build without threads         it ends with the program           true
//
//  threads.E1  A call is made once for each thread, however often the thread asked for it, and once more when the thread asks
//              while its last calls run.
//  threads.E2  Every thread that asked for any call makes all of them. So each must be harmless in a thread that did
//              not ask for it.
//  threads.E3  False means that the call would never be made. Such a thread must not own a cache: its blocks would be lost, and
//              the registry would lead to memory that others use by then. It uses the heap. The test costs a few loads.
//  threads.E4  In wasm every function of libc is a weak name here, so heapglass links no part of libc into a program. A missing
//              function means false; so a program with POSIX threads is linked with
//              -Wl,-u,pthread_key_create,-u,pthread_setspecific.
//  threads.E5  A loader of its own links neither pthreads nor Wasm Workers. Before a thread of such a loader ends, it
//              calls hg_malloc_flush and hg_small_flush. A flushed cache is not registered.
#pragma once

#include "platform/spin_lock.hpp"

namespace heapglass {

// pre: has_thread_locals(); at most kLastCalls different calls in the whole program
#if HG_THREADS
inline constexpr unsigned kLastCalls = 2;
bool at_thread_end(void (*last)());
#else
inline bool at_thread_end(void (*)()) { return true; }
#endif

}  // namespace heapglass
