/* A library without JavaScript whose memory goes back. */
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((used, visibility("default"), export_name(#name)))

EXPORT(hold) void *hold(size_t bytes) {
  void *const at = malloc(bytes);
  return at == 0 ? 0 : memset(at, 0x5a, bytes);
}
EXPORT(sum) unsigned sum(const unsigned char *at, size_t bytes) {
  unsigned total = 0;
  for (size_t i = 0; i < bytes; ++i) total += at[i];
  return total;
}
EXPORT(let_go) void let_go(void *at) { free(at); }
