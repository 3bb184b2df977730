/* Makes ten blocks, then never returns: what one wants to see of it is how it came to that. */
#include <stdlib.h>

volatile unsigned turns;

int main(void) {
  for (int i = 1; i <= 10; ++i) {
    void *volatile block = malloc(100000 + i);
    (void)block;
  }
  for (;;) ++turns;
}
