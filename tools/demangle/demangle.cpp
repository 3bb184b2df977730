// Names of C++ as people write them, for the command line: libc++abi's demangler behind one function. The caller frees the result with
// free(); 0 when it is no name.
#include <cxxabi.h>

extern "C" __attribute__((used, visibility("default"))) char *hg_demangle(const char *name) {
  int status = 0;
  return abi::__cxa_demangle(name, nullptr, nullptr, &status);
}
