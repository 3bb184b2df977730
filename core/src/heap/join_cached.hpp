// Cached chunks become free in one walk over the heap, which meets neighbours side by side.
//
//   | in use | cached | free | cached | in use |  ->  | in use | free ............... | in use |
//
// A free chunk without a cached neighbour stays where it is: its list is not touched.
#pragma once

#include "heap/first_chunk.hpp"
#include "heap/free_chunks.hpp"

namespace heapglass {

template <class Note>
Word Heap::join_cached(Note note) {
  Word bytes = 0;
  for (Segment *segment = segments_; segment != nullptr; segment = segment->next) {
    Chunk *c = first_chunk_of(segment);
    while (!is_sentinel(c)) {
      const Word head = c->head;
      if ((head & kInUse) != 0 || ((head & kBlockMark) == 0 && !is_cached(next_chunk(c)))) {
        c = next_chunk(c);
        continue;
      }
      Word size = 0;
      Chunk *part = c;
      do {
        const Word part_size = size_of(part);
        if (is_cached(part)) {
          note(part, part_size);
          Guard::fill_freed(part, part_size);
          HG_PROBE(chunk_released, id_, 0, part, part_size, 0);
          bytes += part_size;
        } else {
          detach(part, part_size);
        }
        if (part != c) {
          HG_PROBE(chunks_merged, id_, 0, c, size, part_size);
        }
        size += part_size;
        part = chunk_at(part, part_size);
      } while ((part->head & kInUse) == 0);
      attach(c, size, false);
      c = part;
    }
  }
  return bytes;
}

}  // namespace heapglass
