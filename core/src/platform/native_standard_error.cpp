// Prints a failure natively (base/failure.hpp) with the system's write, which allocates nothing. In wasm, abi/libc_looks.cpp
// does this for the malloc of a program.
#if !defined(__wasm__)

#include <unistd.h>

#include "base/failure.hpp"

namespace heapglass {

void write_standard_error(const char *text, Word bytes) {
  while (bytes != 0) {
    const ssize_t written = write(STDERR_FILENO, text, bytes);
    if (written <= 0) return;  // closed: the program traps all the same
    text += written;
    bytes -= static_cast<Word>(written);
  }
}

}  // namespace heapglass

#endif
