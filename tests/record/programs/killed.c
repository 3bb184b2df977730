/* Allocates and frees so many blocks, then its process is killed from within, as no handler can notice. */
#include <emscripten.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const int blocks = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < blocks; ++i) {
    void *volatile block = malloc(i % 1000);
    free(block);
  }
  EM_ASM({ process.kill(process.pid, 'SIGKILL'); });
  return 0;
}
