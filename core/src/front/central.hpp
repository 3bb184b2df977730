// Central lists: what threads hand over to each other, a list for each quick list, a lock each. Only where there are threads.
//
//   g_central[list] -> | link | bytes | piece |        a piece: a chain of chunks of one list, of about kPieceBytes; its first
//                          |             |             chunk says how many bytes they are, and leads to the next piece
//                          v             v
//                        chunk         | link | bytes | piece | -> ...
//
//  N1  A thread whose cache is full puts all of it here, list by list, cut into pieces; a thread whose list is empty takes one.
//      So blocks freed by one thread come back to another one without the heap. Little at a time: a cache that takes all there
//      is of each size is full again as soon as it has asked for every size.
//  N2  Under a list's lock a piece is taken, or pieces are added, in O(1): chunks are neither read nor counted there. Nothing
//      else is locked. It may be taken under the heap's lock, never the reverse.
//  N3  Before linear memory grows, the thread that needs it empties its own cache and the central lists into the heap; what
//      other threads cache is theirs, at most kCacheBytes each.
//  N4  With probes, chunks have their mark where the bytes of a piece stand (held.hpp): then they are counted.
#pragma once

#include "front/cache.hpp"

namespace heapglass {

inline constexpr Word kPieceBytes = 2048;

struct Piece {
  void *first;
  Word bytes;
};

// Puts a chain there; the bytes of its chunks.  pre: not empty
Word store_central(unsigned list, void *chain);
Piece fetch_central(unsigned list);  // first nullptr: nothing there
Word central_bytes();                // O(pieces)

}  // namespace heapglass
