// What malloc does when memory is out, besides returning nullptr: it can say why.
//
//  diagnose.O1  Nothing here allocates, and nothing but the request is written before someone asks why.
//  diagnose.O2  The history is a census each time the heap has doubled: bytes in use by powers of two of the chunk's size. The walks
//             cost together as much as two over the heap at its largest.
#pragma once

#include "heap/heap.hpp"

namespace heapglass {

extern Word g_failed_request;   // of the newest failure; 0: none

// Tells the report once on standard error. pre: with threads, the trace's lock is held
void report_failure();

// In every profile; the text in those that see (traced ones) at the first failure.
inline void note_failure(Word request) {
  g_failed_request = request;
  if constexpr (kTraced) report_failure();
}

// The text; its length. pre: the heap's lock is held
Word explain_failure(char *buffer, Word capacity);

}  // namespace heapglass
