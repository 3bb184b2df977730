// The block in which a thread's variables lie, its cache among them. Emscripten 3.1.6 asks malloc for it when a thread begins,
// and the ending thread frees it itself. Its worker runs on with that base, and begins the next thread with it.
//
//   [thread ends] end_thread -> free(base) -> free(others) -> [worker waits] -> [thread begins] memalign(size) -> base
//
//  malloc.V1  A block so freed stays in use, and its bytes as they are: what the worker calls until the next thread begins finds
//             an ended cache there, and goes to the heap.
//  malloc.V2  The next request for exactly as many bytes on that base is for the thread that begins there, and gets the block
//             again: its alignment is right, and its variables are written anew before they are used.
//  malloc.V3  The cache ends first, by the key of threads/thread_end.hpp. Every program with threads links what
//             that needs of libc (threads.E4).
//
// So one block a worker stays in use while no thread runs on it. Newer Emscriptens keep the variables in the thread's own
// memory, which another thread frees.
#pragma once

#include "malloc/malloc.hpp"

namespace heapglass {

#if HG_THREADS && defined(__wasm__)

// True: mem is the block of the calling thread's variables, and stays.  pre: mem is not nullptr
inline bool keep_thread_block(const void *mem) {
  if (mem != __builtin_wasm_tls_base()) return false;
  t_cache.keep_block(*Heap::default_heap_if_made());
  return true;
}

// nullptr: the request is not for a thread's variables.
inline void *take_thread_block(Word request) {
  if (request != __builtin_wasm_tls_size() || !has_thread_locals() || !t_cache.take_kept_block()) return nullptr;
  return __builtin_wasm_tls_base();
}

#else

inline bool keep_thread_block(const void *) { return false; }
inline void *take_thread_block(Word) { return nullptr; }

#endif

}  // namespace heapglass
