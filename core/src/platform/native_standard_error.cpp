// Where the text of a failure goes natively (base/failure.hpp): the write of the system, which allocates nothing. In wasm the
// malloc of a program does it (abi/libc_names.cpp).
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
