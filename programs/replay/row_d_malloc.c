/* malloc's names over the small front (hg_small_*): the mechanism of row D as a candidate of the benchmark. Not a product:
 * the malloc family that ships is linked from libheapglass-malloc-*.a. All names a libc asks for are here, or Emscripten
 * would link a second allocator beside this one. */
#include <errno.h>
#include <heapglass/heapglass.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Blocks of 12, 20 and 28 bytes lie at multiples of 4, malloc's must lie at multiples of 8. */
void *malloc(size_t size) { return hg_small_allocate(size > SIZE_MAX - 7 ? size : (size + 7) & ~(size_t)7); }
void free(void *mem) { hg_small_deallocate(mem); }
size_t malloc_usable_size(void *mem) { return hg_small_usable_size(mem); }

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  void *const mem = malloc(bytes);
  if (mem != NULL) memset(mem, 0, bytes);
  return mem;
}

void *realloc(void *mem, size_t size) {
  if (mem == NULL) return malloc(size);
  const size_t usable = hg_small_usable_size(mem);
  if (size <= usable && size >= usable / 2) return mem;
  void *const moved = malloc(size);
  if (moved == NULL) return NULL;
  memcpy(moved, mem, size < usable ? size : usable);
  free(mem);
  return moved;
}

/* A class that is a power of two is aligned to itself; blocks above the largest class lie at multiples of 64 KiB. */
void *memalign(size_t alignment, size_t size) {
  if (alignment <= 8) return malloc(size);
  if (alignment > 65536) return NULL;
  if (size < alignment) size = alignment;
  if (size <= HG_SMALL_MAX && (size & (size - 1)) != 0) size = (size_t)1 << (32 - __builtin_clz((unsigned)size));
  return hg_small_allocate(size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **mem, size_t alignment, size_t size) {
  void *const taken = memalign(alignment, size);
  if (taken == NULL) return ENOMEM;
  *mem = taken;
  return 0;
}

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
