/* Allocates a while, then its process is killed from within, as no handler can notice. */
#include <emscripten.h>
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 20000; ++i) {
    void *volatile block = malloc(i % 1000);
    free(block);
  }
  EM_ASM({ process.kill(process.pid, 'SIGKILL'); });
  return 0;
}
