// Where a hardened build gets its secret from.
#pragma once

#include "base/secret.hpp"

namespace heapglass {

// Draws the secret, once. Before any header is written, by the thread that makes the first heap.
void draw_secret();

}  // namespace heapglass
