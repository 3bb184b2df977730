// What an allocator with thread caches needs for threads. Each piece stands in one file and serves small/ and malloc/.
//
//   thread 1: cache -> free blocks      thread 2: cache -> free blocks     thread_local.hpp    each thread's own object
//               |   ^                               |   ^
//      store    |   |  fetch                        |   |
//               v   |                               v   |
//        [ batch -> batch -> ... ]           a lock for each list          central_list.hpp    batches between threads
//
//        registry -> cache of thread 2 -> cache of thread 1 -> nullptr     cache_registry.hpp  all caches, for visitors
//        a thread ends -> its cache is flushed and leaves the registry     thread_end.hpp      what a thread does last
//        one thread plays several: active cache <-> parked caches          played_caches.hpp   deterministic stories
//
// A fast path uses thread_local.hpp only: it changes the calling thread's cache, which no other thread changes. Locks
// and thread numbers come from platform/.
#pragma once

#include "threads/cache_registry.hpp"
#include "threads/central_list.hpp"
#include "threads/played_caches.hpp"
#include "threads/thread_end.hpp"
#include "threads/thread_local.hpp"
