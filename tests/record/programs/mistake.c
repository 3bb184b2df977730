/* Frees a block twice, after much else. */
#include <stdlib.h>

int main(void) {
  void *volatile block;
  for (int i = 0; i < 10000; ++i) {
    block = malloc(100);
    free(block);
  }
  block = malloc(100);
  free(block);
  free(block);
  return 0;
}
