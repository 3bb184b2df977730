// The random numbers of a hardened build.
#pragma once

#include "base/secret.hpp"

namespace heapglass {

// Draws the secret, once. The thread that creates the first heap calls it before any header is written.
void draw_secret();

}  // namespace heapglass
