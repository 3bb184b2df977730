/* The least that malloc and its family can be: memory is handed out by sbrk and never taken back. Its size is taken off
 * those of the allocators. All names that a libc asks for are here, or Emscripten would link its own allocator as well. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

void *malloc(size_t size) {
  void *const mem = sbrk((intptr_t)((size + 7) & ~(size_t)7));
  return mem == (void *)-1 ? NULL : mem;
}

void free(void *mem) { (void)mem; }
void *calloc(size_t count, size_t size) { return malloc(count * size); }
void *realloc(void *mem, size_t size) { return (void)mem, malloc(size); }
void *memalign(size_t alignment, size_t size) { return (void)alignment, malloc(size); }

#define ALSO(name, of) extern __typeof(of) name __attribute__((alias(#of)))
ALSO(__libc_malloc, malloc);
ALSO(__libc_free, free);
ALSO(__libc_calloc, calloc);
ALSO(__libc_realloc, realloc);
ALSO(emscripten_builtin_malloc, malloc);
ALSO(emscripten_builtin_free, free);
ALSO(emscripten_builtin_calloc, calloc);
ALSO(emscripten_builtin_realloc, realloc);
ALSO(emscripten_builtin_memalign, memalign);
