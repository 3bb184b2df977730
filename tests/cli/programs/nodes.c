/* A list of equal nodes, of which every third goes again: what a pool is for. */
#include <stdio.h>
#include <stdlib.h>

struct Node {
  struct Node *next;
  int values[4];
};

__attribute__((noinline)) static struct Node *make_node(struct Node *next) {
  struct Node *node = malloc(sizeof *node);
  node->next = next;
  return node;
}

int main(void) {
  struct Node *first = 0;
  for (int i = 0; i < 20000; ++i) {
    first = make_node(first);
    if (i % 3 != 2) continue;
    struct Node *gone = first;
    first = gone->next;
    free(gone);
  }
  printf("%d\n", first != 0);
  return 0;
}
