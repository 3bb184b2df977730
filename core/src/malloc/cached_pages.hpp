// Which bytes of cached chunks nobody reads (cached_pages.cpp).
#pragma once

#include "base/bits.hpp"

namespace heapglass {

// Writes up to `capacity` runs, two words each, and returns their number; 0 after the last. cursor: two words, 0 at first.
Word list_cached_pages(Word page_bytes, Word *cursor, Word *runs, Word capacity);

}  // namespace heapglass
