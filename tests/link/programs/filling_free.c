/* Linked with --wrap=emscripten_builtin_free: Emscripten's own malloc, whose free fills what it gets back. */
#include <malloc.h>
#include <string.h>

enum { kFill = 0xdd };

void __real_emscripten_builtin_free(void *);
void __wrap_emscripten_builtin_free(void *mem) {
  if (mem != NULL) memset(mem, kFill, malloc_usable_size(mem));
  __real_emscripten_builtin_free(mem);
}
