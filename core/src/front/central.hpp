// Central lists: what threads hand over to each other, a list for each quick list, a lock each. Only where there are threads.
//
//   g_central[list].first -> mem -> mem -> ... -> nullptr       bytes: of all their chunks
//
//  N1  A thread whose cache is full puts all of it here, list by list; a thread whose list is empty takes the first kFetchBytes
//      of a chain. So blocks freed by one thread come back to another one without the heap. Little at a time: a cache that takes
//      whole chains is full again as soon as it has asked for every size.
//  N2  Under a list's lock nothing else is locked. It may be taken under the heap's lock, never the reverse.
//  N3  Before linear memory grows, the thread that needs it empties its own cache and the central lists into the heap; what
//      other threads cache is theirs, at most kCacheBytes each.
#pragma once

#include "front/cache.hpp"

namespace heapglass {

inline constexpr Word kFetchBytes = 1024;

struct Chain {
  void *first;
  void *last;
  Word bytes;
};

void store_central(unsigned list, Chain chain);  // pre: not empty
Chain fetch_central(unsigned list, Word most_bytes);  // first nullptr: nothing there
Word central_bytes();

}  // namespace heapglass
