/* A program with a hg_discard_pages of its own, which counts and zeroes. */
#include <heapglass/discard.h>
#include <stdint.h>
#include <string.h>

#define EXPORT(name) __attribute__((used, visibility("default"), export_name(#name)))

static size_t discarded;

void hg_discard_pages(void *address, size_t bytes) {
  if ((uintptr_t)address % 65536 != 0 || bytes % 65536 != 0) __builtin_trap();
  memset(address, 0, bytes);
  discarded += bytes;
}
EXPORT(discarded_bytes) size_t discarded_bytes(void) { return discarded; }
