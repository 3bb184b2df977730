/* Linked with heapglass: program.mjs calls its malloc and free. */
#include <stdlib.h>

int main(void) { return 0; }
