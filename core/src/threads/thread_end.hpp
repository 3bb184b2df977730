// What a thread does last. Builds without threads: nothing, as their one thread never ends.
//
//   at_thread_end(f), at_thread_end(g)  ->  last calls: | f | g |      one table for the program
//   a thread that asked ends            ->  f(), g()                   by the destructor of one pthread key
//
//  threads.E1  A call is made once for each thread, however often that thread asked; and once more when it asks while
//              its last calls run.
//  threads.E2  Every thread that asked for any call makes all of them. So each must be harmless in a thread that did
//              not ask for it.
//  threads.E3  In wasm the two pthread functions are weak. A loader that starts threads by itself need not link them;
//              its threads then flush by themselves before they end. A program with POSIX threads links them when
//              anything in it uses keys; to be sure, link with -Wl,-u,pthread_key_create,-u,pthread_setspecific.
#pragma once

#include "platform/spin_lock.hpp"

namespace heapglass {

// False: nobody will make the call. pre: at most kLastCalls different ones in the whole program
#if HG_THREADS
inline constexpr unsigned kLastCalls = 2;
bool at_thread_end(void (*last)());
#else
inline bool at_thread_end(void (*)()) { return false; }
#endif

}  // namespace heapglass
