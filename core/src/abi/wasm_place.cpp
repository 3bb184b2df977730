// What JavaScript needs of a module that it places (platform/placed_pages.cpp).
#include <stddef.h>

#include "platform/page_source.hpp"

#if HG_PLACED
extern "C" {

// Heaps take pages only from [begin, end). pre: there is no heap yet
void hg_place(size_t begin, size_t end) { heapglass::place_pages(begin, end); }

// A reactor's entry, which a C library would bring along: nothing of this module is constructed.
void _initialize(void) {}

}  // extern "C"
#endif
