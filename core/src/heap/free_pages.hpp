// Which whole pages of a heap hold nothing (free_pages.cpp).
#pragma once

#include "base/bits.hpp"
#include "chunk/chunk.hpp"

namespace heapglass {

class Heap;

struct PageRun {
  std::uintptr_t address;
  Word bytes;  // 0: none
};

// The next run of whole free pages that no heap holds; 0 bytes after the last. cursor: 0 at first.
PageRun next_released(Word page_bytes, Word *cursor);

// The whole pages between two addresses.  pre: page_bytes is a power of two
PageRun whole_pages(std::uintptr_t from, std::uintptr_t to, Word page_bytes);

struct FreePages {
  // Bytes of the whole free pages. O(free chunks of a page and more).
  static Word bytes(const Heap &heap, Word page_bytes);
  // Writes up to `capacity` runs, two words each, and returns their number; 0 after the last. cursor: two words, 0 at first.
  static Word list(const Heap &heap, Word page_bytes, Word *cursor, Word *runs, Word capacity);
  // Gives each run of whole free pages of 64 KiB to hg_discard_pages.
  static void discard(const Heap &heap);

 private:
  static const Chunk *next_chunk(const Heap &heap, Word page_bytes, Word *cursor);
};

}  // namespace heapglass
