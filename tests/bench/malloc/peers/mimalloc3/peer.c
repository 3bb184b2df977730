/* mimalloc 3 in one object, with those names by which Emscripten's libc reaches its malloc that mimalloc does not have: else
 * the libc would take emmalloc's, which is linked because mimalloc gets its memory from it (all its names are weak). */
#include "static.c"

void *emscripten_builtin_malloc(size_t size) { return mi_malloc(size); }
void emscripten_builtin_free(void *mem) { mi_free(mem); }
void *emscripten_builtin_calloc(size_t count, size_t size) { return mi_calloc(count, size); }
void *emscripten_builtin_realloc(void *mem, size_t size) { return mi_realloc(mem, size); }
void *emscripten_builtin_memalign(size_t alignment, size_t size) { return mi_memalign(alignment, size); }
