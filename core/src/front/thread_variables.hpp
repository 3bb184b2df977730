// The block in which a thread's variables lie, its cache among them. Emscripten 3.1.6 asks malloc for it when a thread begins,
// and the ending thread frees it itself; its worker runs on with that base, and begins the next thread with it.
//
//   [thread ends] end_thread_cache -> free(base) -> free(others) -> [worker waits] -> [thread begins] memalign(size) -> base
//
//  V1  A block so freed stays in use, and its bytes as they are: what the worker calls until the next thread begins finds an
//      ended cache there, and goes to the heap.
//  V2  The next request for exactly as many bytes on that base is for the thread that begins there, and gets the block again:
//      its alignment is right, and its variables are written anew before they are used.
//
//  V3  The cache ends first, by the key of platform/thread_exit.hpp, whose functions every program with threads is told to link.
//
// So one block a worker is held while no thread runs on it. Newer Emscriptens keep the variables in the thread's own memory,
// which another thread frees.
#pragma once

#include "front/cache.hpp"

namespace heapglass {

#if HG_THREADS && defined(__wasm__)

// True: mem is the block of the calling thread's variables, and stays.  pre: mem is not nullptr
inline bool keep_thread_variables(const void *mem) {
  if (mem != __builtin_wasm_tls_base()) return false;
  end_thread_cache();
  quick_cache().state = CacheState::kKept;
  return true;
}

// nullptr: the request is not for a thread's variables.
inline void *take_thread_variables(Word request) {
  if (request != __builtin_wasm_tls_size() || !has_quick_cache() || quick_cache().state != CacheState::kKept) return nullptr;
  quick_cache().state = CacheState::kEnded;
  return __builtin_wasm_tls_base();
}

#else

inline bool keep_thread_variables(const void *) { return false; }
inline void *take_thread_variables(Word) { return nullptr; }

#endif

}  // namespace heapglass
