// What a program does wrong with its heap: d frees a block twice, b a large one, f an address inside of a block, n one of no block.
#include <stdlib.h>

__attribute__((noinline)) static void *take(size_t size) { return malloc(size); }
__attribute__((noinline)) static void give(void *block) { free(block); }

int main(int argc, char **argv) {
  static char of_no_block[64];
  void *blocks[10];
  for (int i = 0; i < 10; ++i) blocks[i] = take(40 + i);
  switch (argc > 1 ? argv[1][0] : 'd') {
    case 'd':
      give(blocks[3]);
      give(blocks[3]);
      break;
    case 'b':
      blocks[3] = take(100000);
      give(blocks[3]);
      give(blocks[3]);
      break;
    case 'f':
      give((char *)blocks[3] + 8);
      break;
    default:
      give(of_no_block + 16);
  }
  return 0;
}
